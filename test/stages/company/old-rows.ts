import { prune } from '#operations/pruning/prune.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

const DAY = 24 * 60 * 60 * 1000;
export const company = 'Firma1';
export const clock = { now: () => new Date('2027-06-01T03:30:00Z') };
export const ago = (days: number): Date => new Date(clock.now().getTime() - days * DAY);

/** Leaves the company one catalogue and one export, and no old rows. */
export const resetCompany = (database: Database): Promise<void> =>
  database.company(company, async (trx) => {
    for (const table of ['documents', 'export_files', 'snapshots', 'exports', 'masters', 'jobs', 'deliveries'])
      await pg`delete from ${pg.table(table)} where company = ${company}`.execute(trx);
    await pg`delete from notifications where company = ${company}`.execute(trx);
    await pg`insert into masters (company, id, name) values (${company}, 'M1', 'x')`.execute(trx);
    await pg`insert into exports (company, id, master, feed_token) values (${company}, 'E1', 'M1', 'T1')`.execute(trx);
  });

/** Does a night's deletion. */
export const pruneAll = (database: Database) => prune({ database, clock }, company, new AbortController().signal);

/** Returns a column of the rows that are left. */
export const columnOf = (database: Database, table: string, column: string): Promise<string[]> =>
  database.company(company, async (trx) => {
    const { rows } = await pg<{ value: string }>`select ${pg.ref(column)}::text as value from ${pg.table(table)}
      where company = ${company} order by 1`.execute(trx);
    return rows.map(({ value }) => value);
  });
