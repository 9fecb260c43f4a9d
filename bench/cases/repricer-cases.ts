import { pg } from '#platform/db/pg.ts';
import { decide } from '#repricer/decide/decide.ts';
import { takeOffers } from '#repricer/intake/offers.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import type { PricedItem } from '#repricer/model/priced-item.ts';
import type { Case, Side } from './measure.ts';
import { ITEMS, makeWorld, messages, offersOf, rule, type World } from './repricer-world.ts';

const DECISIONS = 200_000;
const GO = 500;
/** Queues of several accounts are received in parallel, so waiting for one costs no time. */
const ACCOUNTS = 2;

const item: PricedItem = {
  currency: 'EUR',
  fields: { min: '10,00', max: '1.299,00', std: '24.50' },
  own: { seller_ids: ['A0'], condition: 'new', fulfilment: 'merchant', shipping_cents: 0, current_price_cents: 1500 },
};
const snapshots = Array.from({ length: 500 }, (_, n) => offersOf(n));
const read = readRule(rule);

/**
 * Returns processor milliseconds of DECISIONS decisions, independent of other load. The first two rounds are for the compiler,
 * whose own threads count here and are still busy in the second.
 */
function decisions(): Promise<number> {
  let sum = 0;
  let ms = 0;
  for (const _round of ['warm', 'warm', 'measured']) {
    const begin = process.cpuUsage();
    for (let n = 0; n < DECISIONS; n++)
      sum += decide(read, item, snapshots[n % snapshots.length] ?? []).price_cents ?? 0;
    ms = process.cpuUsage(begin).user / 1000;
  }
  if (sum === 0) throw new Error('nothing was decided');
  return Promise.resolve(ms);
}

const pieces = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / GO) }, (_, n) => list.slice(n * GO, (n + 1) * GO));

/** Times work on a catalogue of its own, with the previous round of messages already stored and decided. */
const inWorld =
  (work: (world: World) => Promise<number>): Side =>
  async () => {
    const world = await makeWorld();
    await takeIn(world, 0);
    await decideAll(world);
    const ms = await work(world);
    await world.close();
    return ms;
  };

async function takeIn({ database, place: { company } }: World, round: number): Promise<number> {
  const all = pieces(messages(round));
  return besideEachOther(all, (some) => database.company(company, (trx) => takeOffers(trx, company, some, new Date())));
}

async function decideAll(world: World): Promise<number> {
  const begin = performance.now();
  while ((await repriceDue(world)) > 0);
  return performance.now() - begin;
}

/** Inserts texts of a given size, in batches, into a table whose only other column is a numeric key. */
async function written({ database }: World, texts: readonly string[]): Promise<number> {
  await database.script('create table bare (id bigint generated always as identity primary key, body text not null)');
  return besideEachOther(pieces(texts), (some) =>
    database.kysely
      .transaction()
      .execute((trx) => pg`insert into bare (body) select * from unnest(${some}::text[])`.execute(trx)),
  );
}

/** Returns the milliseconds until all batches are processed, as many at a time as there are accounts. */
async function besideEachOther<T>(all: readonly T[], work: (some: T) => Promise<unknown>): Promise<number> {
  const left = all.values();
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => {
      for (const some of left) await work(some);
    }),
  );
  return performance.now() - begin;
}

export const repricerCases = {
  repricing: {
    title: `${DECISIONS / 1000}k Preisentscheidungen, CPU`,
    goal: 0.5,
    baseline: '1 Sekunde (20 Angebote je Artikel)',
    ours: decisions,
    bare: () => Promise.resolve(1000),
    count: DECISIONS,
  },
  offersIn: {
    title: `${ITEMS} Angebotsmeldungen, ${ACCOUNTS} Konten`,
    goal: 15,
    // 10,000 a second.
    mostMs: ITEMS / 10,
    baseline: 'dieselben Bytes, nur eingefügt',
    ours: inWorld((world) => takeIn(world, 60)),
    bare: inWorld((world) =>
      written(
        world,
        messages(60).flatMap((one) => [JSON.stringify(one.offers)]),
      ),
    ),
    count: ITEMS,
  },
  decisionsOut: {
    title: `${ITEMS} Entscheidungen, festgehalten`,
    goal: 15,
    baseline: 'dieselben Bytes, nur eingefügt',
    ours: inWorld(async (world) => {
      await takeIn(world, 60);
      return decideAll(world);
    }),
    bare: inWorld(async (world) => {
      const { rows } = await world.database.system((trx) =>
        pg<{ body: string }>`select body from price_decisions limit ${ITEMS}`.execute(trx),
      );
      return written(
        world,
        rows.map(({ body }) => body),
      );
    }),
    count: ITEMS,
  },
} satisfies Record<string, Case>;
