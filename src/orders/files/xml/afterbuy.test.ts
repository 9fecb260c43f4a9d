import { describe, expect, it } from 'vitest';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));
const tag = (name: string, text: string) => `<${name}>${text}</${name}>`;

const address = (city: string, mail = '') =>
  `<FirstName><![CDATA[Ada]]></FirstName><LastName>Kanari</LastName><Company>Vogel &amp; Co</Company><Street>Käfigweg 1</Street>
<Street2>Hinterhaus</Street2><PostalCode>80636</PostalCode><City>${city}</City><Country>D</Country><CountryISO>DE</CountryISO>${mail}`;
type Item = { id: string; price?: string; quantity?: string; product?: string; more?: string };
const item = ({ id, price = '112,30', quantity = '1', product = '<Anr>77</Anr>', more = '' }: Item) =>
  tag(
    'SoldItem',
    `<ItemID>${id}</ItemID><Anr>12345678</Anr><ItemTitle><![CDATA[Vase <groß>]]></ItemTitle><ItemQuantity>${quantity}</ItemQuantity>
<ItemPrice>${price}</ItemPrice><TaxRate>19,00</TaxRate>${more}${product && tag('ShopProductDetails', product)}`,
  );
type Order = { items?: string; shipping?: string; delivered?: string; receiver?: string };
const order = ({ items = item({ id: '1' }), shipping = '4,90', delivered = '', receiver = 'Wien' }: Order = {}) =>
  `<?xml version="1.0" encoding="utf-8"?><Afterbuy><CallStatus>Success</CallStatus><Result><Orders><Order><InvoiceNumber>10075</InvoiceNumber>
<OrderID>43151135</OrderID><OrderDate>11.09.2026 12:22:07</OrderDate><BuyerInfo>${tag('BillingAddress', address('Berlin', '<Mail>kanari@beispiel.invalid</Mail>'))}
${receiver && tag('ShippingAddress', address(receiver))}</BuyerInfo><SoldItems>${items}<ItemsInOrder>1</ItemsInOrder></SoldItems>
<ShippingInfo><ShippingTotalCost>${shipping}</ShippingTotalCost><DeliveryDate>${delivered}</DeliveryDate></ShippingInfo>
<OrderOriginalCurrency><ShippingAmount>5,50</ShippingAmount></OrderOriginalCurrency></Order></Orders></Result></Afterbuy>`;

describe('sold items of Afterbuy', () => {
  it('an order without items beside others is rejected by its number', () => {
    const bare = tag('Order', '<OrderID>7</OrderID><OrderDate>11.09.2026 12:22:07</OrderDate>');
    const { orders, rejected } = read(order().replace('</Orders>', `${bare}</Orders>`));
    expect([orders.map(({ orderid }) => orderid), rejected.map(({ orderid }) => orderid)]).toEqual([
      ['43151135'],
      ['7'],
    ]);
  });

  it('OIM-01 pieces, German amounts, shipping and both addresses are read', () => {
    const items = item({ id: '1', price: '1.112,30', quantity: '3' }) + item({ id: '2', product: '' });
    const { orders, rejected } = read(order({ items }));
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: '43151135',
        placed_at: '2026-09-11T10:22:07.000Z',
        country: 'DE',
        currency: 'EUR',
        lines: [
          {
            productid: '1',
            sku: '77',
            title: 'Vase <groß>',
            ordered: 3,
            unit_cents: 111_230,
            tax_rate: 1900,
            shipping_cents: 490,
            shipped: 0,
          },
          { productid: '2', sku: '12345678', shipping_cents: 0 },
        ],
        persons: {
          delivery: {
            name: 'Ada Kanari',
            company: 'Vogel & Co',
            lines: ['Käfigweg 1', 'Hinterhaus'],
            city: 'Wien',
            email: 'kanari@beispiel.invalid',
          },
          invoice: { city: 'Berlin' },
        },
      },
    ]);
  });

  it('OIM-01 what was sent is sent; without an address of its own the parcel goes to the payer', () => {
    expect(read(order({ delivered: '14.09.2026' })).orders[0]?.lines).toMatchObject([{ ordered: 1, shipped: 1 }]);
    expect(read(order({ receiver: '' })).orders[0]?.persons).toMatchObject({ delivery: { city: 'Berlin' } });
  });

  it('what was paid in another currency is read in that; several of them, and what is no amount, are refused', () => {
    const francs =
      '<ItemOriginalCurrency><ItemPrice>120,00</ItemPrice><ItemPriceCode>CHF</ItemPriceCode></ItemOriginalCurrency>';
    expect(read(order({ items: item({ id: '1', more: francs }) })).orders).toMatchObject([
      { currency: 'CHF', lines: [{ unit_cents: 12_000, shipping_cents: 550 }] },
    ]);
    const reasons = (text: string) => read(text).rejected.map(({ message }) => message);
    expect(reasons(order({ items: item({ id: '1', more: francs }) + item({ id: '2' }) }))[0]).toContain('Währungen');
    expect(reasons(order({ items: item({ id: '1', price: 'frei' }) }))[0]).toMatch(/^Position 1, Preis: „frei“/);
    expect(reasons(order({ shipping: 'frei' }))[0]).toMatch(/^Versandkosten: „frei“/);
  });

  it('other answers of Afterbuy are no orders', () => {
    expect(() => read('<Afterbuy><CallStatus>Success</CallStatus><Result><Products/></Result></Afterbuy>')).toThrow(
      'GetSoldItems',
    );
  });
});
