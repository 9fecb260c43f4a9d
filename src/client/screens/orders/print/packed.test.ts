import { expect, it } from 'vitest';
import type { OrderLine } from '#shared/orders/schema.ts';
import { packed } from './packed.ts';

const line = (productid: string, open: number, waiting: number, shipped: number) =>
  ({ productid, sku: productid, title: '', open, ship_waiting: waiting, shipped }) as OrderLine;
const pieces = (...lines: OrderLine[]) => packed({ lines }).map((one) => [one.productid, one.pieces]);

it('OIM-02 a packing slip lists open pieces, else those waiting for the channel, else the shipped ones', () => {
  expect(pieces(line('1', 2, 0, 1), line('2', 0, 0, 3))).toEqual([['1', 2]]);
  // Reported as shipped before printing: the marketplace has not confirmed it yet.
  expect(pieces(line('1', 0, 2, 1), line('2', 0, 0, 3))).toEqual([['1', 2]]);
  expect(pieces(line('1', 0, 0, 3), line('2', 0, 0, 0))).toEqual([['1', 3]]);
  expect(pieces(line('1', 0, 0, 0))).toEqual([]);
});
