import type { Database, Trx } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { anyOf, pg } from '#platform/db/pg.ts';

/** Where a file is in the bucket, and size and hash of its content. */
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

/** Returns the company of a path: `<company>/<catalogue or export>/…`. */
export const companyOf = (path: string): string => path.split('/')[0] ?? '';

/** Returns the rows of stored files among these paths, of any company. */
export async function findRows(database: Database, paths: readonly string[]): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const [company, own] of Map.groupBy(new Set(paths), companyOf))
    found.push(...(await database.company(company, (trx) => rowsOf(trx, company, own))));
  return found;
}

/** Returns the rows of one company, inside a transaction. */
export const rowsOf = (trx: Trx, company: string, paths: readonly string[]): Promise<StoredRow[]> =>
  trx
    .selectFrom('stored_files')
    .select(columns)
    .where('company', '=', company)
    .where('path', '=', anyOf(paths))
    .execute();

/** Returns the stored files below a folder of a company, or of the whole company. */
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

/** Makes the paths refer to these objects. */
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

/** Deletes rows; returns those that existed. */
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

/** Replaces the rows of all companies by these; rows that are unchanged stay. Needs a system transaction. */
export async function replaceRows(trx: Trx, rows: readonly NewRow[]): Promise<void> {
  const known = pg`select * from unnest(${rows.map(({ path }) => path)}::text[], ${rows.map(({ object }) => object)}::text[])`;
  await trx
    .deleteFrom('stored_files')
    .where(pg<boolean>`(path, object) not in (${known})`)
    .execute();
  const stored = await trx.selectFrom('stored_files').select('path').execute();
  const recorded = new Set(stored.map(({ path }) => path));
  const added = rows.filter(({ path }) => !recorded.has(path)).map((row) => ({ company: companyOf(row.path), ...row }));
  for (let at = 0; at < added.length; at += ROWS_TOGETHER)
    await insertRows(trx, 'stored_files', added.slice(at, at + ROWS_TOGETHER)).execute();
}
