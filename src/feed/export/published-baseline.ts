import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { Overtaken } from '#platform/jobs/job.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { join, name, ownText, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import { chooseRows, isChosen } from './chosen-rows.ts';
import { holdBaseline, publishedBaseline, outputAt, type OutputRecord } from '#feed/stages/output/store.ts';

/**
 * The state that the channel has. `output`: the last accepted run. `whole`: the last accepted run that stored all items;
 * `narrow`: the runs after it, oldest first, which stored only the items they changed.
 */
export type PublishedBaseline = {
  readonly output: OutputRecord;
  readonly whole: OutputRecord;
  readonly narrow: readonly OutputRecord[];
};

const isNarrow = ({ sidecars }: OutputRecord): boolean => sidecars.delta?.narrow === true;

/** Loads the published baseline; undefined before the first accepted run. */
export async function loadAccepted(trx: Trx, company: string, id: string): Promise<PublishedBaseline | undefined> {
  return stateOf(trx, { company, id }, await publishedBaseline(trx, company, id));
}

/** The file of changes that was delivered last, if it is newer than the whole file. */
export async function liveDelta(trx: Trx, company: string, id: string): Promise<OutputRecord | undefined> {
  const row = await trx
    .selectFrom('exports')
    .select('delta_file')
    .where((eb) => eb.and({ company, id }))
    .executeTakeFirst();
  return typeof row?.delta_file === 'number' ? publishedBaseline(trx, company, id) : undefined;
}

/**
 * Locks what the channel has until the transaction ends.
 * @throws Overtaken if it is no longer the output of this number: changes computed against that do not fit
 */
export async function requireBaseline(
  trx: Trx,
  { company, id }: { company: string; id: string },
  number: number,
): Promise<void> {
  if ((await holdBaseline(trx, company, id)) !== number)
    throw new Overtaken(
      'Während des Laufs wurde eine andere Datei angenommen, auf die seine Änderungen nicht passen. Er beginnt von vorn.',
    );
}

/** The baseline as of an accepted run; undefined if one of the runs it consists of is no longer known. */
export async function stateOf(
  trx: Trx,
  { company, id }: { company: string; id: string },
  output: OutputRecord | undefined,
): Promise<PublishedBaseline | undefined> {
  const narrow: OutputRecord[] = [];
  let lastFull = output;
  while (lastFull && isNarrow(lastFull)) {
    narrow.unshift(lastFull);
    lastFull = lastFull.base === null ? undefined : await outputAt(trx, company, id, lastFull.base);
  }
  return output && lastFull && { output, whole: lastFull, narrow };
}

/**
 * `target`: where a file may be written. `only`: a file of the wanted items' numbers, else all; `columns`: those wanted besides
 * the row hashes, else all.
 */
export type StateWanted = { readonly target: string; readonly only?: string; readonly columns?: readonly string[] };

/**
 * Returns the path of a file with the items of the baseline, its header's columns and the row hashes: the stored file, or
 * `target`, composed from the parts. For each item the last run that changed it wins.
 */
export async function stateFile(
  { duckdb, storagePaths }: { duckdb: DuckDb; storagePaths: StoragePaths },
  ref: { company: string; id: string },
  { whole, narrow, output }: PublishedBaseline,
  { target, only, columns: wanted }: StateWanted,
  signal?: AbortSignal,
): Promise<string> {
  const path = (number: number, ending: string) => storagePaths.output(ref.company, ref.id, number, ending);
  const start = path(whole.number, 'parquet');
  if (narrow.length === 0 && only === undefined) return start;
  const values = (wanted ?? (output.sidecars.header ?? []).map((_, index) => `x${index}`)).map(name);
  const columns = join([duck`_id`, ...values, duck`_hash`], duck`, `);
  const chosen = only === undefined ? duck`true` : duck`_id IN (SELECT _id FROM read_parquet(${storedFile(only)}))`;
  const rows = duck`read_parquet(${storedFile(start)}, file_row_number = true)`;
  // For only two columns, `_id` and the hash, a join is cheaper.
  const places =
    only === undefined || wanted?.length === 0
      ? undefined
      : duck`(SELECT file_row_number AS place FROM (SELECT _id, file_row_number FROM ${rows}) WHERE ${chosen})`;
  const first = duck`SELECT ${columns} FROM ${rows} WHERE ${places === undefined ? chosen : isChosen}`;
  const incrementNumbers = narrow.map(({ number }) => number);
  const list = (ending: string) =>
    duck`[${join(
      incrementNumbers.map((number) => storedFile(path(number, ending))),
      duck`, `,
    )}]`;
  const read = (ending: string, columns: Sql) =>
    duck`SELECT ${columns}, list_position(${list(ending)}, filename) AS step FROM read_parquet(${list(ending)}, filename = true, union_by_name = true)`;
  const ids = duck`_id`;
  const later = () => duck`WITH touched AS (SELECT _id, max(step) AS step
      FROM (${read('alt.parquet', ids)} UNION ALL ${read('neu.parquet', ids)}) GROUP BY _id)
    SELECT * FROM (${first}) ANTI JOIN touched USING (_id)
    UNION ALL SELECT ${columns} FROM (${read('neu.parquet', columns)}) SEMI JOIN touched USING (_id, step) WHERE ${chosen}`;
  const body = incrementNumbers.length === 0 ? first : later();
  const choose = places === undefined ? [] : [chooseRows(places, whole.items)];
  await duckdb.last([...choose, statement(duck`COPY (${body}) TO ${ownText(target)} ${PARQUET}`)], signal);
  return target;
}
