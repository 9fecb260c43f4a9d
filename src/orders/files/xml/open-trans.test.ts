import { describe, expect, it } from 'vitest';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));

type Parts = { generator?: string; parties?: string; price?: string; info?: string; quantity?: string; per?: string };

const order = ({ generator = 'ERP', parties = '', price = '10.00', info = '', quantity = '2', per = '' }: Parts) =>
  `<ORDER xmlns="http://www.opentrans.org/XMLSchema/2.1" version="2.1"><ORDER_HEADER><CONTROL_INFO><GENERATOR_INFO>${generator}</GENERATOR_INFO></CONTROL_INFO>
<ORDER_INFO><ORDER_ID>O-1</ORDER_ID><ORDER_DATE>2026-11-20T10:00:00+01:00</ORDER_DATE><PARTIES>${parties}</PARTIES>${info}</ORDER_INFO></ORDER_HEADER>
<ORDER_ITEM_LIST><ORDER_ITEM><LINE_ITEM_ID>1</LINE_ITEM_ID><PRODUCT_ID><SUPPLIER_PID>A</SUPPLIER_PID></PRODUCT_ID><QUANTITY>${quantity}</QUANTITY>
<PRODUCT_PRICE_FIX><PRICE_AMOUNT>${price}</PRICE_AMOUNT><PRICE_QUANTITY>${per}</PRICE_QUANTITY></PRODUCT_PRICE_FIX></ORDER_ITEM></ORDER_ITEM_LIST></ORDER>`;
const party = (role: string, address: string) =>
  `<PARTY><PARTY_ROLE>${role}</PARTY_ROLE><ADDRESS>${address}</ADDRESS></PARTY>`;
const place = '<STREET>Käfigweg 1</STREET><ZIP>80636</ZIP><CITY>München</CITY>';
const personsOf = (parts: Parts) => read(order(parts)).orders[0]?.persons;

describe('the recipient of an openTRANS parcel', () => {
  it('OIM-01 CHECK24 writes company, first and last name: the last two become one name, not an address line', () => {
    const parties = party('delivery', `<NAME2>Ada</NAME2><NAME3>Kanari</NAME3>${place}`);
    expect(personsOf({ generator: 'CHECK24', parties })?.delivery).toMatchObject({
      name: 'Ada Kanari',
      company: '',
      lines: ['Käfigweg 1'],
    });
    const firm = party('delivery', `<NAME>Vogel GmbH</NAME><NAME2>Ada</NAME2><NAME3>Kanari</NAME3>${place}`);
    expect(personsOf({ generator: 'CHECK24', parties: firm })?.delivery).toMatchObject({
      name: 'Ada Kanari',
      company: 'Vogel GmbH',
      lines: ['Käfigweg 1'],
    });
    // Elsewhere the standard applies: these names continue the first one.
    expect(personsOf({ parties: firm })?.delivery).toMatchObject({
      name: 'Vogel GmbH',
      lines: ['Ada', 'Kanari', 'Käfigweg 1'],
    });
  });

  it('address remarks and the contact person are kept', () => {
    const contact =
      '<CONTACT_DETAILS><CONTACT_NAME>Kanari</CONTACT_NAME><FIRST_NAME>Ada</FIRST_NAME><PHONE>089 1</PHONE></CONTACT_DETAILS>';
    const parties = party('delivery', `${contact}${place}<ADDRESS_REMARKS>Hinterhaus</ADDRESS_REMARKS>`);
    expect(personsOf({ parties })?.delivery).toMatchObject({
      name: 'Ada Kanari',
      lines: ['Käfigweg 1', 'Hinterhaus'],
      phone: '089 1',
    });
  });

  it('remarks are an address line only if they are a single short line', () => {
    const lines = (remarks: string) => {
      const address = `<NAME>Ada Kanari</NAME>${place}<ADDRESS_REMARKS>${remarks}</ADDRESS_REMARKS>`;
      const file = read(order({ parties: party('delivery', address) }));
      expect(file.rejected).toEqual([]);
      return file.orders[0]?.persons?.delivery?.lines;
    };
    expect(lines('Hinterhaus, 3. Stock links')).toEqual(['Käfigweg 1', 'Hinterhaus, 3. Stock links']);
    for (const remarks of ['Bitte klingeln.\nNicht beim Nachbarn.', 'x'.repeat(61), 'x'.repeat(500)])
      expect(lines(remarks)).toEqual(['Käfigweg 1']);
  });

  it('the invoice issuer is the seller, except for CHECK24; an empty address is ignored', () => {
    const seller = party('invoice_issuer', `<NAME>Kanari-Handel</NAME>${place}`);
    expect(personsOf({ parties: seller })).toEqual({});
    expect(personsOf({ generator: 'CHECK24', parties: seller })?.invoice?.name).toBe('Kanari-Handel');
    const parties = party('delivery', '') + party('invoice_recipient', `<NAME>Ada Kanari</NAME>${place}`);
    expect(personsOf({ parties })?.delivery?.name).toBe('Ada Kanari');
  });
});

describe('openTRANS documents', () => {
  it('version 1.0 with other names for items, parties and currency is read', () => {
    const { orders, rejected } = read(`<ORDER_LIST><ORDER version="1.0" type="standard"><ORDER_HEADER><ORDER_INFO>
<ORDER_ID>O-1</ORDER_ID><ORDER_DATE>2026-11-20T10:00:00+01:00</ORDER_DATE><PRICE_CURRENCY>CHF</PRICE_CURRENCY>
<ORDER_PARTIES><BUYER_PARTY><PARTY><ADDRESS/></PARTY></BUYER_PARTY>
<INVOICE_PARTY><PARTY><ADDRESS><NAME/><NAME2>Emil</NAME2><NAME3>Kanari</NAME3>${place}<COUNTRY>DE</COUNTRY></ADDRESS></PARTY></INVOICE_PARTY>
<SHIPMENT_PARTIES><DELIVERY_PARTY><PARTY><ADDRESS><NAME>Ada Kanari</NAME>${place}<COUNTRY>CH</COUNTRY></ADDRESS></PARTY></DELIVERY_PARTY></SHIPMENT_PARTIES>
</ORDER_PARTIES><REMARK type="SHIPPING">4.9</REMARK></ORDER_INFO></ORDER_HEADER><ORDER_ITEM_LIST>
<ORDER_ITEM><LINE_ITEM_ID>1</LINE_ITEM_ID><ARTICLE_ID><SUPPLIER_AID>A</SUPPLIER_AID><DESCRIPTION_SHORT>Topf</DESCRIPTION_SHORT></ARTICLE_ID><QUANTITY>3</QUANTITY>
<ARTICLE_PRICE type="net_list"><PRICE_AMOUNT>10.00</PRICE_AMOUNT><TAX>0.19</TAX></ARTICLE_PRICE></ORDER_ITEM>
<ORDER_ITEM><LINE_ITEM_ID>2</LINE_ITEM_ID><ARTICLE_ID><SUPPLIER_AID>B</SUPPLIER_AID></ARTICLE_ID><QUANTITY>1</QUANTITY>
<ARTICLE_PRICE type="udp_gross_customer"><PRICE_AMOUNT>8.99</PRICE_AMOUNT><TAX>0.19</TAX></ARTICLE_PRICE></ORDER_ITEM></ORDER_ITEM_LIST></ORDER></ORDER_LIST>`);
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        currency: 'CHF',
        country: 'CH',
        lines: [
          { sku: 'A', title: 'Topf', ordered: 3, unit_cents: 1190, tax_rate: 1900, shipping_cents: 490 },
          { sku: 'B', ordered: 1, unit_cents: 899, tax_rate: 1900 },
        ],
        persons: { delivery: { name: 'Ada Kanari' }, invoice: { name: 'Emil Kanari' } },
      },
    ]);
  });

  it('a change that is no cancellation request is reported, not skipped', () => {
    const change = (remark: string) =>
      read(
        `<ORDERCHANGE><ORDERCHANGE_HEADER><ORDERCHANGE_INFO><ORDER_ID>O-1</ORDER_ID>${remark}</ORDERCHANGE_INFO></ORDERCHANGE_HEADER></ORDERCHANGE>`,
      );
    const back = change('<REMARKS type="action">returnrequest</REMARKS>');
    expect(back).toMatchObject({ orders: [], cancelRequests: [] });
    expect(back.rejected).toEqual([{ orderid: 'O-1', message: expect.stringContaining('„returnrequest“') }]);
    expect(change('').rejected).toHaveLength(1);
    const told = '<REMARKS type="action">Frau Kanari ruft an</REMARKS>';
    expect(change(told).rejected).toEqual([{ orderid: 'O-1', message: expect.stringContaining('(ORDERCHANGE)') }]);
    expect(change(`${told}<REMARKS type="action">returnrequest</REMARKS>`).rejected[0]?.message).toContain(
      '(ORDERCHANGE, „returnrequest“)',
    );
    const wish = '<REMARKS type="action">cancellationrequest</REMARKS>';
    expect(change(`${told}${wish}`)).toMatchObject({ cancelRequests: ['O-1'], rejected: [] });
    expect(change('<REMARKS type="action">CancellationRequest</REMARKS>').cancelRequests).toEqual(['O-1']);
  });

  it('GEN-01 a document of another kind is refused by its name', () => {
    expect(() => read('<DISPATCHNOTIFICATION version="2.1"/>')).toThrow('„DISPATCHNOTIFICATION“');
  });

  it('OIM-01 quantities may have a point or a comma; an invalid one is reported, not left out', () => {
    const price = (per: string) => read(order({ per })).orders[0]?.lines[0]?.unit_cents;
    for (const per of ['100', '100.0', '100,0']) expect(price(per)).toBe(10);
    expect(price('')).toBe(1000);
    const ordered = (quantity: string) => read(order({ quantity })).orders[0]?.lines[0]?.ordered;
    for (const quantity of ['2', '2.00', '2,0', '+2']) expect(ordered(quantity)).toBe(2);
    expect(ordered('1.000')).toBe(1);
    const fault = (parts: Parts) => read(order(parts)).rejected[0]?.message;
    for (const text of ['0', 'ab 100', '1e3', '1.234,5']) {
      expect(fault({ per: text })).toContain(`Position 1, Menge je Preis: „${text}“ ist keine Zahl über null`);
      expect(fault({ quantity: text })).toContain(`Position 1, Menge: „${text}“ ist keine Zahl über null`);
    }
    expect(fault({ per: '-100' })).toContain('„-100“ ist keine Zahl über null');
    expect(fault({ quantity: '' })).toBe('Position 1, Menge: Diese Angabe fehlt.');
    // Negative quantities are judged with the other lines.
    expect(fault({ quantity: '-2' })).toContain('Das ist eine Stornierung oder Gutschrift');
    expect(fault({ quantity: '-viele' })).toContain('„-viele“ ist keine Zahl über null');
  });

  it('OIM-01 a quantity like 1,000 is refused as ambiguous; a point is decimal, as the standard says', () => {
    for (const text of ['1,000', '12,500', '100,000']) {
      const message = `„${text}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`;
      expect(read(order({ quantity: text })).rejected).toEqual([
        { orderid: 'O-1', message: `Position 1, Menge: ${message}` },
      ]);
      expect(read(order({ per: text })).rejected[0]?.message).toBe(`Position 1, Menge je Preis: ${message}`);
    }
    expect(read(order({ quantity: '1.000', per: '10.000' })).orders[0]?.lines[0]).toMatchObject({
      ordered: 1,
      unit_cents: 100,
    });
  });

  it('OIM-01 a price with a comma is read, and an invalid one is reported, not left out', () => {
    expect(read(order({ price: '1.299,50' })).orders[0]?.lines[0]?.unit_cents).toBe(129_950);
    expect(read(order({ price: 'auf Anfrage' })).rejected).toEqual([
      { orderid: 'O-1', message: expect.stringContaining('„auf Anfrage“ ist kein Betrag') },
    ]);
  });
});
