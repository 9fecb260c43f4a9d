import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { deleteSubmissions } from '#repricer/archive/delete-submissions.ts';
import { extendHashChain, verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import { decidedWorld } from '../../stages/repricer/decided-world.ts';
import type { PriceWorld } from '../../stages/repricer/price-world.ts';

const DAY = 24 * 60 * 60;
const never = new AbortController().signal;
const copied = pg.raw(
  'company, master, marketplace, item, account, sku, decision, rule, limits_version, currency, from_cents, price_cents, min_cents, max_cents, reached_min, stock',
);

describe('outcomes of archived price submissions', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    world = await decidedWorld(2);
    await world.inside(async (trx) => {
      // The decided prices went live; one was refused a minute later, and one has been waiting for an answer ever since.
      await pg`update price_submissions set state = 'live', sent_at = created_at, ended_at = created_at, sends = 1,
        message = 'Übernommen'`.execute(trx);
      await pg`insert into price_decisions (company, master, marketplace, item, product_id, cause, rule, rule_revision, snapshot,
          limits_version, offers_at, min_cents, max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body,
          verdict, held, program, decided_at)
        select company, master, marketplace, item, product_id, cause, rule, rule_revision, snapshot, limits_version, offers_at, min_cents,
          max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program,
          decided_at + n * interval '1 minute'
        from (select * from price_decisions order by id limit 1) d, generate_series(1, 4) n`.execute(trx);
      const states = [
        ['invalid', true, false],
        ['live', true, false],
        ['held', false, false],
        ['accepted', true, true],
      ] as const;
      for (const [at, [state, sent, open]] of states.entries())
        await pg`insert into price_submissions (${copied}, id, state, created_at, sent_at, ended_at, issues)
          select s.company, s.master, s.marketplace, s.item, s.account, s.sku, d.id, s.rule, s.limits_version, s.currency, s.from_cents,
            s.price_cents, s.min_cents, s.max_cents, s.reached_min, s.stock, ${`S${at}`}, ${state}, d.decided_at,
            case when ${sent} then d.decided_at end, case when ${!open} then d.decided_at end,
            '[{"code":"X","message":"Zu hoch"}]'
          from (select * from price_decisions order by id desc offset ${3 - at}::int limit 1) d
            join (select * from price_submissions order by created_at limit 100) s on s.item = d.item and s.id !~ '^S.$' limit 1`.execute(
          trx,
        );
    });
    await extendHashChain(world.deps);
    await verifyHashChain(world.deps, world.company, never);
  });
  afterAll(() => world.close());

  const histories = async () => {
    const items = await world.inside((trx) =>
      trx.selectFrom('price_submissions').select('item').distinct().orderBy('item').execute(),
    );
    return Promise.all(items.map(({ item }) => decisionHistory(world.deps, world.place, item, { limit: 50 }, never)));
  };
  const ids = async () =>
    (
      await world.inside((trx) => trx.selectFrom('price_submissions').select(['id', 'state']).orderBy('id').execute())
    ).map(({ id, state }) => (/^S.$/.test(id) ? id : state));
  const forget = () => deleteSubmissions(world.deps, world.company, never);
  const archive = () =>
    archiveDecisions({ ...world.deps, keptDays: { decisions: 90 } }, world.company, never, { most: 1300, least: 1 });

  it('are stored in the archive file, so that the table rows can be deleted and the page shows the same', async () => {
    world.later(125 * DAY);
    const before = await histories();
    expect(before.flat().filter(({ sent }) => sent?.issues[0]?.message === 'Zu hoch').length).toBe(4);
    // Nothing is deleted that no archive file contains.
    expect(await forget()).toBe(0);
    expect(await archive()).toBeGreaterThan(0);
    const all = await ids();
    // The refused one, the first live one and the held one were followed by newer ones, or were never shown.
    expect(await forget()).toBe(3);
    expect((await ids()).length).toBe(all.length - 3);
    expect(await ids()).toEqual(expect.arrayContaining(['S1', 'S3']));
    expect(await histories()).toEqual(before);
    expect(await forget()).toBe(0);
  });

  it('a file of an older version without outcomes allows no row to be deleted', async () => {
    await world.database
      .script(`begin; set local kontor.company = '*'; alter table decision_archives disable trigger decision_archives_kept;
      update decision_archives set outcomes_at = null; alter table decision_archives enable trigger decision_archives_kept;
      update price_submissions set state = 'held', sent_at = null, ended_at = created_at where id = 'S1'; commit`);
    expect(await forget()).toBe(0);
  });
});
