import { expect, test } from 'vitest';
import { processorMs } from '../../../test/stages/processor-time.ts';
import { readOrderFile } from './order-file.ts';

/** Processor time that a file of this kind may take; without the limits these take ten seconds and more. */
const MOST_MS = 5000;

/** Reads a file, or returns why it is refused, and the processor time that took. */
async function read(text: string): Promise<{ message: string | undefined; ms: number }> {
  let message: string | undefined;
  const ms = await processorMs(() => {
    try {
      message = readOrderFile(new TextEncoder().encode(text)).rejected[0]?.message;
    } catch (error) {
      message = String(error);
    }
  });
  return { message, ms };
}
const many = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index));

test('T9 an order of a hundred thousand lines, half of them taken back, is refused at once', async () => {
  const lineItems = many(100_000, (n) => ({ sku: `A-${n}`, quantity: n % 2 === 0 ? 1 : -1, price: '1.00' }));
  const { message, ms } = await read(
    JSON.stringify({ idealoOrderId: 'A1B2C3D4', created: '2026-11-20T10:00:00Z', lineItems }),
  );
  expect(message).toMatch(/^Positionen: /);
  expect(ms).toBeLessThan(MOST_MS);
});

test('T9 a header with the same title thousands of times is refused at once', async () => {
  const row = many(14_000, () => 'number').join(';');
  const { message, ms } = await read(many(12, () => row).join('\n'));
  expect(message).toMatch(/In der Kopfzeile fehlt/);
  expect(ms).toBeLessThan(MOST_MS);
});

test('T9 an order of Kaufland with thousands of members and of units takes neither long nor all memory', async () => {
  const members = Object.fromEntries(many(4000, (n) => [`m${n}`, 1]));
  const units = many(4000, (n) => ({ id_order_unit: n, status: 'open' }));
  const { message, ms } = await read(JSON.stringify({ id_order: 'MBTFYNJ', ...members, order_units: units }));
  expect(message).toMatch(/^Bestelldatum: /);
  expect(ms).toBeLessThan(MOST_MS);
});

test.each([
  ['Afterbuy', 'Order', 'SoldItem', '<ItemID>1</ItemID><ItemPrice>1,00</ItemPrice><ItemQuantity>1</ItemQuantity>'],
  ['OPENTRANS', 'ORDERCHANGE', 'REMARKS', ''],
])('T9 a file of %s with orders in orders is refused at once', async (root, order, item, content) => {
  const items = `<SoldItems>${`<${item}>${content}</${item}>`.repeat(100_000)}</SoldItems>`;
  const { message, ms } = await read(
    `<${root}>${`<${order}>`.repeat(30)}${items}${`</${order}>`.repeat(30)}</${root}>`,
  );
  expect(message).toContain(`Element „${order}“ in einem anderen`);
  expect(ms).toBeLessThan(MOST_MS);
});
