import { describe, expect, test } from 'vitest';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { SourceFinder, type Source } from './sources.ts';

type Column = { values?: string[]; isKey?: boolean };

/** The suggested column and confidence for each field of the channel; fields without a suggestion are left out. */
function suggested(channel: string, columns: Readonly<Record<string, Column>>): Record<string, [string, number]> {
  const template = templateOf(channel);
  if (!template) throw new Error(channel);
  const sources = Object.entries(columns).map(([name, { values = [], isKey = false }]): Source => ({
    part: { type: '_field', value: name, caption: name },
    names: [name],
    coverage: 1,
    isKey,
    made: false,
    values,
  }));
  const finder = new SourceFinder(sources, template.fields, [], []);
  const found = template.fields.flatMap((field) => finder.suggest({ name: field.name, field }).slice(0, 1));
  return Object.fromEntries(found.map(({ exportfield, part, confidence }) => [exportfield, [part.value, confidence]]));
}
const fieldsOf = (channel: string, columns: Readonly<Record<string, Column>>) =>
  Object.keys(suggested(channel, columns));
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => String(from + index));

describe('CON-01 misleading columns are not suggested', () => {
  test('the key of the catalogue is not suggested as GTIN, address or serial number unless its values fit', () => {
    const key = { Nr: { values: ['NK-1', 'NK-2', 'NK-3'], isKey: true } };
    expect(fieldsOf('otto', key)).toEqual(['sku']);
    expect(fieldsOf('guenstiger', key)).toEqual([]);
    expect(fieldsOf('amazon', key)).toEqual(['sku']);
    const codes = { Nr: { values: ['4006381333931', '4012345678901', '9783161484100'], isKey: true } };
    expect(suggested('otto', codes)['ean']).toEqual(['Nr', 0.96]);
  });

  test('a generic last part of a path does not count as a name', () => {
    const columns = {
      name: { values: ['Lampe', 'Tisch'] },
      Type: { values: ['Bracelet', 'Ring'] },
      values: {},
      address: {},
    };
    expect(fieldsOf('otto', columns)).toEqual(['productDescription.productLine']);
    const amazon = fieldsOf('amazon', { Type: { values: ['Bracelet', 'Ring'] } });
    expect(amazon.filter((field) => field.includes('.type'))).toEqual([]);
    expect(
      suggested('otto', { quantity: { values: ['25', '2', '10'] } })['order.maxOrderQuantity.quantity'],
    ).toBeUndefined();
  });

  test('a price that customers do not pay is not suggested as the price', () => {
    const values = ['12,50', '99,00', '1.299,00'];
    const others = [
      'wholesale_price',
      'Purchase Price',
      'price_ek',
      'EK-Preis',
      'Preis (netto)',
      'Preis netto',
      'price_excl_tax',
      'Preis EK',
      'net_price',
      'purchase/price',
      'cost.price',
      'B2B Preis',
      'Preis Händler',
      'price_tax',
    ];
    const taken = others.filter((name) => suggested('google', { [name]: { values } })['price'] !== undefined);
    expect(taken).toEqual([]);
    const own = [
      'Preis',
      'price_incl_tax',
      'Preis (inkl. MwSt.)',
      'Preis (EUR)',
      'VK-Preis',
      'Preis brutto',
      'offer/price',
    ];
    expect(own.filter((name) => suggested('google', { [name]: { values } })['price'] === undefined)).toEqual([]);
    expect(suggested('google', { 'EK netto': { values } })['cost_of_goods_sold']?.[0]).toBe('EK netto');
  });

  test('an open choice is not filled from a column with unknown values', () => {
    const known = suggested('otto', { MwSt: { values: ['19', '7'] } })['pricing.vat']?.[1] ?? 0;
    const unknown = suggested('otto', { MwSt: { values: ['Taxable Goods'] } })['pricing.vat']?.[1] ?? 0;
    expect(known).toBeGreaterThan(0.9);
    expect(unknown).toBeLessThan(0.65);
    expect(fieldsOf('otto', { tax_class_name: { values: ['Taxable Goods'] } })).toEqual([]);
  });

  test('a bare amount is not suggested as a shipping rule, a bare number not as a measure', () => {
    expect(fieldsOf('google', { Versandkosten: { values: ['4,90', '0,00', '5.95'] } })).toEqual([]);
    expect(fieldsOf('google', { shipping: { values: ['DE::Standard:4.90 EUR'] } })).toEqual(['shipping']);
    expect(fieldsOf('google', { Gewicht: { values: ['220', '1.5', '3,2'] } })).toEqual([]);
    expect(suggested('google', { Gewicht: { values: ['220 g', '1,5 KG'] } })['shipping_weight']?.[1]).toBeGreaterThan(
      0.9,
    );
  });

  test('a weight or length of unknown unit is not suggested for fields in grams or millimetres', () => {
    expect(fieldsOf('otto', { Gewicht: { values: ['220', '300'] }, length: { values: ['43', '12'] } })).toEqual([]);
    const named = suggested('otto', {
      'Gewicht (g)': { values: ['220', '300'] },
      laenge_mm: { values: ['430', '120'] },
    });
    expect(named['logistics.packingUnits[0].weight']?.[0]).toBe('Gewicht (g)');
    expect(named['logistics.packingUnits[0].length']?.[0]).toBe('laenge_mm');
  });

  test('numbers of reviews or packs, and flags, are not suggested as stock', () => {
    const stock = (name: string, values: string[]) => suggested('kaufland_inventory', { [name]: { values } })['count'];
    expect(stock('review_count', numbers(9, 3))).toBeUndefined();
    expect(stock('Anzahl Bewertungen', numbers(9, 3))).toBeUndefined();
    expect(stock('Anzahl LEDs', numbers(9, 3))).toBeUndefined();
    expect(stock('Anzahl pro Packung', numbers(9, 3))).toBeUndefined();
    expect(stock('in_stock', ['1', '0', '1'])).toBeUndefined();
    expect(stock('is_in_stock', ['1', '1', '1'])).toBeUndefined();
    expect(stock('Count', numbers(9, 20))?.[1]).toBeLessThan(0.7);
    expect(stock('Lagerbestand', ['1', '0', '1'])?.[1]).toBeGreaterThan(0.9);
    expect(stock('stock_count', numbers(9, 3))).toBeDefined();
    expect(suggested('google', { in_stock: { values: ['1', '0'] } })['availability']?.[1]).toBeGreaterThan(0.9);
  });

  test('dates are not suggested as GTINs, and the same number on every item is not either', () => {
    const day = '2016-11-18';
    expect(fieldsOf('google', { added: { values: [day, day, day] } })).toEqual([]);
    expect(fieldsOf('google', { added: { values: ['20161118', '20161118', '20161118'] } })).toEqual([]);
    const spelled = ["'4006381333931", '4012345678901.0', '978-3-16-148410-0'];
    expect(suggested('google', { code: { values: spelled } })['gtin']?.[0]).toBe('code');
  });

  test('a product page is not suggested as an energy label', () => {
    const page = { Produktseite: { values: ['https://x.de/a', 'https://x.de/b', 'https://x.de/c'] } };
    expect(fieldsOf('kaufland_product', page)).toEqual([]);
    expect(fieldsOf('google', page)).toEqual(['link']);
  });

  test('internal columns of shop systems are not suggested', () => {
    expect(fieldsOf('google', { product_type: { values: ['simple', 'configurable', 'simple'] } })).toEqual([]);
    expect(fieldsOf('google', { topseller: { values: ['0', '1', '0'] } })).toEqual([]);
    expect(fieldsOf('idealo', { Handle: { values: ['blue-shirt', 'red-shirt'] } })).toEqual([]);
    expect(fieldsOf('google', { Handle: { values: ['blue-shirt', 'red-shirt'] } })).toEqual([]);
  });
});
