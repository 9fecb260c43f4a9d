import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

const read = (...rows: string[]) => readOrderFile(new TextEncoder().encode(`${rows.join('\r\n')}\r\n`));
const skus = ({ orders }: ReturnType<typeof read>) =>
  orders.map(({ orderid, lines }) => [orderid, ...lines.map(({ sku }) => sku)]);

describe('rows of orders in tables', () => {
  it('an article without a number is refused, not taken for what is true of its order', () => {
    const shopify = read(
      'Name;Created at;Lineitem name;Lineitem sku;Lineitem quantity;Lineitem price',
      '#1001;2026-11-20 10:00:00 +0100;Hemd ohne SKU;;1;20.00',
      '#1001;2026-11-20 10:00:00 +0100;Hose;H1;1;10.00',
    );
    expect(shopify.orders).toEqual([]);
    expect(shopify.rejected).toMatchObject([{ orderid: '#1001', message: expect.stringMatching(/^Position 1, /) }]);
  });

  it('nor at eBay, where its quantity is not that of the order', () => {
    const ebay = (title: string, quantity: string) =>
      read(
        'Verkaufsprotokollnummer;Bestellnummer;Artikelnummer;Angebotstitel;Bestandseinheit;Anzahl;Verkauft für;Verkauft am',
        `7;12-3;;${title};;${quantity};EUR 25,00;20-Nov-26`,
        '7;12-3;123456789012;Lampe;L-1;1;EUR 5,00;',
        '7;12-3;123456789013;Birne;B-1;2;EUR 10,00;',
      );
    for (const quantity of ['3', '']) expect(skus(ebay('', quantity))).toEqual([['12-3', 'L-1', 'B-1']]);
    for (const [title, quantity] of [
      ['Schirm', '3'],
      ['', '1'],
    ] as const)
      expect(ebay(title, quantity)).toMatchObject({ orders: [], rejected: [{ orderid: '12-3' }] });
  });
});
