import { expect } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { extendHashChain, verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import { decidedWorld } from './decided-world.ts';
import type { PriceWorld } from './price-world.ts';

export const ITEMS = 30;
/** Number of seals, and of copies of every item's decision in each. */
export const SEALS = 4;
export const COPIES = 20;
export const DAY = 24 * 60 * 60;
export const never = new AbortController().signal;
const columns = pg.raw(
  'company, master, marketplace, item, product_id, cause, rule, rule_revision, snapshot, limits_version, offers_at, min_cents, max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program',
);

/** Creates a catalogue with sealed decisions of 125 days ago, between which its rule was saved, and one decision of today. */
export async function sealedWorld(): Promise<PriceWorld> {
  const world = await decidedWorld(ITEMS);
  for (let seal = 0; seal < SEALS; seal++) {
    // The most hostile texts and times that the database can store.
    await world.inside((trx) =>
      pg`insert into price_decisions (${columns}, decided_at)
        select ${columns}, decided_at + n * interval '1 minute 123 microseconds' + ${seal}::int * interval '2 days' from (select * from price_decisions
          where company = ${world.company} order by id limit ${ITEMS}) d, generate_series(1, ${COPIES}::int) n order by n, item`.execute(
        trx,
      ),
    );
    await world.inside((trx) =>
      pg`insert into price_decisions (${columns}, decided_at)
        select company, master, marketplace, item, product_id,
          ${'ä"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028😀'}, rule, rule_revision, snapshot, limits_version, offers_at, min_cents, max_cents,
          standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program, '2026-01-02 03:04:05.000001Z'
        from price_decisions where company = ${world.company} and item = 'A-1' order by id limit 1`.execute(trx),
    );
    expect(await extendHashChain(world.deps)).toBe(1);
  }
  await verifyHashChain(world.deps, world.company, never);
  // The rule was saved between the second and the third seal.
  const savedAt = new Date(world.clock.now().getTime() + 3 * DAY * 1000);
  await world.inside((trx) =>
    trx.updateTable('documents').set({ created_at: savedAt }).where('subject', '=', 'repricer').execute(),
  );
  world.later(125 * DAY);
  // A new decision of A-2 alone stays in the database.
  await world.undercut(2, 13);
  await extendHashChain(world.deps);
  return world;
}

export const historyOf = (world: PriceWorld, item: string, page: { before?: number | undefined; limit: number }) =>
  decisionHistory(world.deps, world.place, item, page, never);
/** Returns all decisions of every item, by paging. */
export async function allPages(world: PriceWorld): Promise<Map<string, PriceDecision[]>> {
  const all = new Map<string, PriceDecision[]>();
  for (let n = 0; n < ITEMS; n++) {
    const list: PriceDecision[] = [];
    for (let last: number | undefined; ;) {
      const page = await historyOf(world, `A-${n}`, { before: last, limit: 40 });
      list.push(...page);
      last = page.at(-1)?.id;
      if (page.length < 40) break;
    }
    all.set(`A-${n}`, list);
  }
  return all;
}

/** Archives decisions older than 90 days, in files so small that there are several. */
export const archiveOld = (world: PriceWorld, more: object = {}) =>
  archiveDecisions({ ...world.deps, keptDays: { decisions: 90 }, ...more }, world.company, never, {
    most: 1300,
    least: 1,
  });
export const archiveRows = (world: PriceWorld) =>
  world.inside((trx) => trx.selectFrom('decision_archives').selectAll().orderBy('from_seal').execute());
export const archiveFiles = async (world: PriceWorld) =>
  (await world.storagePaths.store.list(world.storagePaths.decisionArchives(world.company))).map(({ path }) => path);
export const countDecisions = async (world: PriceWorld) =>
  (
    await world.inside((trx) =>
      trx
        .selectFrom('price_decisions')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    )
  ).n;
/** Changes that only the database's administrator could make. */
export const tamper = (world: PriceWorld, change: string) =>
  world.database
    .script(`begin; set local kontor.company = '*'; alter table price_decisions disable trigger price_decisions_kept;
      ${change}; alter table price_decisions enable trigger price_decisions_kept; commit`);
