import { describe, expect, test } from 'vitest';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { SourceFinder, type Source } from './sources.ts';

type Column = readonly [name: string, ...values: string[]];

const codes = ['4006381333931', '4012345678901', '9783161484100'];
const pictures = ['https://x.de/media/1.jpg', 'https://x.de/media/2.jpg', 'https://x.de/media/3.jpg'];
const pages = ['https://x.de/a', 'https://x.de/b', 'https://x.de/c'];
const makers = ['https://marke.de/', 'https://marke.de/', 'https://andere.de/'];
const prices = ['12,50', '99,00', '1299,00'];
const names = ['Lampe Nord', 'Tisch Eiche', 'Stuhl Birke'];
const brands = ['Nordlicht', 'Nordlicht', 'Holzwerk'];
const numbers = ['A-100', 'A-101', 'A-102'];
const ids = ['1001', '1002', '1003'];
const hashes = ['0a1b2c3d4e5f', '1b2c3d4e5f6a', '2c3d4e5f6a7b'];

/** Columns as the exports of shop systems name them; the first one is the catalogue's key. */
const shops: Readonly<Record<string, { columns: readonly Column[]; title: string; brand?: string }>> = {
  'Shopware 6 (JSON)': {
    title: 'translated.name',
    brand: 'manufacturer.name',
    columns: [
      ['productNumber', ...numbers],
      ['id', ...hashes],
      ['manufacturerId', ...hashes],
      ['manufacturer.id', ...hashes],
      ['manufacturer.name', ...brands],
      ['manufacturer.translated.name', ...brands],
      ['manufacturer.link', ...makers],
      ['manufacturer.description', 'Leuchten aus Kiel', 'Leuchten aus Kiel', 'Möbel'],
      ['tax.name', '19 %', '19 %', '7 %'],
      ['tax.taxRate', '19', '19', '7'],
      ['unit.name', 'Stück', 'Stück', 'Stück'],
      ['deliveryTime.name', '1-3 Tage', '1-3 Tage', '1-3 Tage'],
      ['categories[0].name', 'Lampen', 'Tische', 'Stühle'],
      ['cover.media.url', ...pictures],
      ['cover.media.title', 'Ansicht', 'Ansicht', 'Ansicht'],
      ['translated.name', ...names],
      ['translated.description', 'Eine Lampe.', 'Ein Tisch.', 'Ein Stuhl.'],
      ['ean', ...codes],
      ['stock', '5', '12', '7'],
    ],
  },
  plentymarkets: {
    title: 'ItemText.name1',
    brand: 'ItemManufacturer.name',
    columns: [
      ['Variation.number', ...numbers],
      ['Variation.id', ...ids],
      ['Item.id', ...ids],
      ['ItemManufacturer.id', '1', '1', '2'],
      ['ItemManufacturer.name', ...brands],
      ['ItemManufacturer.externalName', ...brands],
      ['ItemText.name1', ...names],
      ['ItemText.description', 'Eine Lampe.', 'Ein Tisch.', 'Ein Stuhl.'],
      ['VariationSalesPrice.price', ...prices],
      ['VariationBarcode.code', ...codes],
      ['ItemImage.url', ...pictures],
    ],
  },
  JTL: {
    title: 'Bezeichnung 1',
    brand: 'Hersteller.Name',
    columns: [
      ['Artikelnummer', ...numbers],
      ['Hersteller.Name', ...brands],
      ['Hersteller.Homepage', ...makers],
      ['Steuerklasse.Name', 'normal', 'normal', 'ermäßigt'],
      ['Lieferant.Name', 'Großhandel Süd', 'Großhandel Süd', 'Großhandel Nord'],
      ['Lieferant.Artikelnummer', 'L-9', 'L-8', 'L-7'],
      ['Bezeichnung 1', ...names],
      ['Länge', '10', '120', '45'],
      ['Bild 1 Pfad/URL', ...pictures],
      ['GTIN', ...codes],
    ],
  },
  WooCommerce: {
    title: 'Name',
    columns: [
      ['SKU', ...numbers],
      ['ID', ...ids],
      ['Name', ...names],
      ['Attribute 1 name', 'Farbe', 'Farbe', 'Farbe'],
      ['Attribute 1 value(s)', 'Blau', 'Rot', 'Grün'],
      ['Brands', ...brands],
      ['Regular price', ...prices],
      ['Images', ...pictures],
    ],
  },
  Shopify: {
    title: 'Title',
    brand: 'Vendor',
    columns: [
      ['Variant SKU', ...numbers],
      ['Handle', 'lampe-nord', 'tisch-eiche', 'stuhl-birke'],
      ['Title', ...names],
      ['Vendor', ...brands],
      ['Option1 Name', 'Farbe', 'Farbe', 'Farbe'],
      ['Image Src', ...pictures],
      ['SEO Title', 'Lampe kaufen', 'Tisch kaufen', 'Stuhl kaufen'],
      ['Variant Price', ...prices],
      ['Variant Barcode', ...codes],
    ],
  },
};

/** All suggestions of a channel for the columns of a shop system: field, column, confidence. */
function suggested(channel: string, columns: readonly Column[]) {
  const fields = templateOf(channel)?.fields ?? [];
  const sources = columns.map(([name, ...values], index): Source => ({
    part: { type: '_field', value: name, caption: name },
    names: [name],
    coverage: 1,
    isKey: index === 0,
    made: false,
    values,
  }));
  const finder = new SourceFinder(sources, fields, [], []);
  return fields.flatMap((field) => finder.suggest({ name: field.name, field }));
}
const columnFor = (channel: string, columns: readonly Column[], field: string) =>
  suggested(channel, columns).find(({ exportfield }) => exportfield === field);

describe.each(Object.entries(shops))('CON-01 columns of %s', (_, { columns, title, brand }) => {
  test('the title, the brand and the item number come from their own columns', () => {
    expect(columnFor('google', columns, 'title')?.part.value).toBe(title);
    if (brand !== undefined) expect(columnFor('google', columns, 'brand')?.part.value).toBe(brand);
    expect(columnFor('google', columns, 'id')?.part.value).toBe(columns[0]?.[0]);
    expect(columnFor('otto', columns, 'sku')?.part.value).toBe(columns[0]?.[0]);
  });

  test('without a column for the title, no column of another thing is suggested as surely', () => {
    const others = columns.filter(([name]) => name !== title);
    for (const channel of ['google', 'idealo', 'billiger', 'ebay', 'kaufland_product', 'openai']) {
      const sure = suggested(channel, others).filter(({ confidence }) => confidence > 0.8);
      const titled = sure.filter(({ exportfield }) => /^(?:title|name|brand)$/i.test(exportfield));
      const twice = titled.filter((one) => titled.some((two) => one !== two && one.part.value === two.part.value));
      expect([channel, twice]).toEqual([channel, []]);
      expect([channel, titled.filter(({ exportfield }) => exportfield.toLowerCase() !== 'brand')]).toEqual([
        channel,
        [],
      ]);
    }
  });

  test('addresses of makers and pictures are not suggested as the page of the item', () => {
    expect(columnFor('google', columns, 'link')?.confidence ?? 0).toBeLessThan(0.8);
    expect(columnFor('kaufland_product', columns, 'locale')).toBeUndefined();
  });
});

test('CON-01 the name of an item below a path of other things is still its name', () => {
  for (const [column, field] of [
    ['category/product/name', 'title'],
    ['product.title', 'title'],
    ['Hersteller/Marke', 'brand'],
    ['images[0].src', 'image_link'],
    ['offer/url', 'link'],
  ] as const) {
    const values = field === 'link' ? pages : field === 'image_link' ? pictures : names;
    const { confidence } = columnFor(
      'google',
      [
        ['nr', ...numbers],
        [column, ...values],
      ],
      field,
    ) ?? { confidence: 0 };
    expect([column, confidence > 0.8]).toEqual([column, true]);
  }
});

test('CON-01 the catalogue’s key comes before an internal id, unless its values do not fit', () => {
  const ean: Column = ['ean', ...codes];
  expect(columnFor('google', [ean, ['id', ...ids]], 'id')?.part.value).toBe('ean');
  const long = ['x'.repeat(200), 'y'.repeat(200), 'z'.repeat(200)];
  expect(
    columnFor(
      'google',
      [
        ['path', ...long],
        ['id', ...ids],
      ],
      'id',
    )?.part.value,
  ).toBe('id');
});
