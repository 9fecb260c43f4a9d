import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { LimitPart } from './limit-part.ts';

type State = { readonly path: string; readonly fields: readonly { readonly id: string; readonly name: string }[] };

/** Whether an item that two states of a catalogue share has another value in one of these fields. A field that came or went counts as one. */
export async function valuesDiffer(
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
