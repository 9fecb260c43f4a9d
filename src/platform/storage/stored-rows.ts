import type { Database, Trx } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { anyOf, pg } from '#platform/db/pg.ts';

/** Where a file lies in the bucket, and what its bytes are. */
export type StoredRow = {
  readonly path: string;
  readonly object: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: Date;
};
export type NewRow = Omit<StoredRow, 'createdAt'>;

const columns = ['path', 'object', 'bytes', 'sha256', 'created_at as createdAt'] as const;

const ROWS_TOGETHER = 1000;

/** Paths begin with the company: `<company>/<catalogue or export>/…`. */
export const companyOf = (path: string): string => path.split('/')[0] ?? '';

/** Those of them that are kept, of whichever companies. */
export async function findRows(database: Database, paths: readonly string[]): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const [company, own] of Map.groupBy(new Set(paths), companyOf))
    found.push(...(await database.company(company, (trx) => rowsOf(trx, company, own))));
  return found;
}

/** Those of one company, inside a transaction. */
export const rowsOf = (trx: Trx, company: string, paths: readonly string[]): Promise<StoredRow[]> =>
  trx
    .selectFrom('stored_files')
    .select(columns)
    .where('company', '=', company)
    .where('path', '=', anyOf(paths))
    .execute();

/** What is kept below a folder of a company, or of it all. */
export const rowsBelow = (database: Database, folder: string): Promise<StoredRow[]> =>
  database.company(companyOf(folder), (trx) =>
    trx
      .selectFrom('stored_files')
      .select(columns)
      .where('company', '=', companyOf(folder))
      .where(pg<boolean>`starts_with(path, ${`${folder}/`})`)
      .orderBy('path')
      .execute(),
  );

/** From now on the paths lead to these objects. */
export async function putRows(trx: Trx, rows: readonly NewRow[]): Promise<void> {
  for (const { path, object, bytes, sha256 } of rows)
    await trx
      .insertInto('stored_files')
      .values({ company: companyOf(path), path, object, bytes, sha256 })
      .onConflict((conflict) =>
        conflict
          .columns(['company', 'path'])
          .doUpdateSet((eb) => ({ object, bytes, sha256, created_at: eb.fn<Date>('now') })),
      )
      .execute();
}

/** Gives those that there were. */
export async function removeRows(database: Database, paths: readonly string[]): Promise<StoredRow[]> {
  const removed: StoredRow[] = [];
  for (const [company, own] of Map.groupBy(new Set(paths), companyOf))
    removed.push(
      ...(await database.company(company, (trx) =>
        trx
          .deleteFrom('stored_files')
          .where('company', '=', company)
          .where('path', '=', anyOf(own))
          .returning(columns)
          .execute(),
      )),
    );
  return removed;
}

/** These are all that there are, of all companies; those that are as they should be stay. For a transaction of the system. */
export async function replaceRows(trx: Trx, rows: readonly NewRow[]): Promise<void> {
  const known = pg`select * from unnest(${rows.map(({ path }) => path)}::text[], ${rows.map(({ object }) => object)}::text[])`;
  await trx
    .deleteFrom('stored_files')
    .where(pg<boolean>`(path, object) not in (${known})`)
    .execute();
  const kept = await trx.selectFrom('stored_files').select('path').execute();
  const there = new Set(kept.map(({ path }) => path));
  const added = rows.filter(({ path }) => !there.has(path)).map((row) => ({ company: companyOf(row.path), ...row }));
  for (let at = 0; at < added.length; at += ROWS_TOGETHER)
    await insertRows(trx, 'stored_files', added.slice(at, at + ROWS_TOGETHER)).execute();
}
