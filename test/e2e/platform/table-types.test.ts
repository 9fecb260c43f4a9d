import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyFound, anyOf, pg, secondsFromNow } from '#platform/db/pg.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import type { Database } from '#platform/db/database.ts';
import { dataTables } from '#company/company-data.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const company = 'firma';
const minute = new Date('2026-03-01T10:00:00.000Z');
const article = { company, master: 'm', marketplace: 'DE', condition: 'new' };

/** Compares the types in scripts/database-types.ts with the driver of this test run. */
describe('table types', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-types-')), await testDatabaseUrl());
  });
  afterAll(() => database.close());

  it('text, int, bigint, boolean, date and timestamp are read and written as the types say', async () => {
    await database.company(company, async (trx) => {
      const note = await trx
        .insertInto('notes')
        .values({ company, day: '2026-03-01', note: 'Notiz', author: 'Eva', created_at: minute })
        .returningAll()
        .executeTakeFirstOrThrow();
      expect(note).toEqual({
        company,
        id: expect.any(Number),
        day: '2026-03-01',
        note: 'Notiz',
        author: 'Eva',
        created_at: minute,
      });
      const state = { company, master: 'm', active: true, dry_run: false, stopped: false, author: 'Eva' };
      await trx
        .insertInto('repricer_states')
        .values({ ...state, changed_at: minute.toISOString() })
        .execute();
      const kept = await trx.selectFrom('repricer_states').selectAll().executeTakeFirstOrThrow();
      expect(kept).toEqual({ ...state, changed_at: minute, limits_confirmed: '', limits_review: '' });
    });
  });

  it('company deletion covers every table with a company column, except tokens, security log and deletion records', async () => {
    const { rows } = await pg<{
      name: string;
    }>`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'company' order by c.relname`.execute(
      database.kysely,
    );
    const records = ['company_deletions', 'deletion_records'];
    const kept = [
      'api_tokens',
      'security_anchors',
      'security_events',
      'security_log_heads',
      'security_checkpoints',
      ...records,
    ];
    expect([...dataTables, ...kept].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it('jsonb is written as text and read as a value', async () => {
    await database.company(company, async (trx) => {
      const row = { ...article, product_id: 'B1', minute, sellers: '{"S":[100,1]}' };
      await trx.insertInto('offer_minutes').values(row).execute();
      const found = await trx
        .selectFrom('offer_minutes')
        .select(['minute', 'sellers'])
        .where('minute', '=', anyOf([minute]))
        .execute();
      expect(found).toEqual([{ minute, sellers: { S: [100, 1] } }]);
    });
  });

  it('lists are bound as one parameter, also an empty one; rows as one parameter with every type in it', async () => {
    await database.company(company, async (trx) => {
      const rows = ['A', 'B "\\ \u00e4', 'C'].map((kind, n) => ({
        company,
        master: 'm',
        marketplace: 'DE',
        day: '2026-03-01',
        kind,
        n: n * 5_000_000_000,
      }));
      const written = await insertRows(trx, 'repricer_counters', rows).returningAll().execute();
      expect(written).toEqual(rows);
      const found = trx.selectFrom('repricer_counters').select('kind');
      expect(await found.where('kind', '=', anyOf(['A', 'C', 'D'])).execute()).toHaveLength(2);
      expect(await found.where('n', '=', anyOf([5_000_000_000])).execute()).toHaveLength(1);
      expect(await found.where('kind', '=', anyOf([])).execute()).toEqual([]);
      expect(await found.where('kind', '=', anyFound(found.where('n', '>', 0))).execute()).toHaveLength(2);
    });
  });

  it('timestamps come from the clock of the database', async () => {
    await database.company(company, async (trx) => {
      const { now } = await trx
        .selectNoFrom((eb) => eb.between(eb.fn<Date>('now'), secondsFromNow(-60), secondsFromNow(60)).as('now'))
        .executeTakeFirstOrThrow();
      expect(now).toBe(true);
    });
  });
});
