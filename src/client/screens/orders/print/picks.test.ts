import { expect, it } from 'vitest';
import type { OrderRow } from '#shared/orders/schema.ts';
import { pages } from '#shared/pages.ts';
import { pickedOrders, picksOf } from './picks.ts';
import { notPrinted, printAddress, printedOrders } from './print-orders.ts';

const order = (orderid: string, lines: [sku: string, open: number, possible?: boolean][]) =>
  ({
    orderid,
    channel: 'k1',
    lines: lines.map(([sku, open, possible = true]) => ({ sku, title: sku, open, sent: { possible, reason: '' } })),
  }) as OrderRow;

it('a pick list sums the pieces of each article and names the orders they are for', () => {
  const orders = [
    order('1', [
      ['A-10', 2],
      ['A-9', 1],
    ]),
    order('2', [
      ['A-10', 3],
      ['B', 0],
    ]),
    order('3', [['A-10', 5, false]]),
  ];
  expect(picksOf(orders).map(({ sku, pieces, orders: of }) => [sku, pieces, of.map(({ orderid }) => orderid)])).toEqual(
    [
      ['A-9', 1, ['1']],
      ['A-10', 5, ['1', '2']],
    ],
  );
  expect(pickedOrders(orders).map(({ orderid }) => orderid)).toEqual(['1', '2']);
});

it('the address of a print page names its orders, whatever characters their numbers contain', () => {
  const orders = [
    { channel: 'k1', orderid: '3B1j+YP/WiQ==' },
    { channel: 'k2', orderid: '302 & 1' },
  ];
  const address = new URL(printAddress(pages.packingSlips, orders), 'http://x');
  expect(printedOrders(address.searchParams)).toEqual(orders);
  expect(printedOrders(new URLSearchParams('b=&b=k1/&b=/1&b=k1'))).toEqual([]);
});

it('beyond the limit of orders printed at once, the address holds the number of orders left out', () => {
  const orders = Array.from({ length: 250 }, (_, n) => ({ channel: 'k1', orderid: `302-${n}` }));
  const { searchParams } = new URL(printAddress(pages.pickList, orders), 'http://x');
  expect(printedOrders(searchParams)).toEqual(orders.slice(0, 200));
  expect(notPrinted(searchParams)).toBe(50);
  expect(notPrinted(new URLSearchParams(orders.map(({ orderid }) => ['b', `k1/${orderid}`])))).toBe(50);
  expect([notPrinted(new URLSearchParams('weitere=-1')), notPrinted(new URLSearchParams('b=k1/1'))]).toEqual([0, 0]);
});
