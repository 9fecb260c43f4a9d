import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeItems, computeOffers } from '#orders/stock/compute.ts';
import { availableOf, bufferOf, MOST_PIECES, offeredOf } from '#orders/stock/numbers.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const company = 'firma';
const place = { company, master: 'm' };
const told = new Date('2026-11-20T06:00:00Z');
const HOUR = 3_600_000;

/** Mostly small numbers as articles have them, sometimes as many as a column can hold. */
const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }) },
  fc.integer({ min: 0, max: MOST_PIECES }),
);
const percent = fc.integer({ min: 0, max: 100 });
const settings = fc.record({
  field: fc.constant('bestand'),
  contains_open_orders: fc.boolean(),
  buffer_pieces: fc.oneof(fc.constant(0), pieces),
  buffer_percent: fc.oneof(fc.constant(0), percent),
  channels: fc
    .array(fc.record({ active: fc.boolean(), floor: pieces, cap: fc.option(pieces), share: percent }), { maxLength: 3 })
    .map((terms) => terms.map((term, index) => ({ id: `c${index}`, ...term }))),
});
const line = fc
  .record({
    ordered: fc.integer({ min: 1, max: 20 }),
    shipped: fc.nat(20),
    cancelled: fc.nat(20),
    /** Whether order and parcel are later than the source's stock. */
    placedAfter: fc.boolean(),
    shippedAfter: fc.boolean(),
    ownStore: fc.boolean(),
  })
  .map((one) => {
    const shipped = Math.min(one.shipped, one.ordered);
    return { ...one, shipped, cancelled: Math.min(one.cancelled, one.ordered - shipped) };
  });
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;
const articles = fc.array(fc.record({ onHand: pieces, lines: fc.array(line, { maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 6,
});

/** Pieces of a line to deduct from the source's number, computed in another way than the statement does. */
function takes(
  { ordered, shipped, cancelled, placedAfter, shippedAfter, ownStore }: Line,
  containsOpenOrders: boolean,
) {
  if (!ownStore || (containsOpenOrders && !placedAfter)) return 0;
  return ordered - shipped - cancelled + (shippedAfter ? shipped : 0);
}

describe('the stock of all items in one SQL statement', () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-numbers-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Inserts articles with orders of one line each. */
  const fill = async (trx: Trx, given: readonly { onHand: number; lines: readonly Line[] }[]) => {
    const tables = ['shipment_lines', 'shipments', 'order_lines', 'orders', 'stock_offers', 'stock_items'] as const;
    for (const table of tables) await trx.deleteFrom(table).where('company', '=', company).execute();
    for (const [index, { onHand, lines }] of given.entries()) {
      const item = `A-${index}`;
      await trx
        .insertInto('stock_items')
        .values({ ...place, item, on_hand: onHand, source: 'ok' })
        .execute();
      for (const [at, one] of lines.entries()) await addLine(trx, { item, order: `${index}-${at}`, one });
    }
  };
  const addLine = async (trx: Trx, { item, order, one }: { item: string; order: string; one: Line }) => {
    const ref = { company, channel: 'c0', order_id: order };
    const at = (after: boolean) => new Date(told.getTime() + (after ? HOUR : -HOUR));
    await trx
      .insertInto('orders')
      .values({
        ...ref,
        channel_name: 'Kanal',
        source: 'call',
        state: 'open',
        open_pieces: one.ordered - one.shipped - one.cancelled,
        day: '2026-11-20',
        placed_at: at(one.placedAfter),
        changed_at: at(one.placedAfter),
        seen_at: at(one.placedAfter),
        currency: 'EUR',
        fulfilled_by: one.ownStore ? 'merchant' : 'marketplace',
      })
      .execute();
    await trx
      .insertInto('order_lines')
      .values({
        ...ref,
        line_id: '1',
        placed_at: at(one.placedAfter),
        position: 1,
        sku: item,
        title: item,
        master: 'm',
        item,
        ordered: one.ordered,
        shipped: one.shipped,
        cancelled: one.cancelled,
      })
      .execute();
    if (one.shipped === 0) return;
    const shipment = `s${order}`;
    await trx
      .insertInto('shipments')
      .values({
        ...ref,
        id: shipment,
        shipped_at: at(one.shippedAfter),
        source: 'us',
        carrier: 'DHL',
        reference: '1',
        tracking: '1',
        state: 'shipped',
      })
      .execute();
    await trx.insertInto('shipment_lines').values({ company, shipment, line_id: '1', quantity: one.shipped }).execute();
  };

  it('equals the result of the functions for one item', async () => {
    await fc.assert(
      fc.asyncProperty(articles, settings, async (given, drawn) => {
        const chosen = StockSettings.parse(drawn);
        const found = await database.company(company, async (trx) => {
          await fill(trx, given);
          const basis = { ...place, settings: chosen, sourceAt: told };
          await computeItems(trx, basis);
          await computeOffers(trx, basis, told);
          const items = await trx
            .selectFrom('stock_items')
            .select(['reserved', 'buffer', 'available'])
            .where('company', '=', company)
            .orderBy('item')
            .execute();
          const offers = await trx
            .selectFrom('stock_offers')
            .select(['item', 'channel', 'offered'])
            .where('company', '=', company)
            .orderBy('item')
            .orderBy('channel')
            .execute();
          return { items, offers };
        });
        const expected = given.map(({ onHand, lines }) => {
          const reserved = lines.reduce((sum, one) => sum + takes(one, chosen.contains_open_orders), 0);
          return { reserved, buffer: bufferOf(onHand, chosen), available: availableOf({ onHand, reserved }, chosen) };
        });
        expect(found.items).toEqual(expected);
        expect(found.offers).toEqual(
          expected.flatMap(({ available }, index) =>
            chosen.channels
              .filter(({ active }) => active)
              .map(({ id, ...terms }) => ({ item: `A-${index}`, channel: id, offered: offeredOf(available, terms) })),
          ),
        );
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
