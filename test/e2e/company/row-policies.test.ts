import { describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

describe('row policies of the database', () => {
  it('the database itself shows a company only its own rows, and none without a company', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-rls-'));
    const filled = await openTestDatabase(folder, await testDatabaseUrl());
    await filled.company(
      'a',
      async (trx) => void (await pg`insert into masters (company, id, name) values ('a', 'm1', 'x')`.execute(trx)),
    );
    const count = async (company: string) =>
      filled.company(
        company,
        async (trx) => (await pg<{ n: number }>`select count(*) as n from masters`.execute(trx)).rows[0]?.n,
      );
    expect(await count('a')).toBe(1);
    expect(await count('b')).toBe(0);
    expect(await count('')).toBe(0);
    await expect(
      filled.company('b', (trx) => pg`insert into masters (company, id, name) values ('a', 'm2', 'x')`.execute(trx)),
    ).rejects.toThrow(/row-level security/);
    await filled.close();
  });

  it('T12 a statement that waits while its transaction is rolled back is refused, not run on its own', async () => {
    const database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-late-')), await testDatabaseUrl());
    const waiting: Promise<unknown>[] = [];
    const failing = database.company('a', async (trx) => {
      const first = pg`select 1 / 0`.execute(trx);
      // A table of all companies: in any other, row-level security refuses a row without a company.
      for (const name of ['m1', 'm2', 'm3'])
        waiting.push(trx.insertInto('leases').values({ name, holder: 'x', until: new Date() }).execute());
      await Promise.all([first, ...waiting]);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await database.kysely.selectFrom('leases').select('name').execute()).toEqual([]);
    await database.close();
  });
});
