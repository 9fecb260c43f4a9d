import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneSignIns } from '#operations/pruning/prune.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';
import { ago, resetCompany, clock, columnOf, company, pruneAll } from '../../stages/company/old-rows.ts';

describe('nightly deletion of accounts', () => {
  let database: Database;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-pruning-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => resetCompany(database));
  const pruned = () => pruneAll(database);
  const left = (table: string, column: string) => columnOf(database, table, column);

  it('private views of API tokens are deleted with their token, shared ones and those of users stay', async () => {
    await database.company(company, async (trx) => {
      const token = { name: 'x', role: 'viewer', maker: null, maker_name: 'x', permissions: null };
      await trx
        .insertInto('api_tokens')
        .values({ ...token, company, id: 'There', hash: 'there', expires_at: ago(-1) })
        .execute();
      for (const [id, owner, shared] of [
        ['gone', 'token:Gone', false],
        ['shared', 'token:Gone', true],
        ['there', 'token:There', false],
        ['person', 'Gone', false],
      ] as const) {
        const view = { company, place: 'orders', scope: '', id, owner, shared, name: id, query: '', fields: '[]' };
        const who = { owner_name: 'x', changed_by: 'x', created_at: ago(1), changed_at: ago(1) };
        await trx
          .insertInto('saved_views')
          .values({ ...view, ...who })
          .execute();
      }
      for (const person of ['token:Gone', 'token:There', 'Frieda'])
        await trx
          .insertInto('saved_view_defaults')
          .values({ company, place: 'orders', scope: '', person, view: 'shared' })
          .execute();
    });
    await pruned();
    expect(await left('saved_views', 'id')).toEqual(['person', 'shared', 'there']);
    expect(await left('saved_view_defaults', 'person')).toEqual(['Frieda', 'token:There']);
    await database.company(company, (trx) => trx.deleteFrom('api_tokens').where('id', '=', 'There').execute());
  });

  it("M7 API tokens are deleted 30 days after their end, the installation's own never", async () => {
    await database.company(company, async (trx) => {
      for (const [id, end] of [
        ['over', ago(31)],
        ['ended', ago(29)],
        ['holds', ago(-100)],
        ['own', null],
      ] as const)
        await pg`insert into api_tokens (company, id, name, role, hash, expires_at)
          values (${company}, ${id}, ${id}, 'viewer', ${id}, ${end})`.execute(trx);
    });
    await pruned();
    expect(await left('api_tokens', 'id')).toEqual(['ended', 'holds', 'own']);
  });

  it('expired sign-in attempts and old feed addresses are deleted', async () => {
    await database.kysely
      .insertInto('sign_in_tries')
      .values([
        { key: 'over', failures: 1, forget_at: ago(1) },
        { key: 'counts', failures: 1, forget_at: ago(-1) },
      ])
      .execute();
    await database.company(company, async (trx) => {
      await pg`insert into old_feed_addresses (company, token, export, until)
        values (${company}, 'Dead', 'E1', ${ago(1)}), (${company}, 'Alive', 'E1', ${ago(-1)})`.execute(trx);
    });
    await pruneSignIns({ database, clock });
    await pruned();
    const tries = await database.kysely.selectFrom('sign_in_tries').select('key').execute();
    expect(tries).toEqual([{ key: 'counts' }]);
    expect(await left('old_feed_addresses', 'token')).toEqual(['Alive']);
  });

  it('unaccepted invitations are deleted 30 days after their end', async () => {
    await database.accounts(company, async (trx) => {
      await pg`insert into organization (id, name, slug, "createdAt") values (${company}, 'Firma', 'firma', ${ago(100)})`.execute(
        trx,
      );
      for (const [id, end] of [
        ['forgotten', ago(31)],
        ['over', ago(29)],
        ['holds', ago(-1)],
      ] as const)
        await pg`insert into invitations (id, organization_id, email, role, hash, invited_by, created_at, expires_at)
          values (${id}, ${company}, ${id}, 'viewer', ${id}, 'x', ${ago(200)}, ${end})`.execute(trx);
    });
    await pruneSignIns({ database, clock });
    const left = await database.kysely.selectFrom('invitations').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['holds', 'over']);
  });
});
