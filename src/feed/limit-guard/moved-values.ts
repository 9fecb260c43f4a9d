import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name, ownNumber, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { hadPrices } from '#catalogue/limits-review.ts';
import type { Database } from '#platform/db/database.ts';
import { limitSources } from './guard.ts';
import type { LimitPart } from './limit-part.ts';
import type { ImportedField } from '#shared/import/schema.ts';

type State = {
  readonly path: string;
  readonly fields: readonly Pick<ImportedField, 'id' | 'name' | 'groups'>[];
};

/** If there are more new items than this, they are not looked up one by one. */
const MOST_NEW = 100_000;

/**
 * Whether a new snapshot may move price limits compared with the live one: an item has another value in a field that limits
 * depend on, or an item returns that once had prices, with whatever values.
 */
export async function movesLimits(
  { database, duckdb }: { database: Database; duckdb: DuckDb },
  ref: CatalogueRef,
  before: State,
  after: State,
): Promise<boolean> {
  const sources = await database.company(ref.company, (trx) => limitSources(trx, ref));
  if (sources === undefined) return false;
  if (await valuesDiffer(duckdb, before, after, sources)) return true;
  const items = await newItems(duckdb, before, after);
  if (items.length > MOST_NEW) return true;
  return items.length > 0 && database.company(ref.company, (trx) => hadPrices(trx, ref, items));
}

async function newItems(duckdb: DuckDb, before: State, after: State): Promise<string[]> {
  const rows = await duckdb.all(
    statement(
      duck`select a._id as id from read_parquet(${storedFile(after.path)}) a anti join read_parquet(${storedFile(before.path)}) b
        on a._id = b._id limit ${ownNumber(MOST_NEW + 1)}`,
    ),
  );
  return rows.map(({ id }) => String(id));
}

/** Whether an item of both snapshots has another value in one of these fields. An added or removed field counts as a change. */
async function valuesDiffer(
  duckdb: DuckDb,
  before: State,
  after: State,
  sources: LimitPart['sources'],
): Promise<boolean> {
  const [old, now] = [columnsOf(before, sources), columnsOf(after, sources)];
  if ([...old.keys(), ...now.keys()].some((field) => !old.has(field) || !now.has(field))) return true;
  const pairs = [...now].map(
    ([field, column]) => duck`a.${name(column)} is distinct from b.${name(old.get(field) ?? column)}`,
  );
  if (pairs.length === 0) return false;
  // The same text is another number if its column now uses another thousands mark.
  const readings = (state: State) => new Map(state.fields.map(({ name: field, groups }) => [field, groups?.mark]));
  const [read, reads] = [readings(before), readings(after)];
  if ([...now.keys()].some((field) => read.get(field) !== reads.get(field))) return true;
  const rows = await duckdb.all(
    statement(
      duck`select exists (select 1 from read_parquet(${storedFile(before.path)}) b join read_parquet(${storedFile(after.path)}) a
        on a._id = b._id where ${join(pairs, duck` or `)}) as moved`,
    ),
  );
  return rows[0]?.['moved'] === true;
}

const columnsOf = ({ fields }: State, sources: LimitPart['sources']): Map<string, string> =>
  new Map(fields.flatMap(({ id, name: field }) => (sources === 'all' || sources.has(field) ? [[field, id]] : [])));
