import type { Database, Trx } from '#platform/db/database.ts';
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
