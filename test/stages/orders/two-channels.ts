import type { Locator, Page } from 'playwright-core';
import type { TestKontor } from '../kontor.ts';
import { oddLine } from './file-channel-orders.ts';
import { orderChannel, takeOrders } from './order-samples.ts';

/** Creates a shop without orders, and another channel with one shipped order; returns the shop. */
export async function twoChannels(kontor: TestKontor): Promise<string> {
  const shop = await orderChannel(kontor, 'Mein Onlineshop');
  const other = await orderChannel(kontor, 'Marktplatz');
  await takeOrders(kontor, other, [{ orderid: 'M-1', lines: [{ sku: 'NK-9', shipped: 1 }] }]);
  return shop;
}

let count = 0;
/** Creates an order of three pieces for one test only; returns its number. */
export async function newOrder(
  kontor: TestKontor,
  channel: string,
  given: Partial<Parameters<typeof takeOrders>[2][number]> = {},
): Promise<string> {
  count += 1;
  const orderid = `T-${1000 + count}`;
  const order = { orderid, shipInHours: 5, lines: [{ sku: 'NK-1', ordered: 3, productid: oddLine }], ...given };
  await takeOrders(kontor, channel, [order]);
  return order.orderid;
}

export const rowOf = (page: Page, orderid: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: orderid, exact: true }) });
