import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));
const shop5 = (...rows: string[]) =>
  read(
    `orderId;number;invoiceAmount;invoiceAmountNet;invoiceShipping;invoiceShippingNet;orderTime;net;taxFree;currency;orderDetailId;taxRate;articleNumber;price;quantity\n${rows.join('\n')}\n`,
  );
const totals = ({ orders }: ReturnType<typeof read>) =>
  orders.map(({ lines }) =>
    lines.reduce(
      (sum, { unit_cents: unit, ordered, discount_cents: discount, shipping_cents: shipping }) =>
        sum + (unit ?? 0) * ordered - discount + shipping,
      0,
    ),
  );

describe('orders whose amounts are net', () => {
  it('Shopware 5: net 1 means prices without tax, and shipping with it; the order costs what the shop says', () => {
    const file = shop5(
      '15;20001;998.56;839.13;0;0;2026-08-30 10:15:54;1;0;EUR;42;19;SW10196;836.134;1',
      '15;20001;998.56;839.13;0;0;2026-08-30 10:15:54;1;0;EUR;43;19;SHIPPINGDISCOUNT;-2;1',
      '15;20001;998.56;839.13;0;0;2026-08-30 10:15:54;1;0;EUR;44;19;sw-payment-absolute;5;1',
      '16;20002;250.58;210.57;5.9;4.96;2026-08-30 11:15:54;1;0;EUR;45;19;A;33.6134;5',
      '16;20002;250.58;210.57;5.9;4.96;2026-08-30 11:15:54;1;0;EUR;46;7;B;20.85;2',
    );
    expect(file.rejected).toEqual([]);
    expect(totals(file)).toEqual([99_856, 25_052]);
    expect(file.orders[0]?.lines).toMatchObject([
      { sku: 'SW10196', tax_rate: 1900 },
      { sku: 'sw-payment-absolute', unit_cents: 595 },
    ]);
    expect(file.orders[1]?.lines[0]).toMatchObject({ unit_cents: 4000, ordered: 5, shipping_cents: 590 });
  });

  it('Shopware 5: other orders are gross, and those without tax have none', () => {
    const file = shop5(
      '57;20002;54.99;46.21;0;0;2026-08-31 08:51:46;0;0;EUR;1;19;A;24.995;2',
      '57;20002;54.99;46.21;0;0;2026-08-31 08:51:46;0;0;EUR;2;19;B;5;1',
      '58;20003;100;100;10;10;2026-08-31 08:51:46;1;1;EUR;3;19;C;45;2',
    );
    expect(totals(file)).toEqual([5499, 10_000]);
    expect(file.orders.map(({ lines }) => lines[0]?.tax_rate)).toEqual([1900, 0]);
  });

  it('Shopware 6: the state of the tax says it, of shipping too', () => {
    const file = (state: string) =>
      read(
        `orderNumber;orderDateTime;taxStatus;shipping;sku;quantity;unit_price;tax_rate\n10001;2026-11-20 10:00:00;${state};5.00;A;3;10.00;19\n10001;2026-11-20 10:00:00;${state};5.00;B;1;100.00;7\n`,
      );
    expect(['net', 'gross', 'tax-free', ''].map((state) => totals(file(state)))).toEqual([
      [3570 + 10_700 + 595],
      [13_500],
      [13_500],
      [13_500],
    ]);
    expect(file('net').orders[0]?.lines[0]).toMatchObject({ unit_cents: 1190, tax_rate: 1900 });
    expect(file('tax-free').orders[0]?.lines[0]).toMatchObject({ tax_rate: 0 });
  });

  it('a net price whose tax nobody names is refused, not taken for gross', () => {
    const file = shop5('15;20001;10;10;0;0;2026-08-30 10:15:54;1;0;EUR;42;;A;10;1');
    expect(file.orders).toEqual([]);
    expect(file.rejected).toMatchObject([{ orderid: '20001', message: expect.stringContaining('netto') }]);
  });

  it('a column that is called net elsewhere is an amount', () => {
    const file = read('order_id;date;sku;quantity;price;net\n1;2026-11-20;A;1;1.19;1\n');
    expect(totals(file)).toEqual([119]);
  });
});
