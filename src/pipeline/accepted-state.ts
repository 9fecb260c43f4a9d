import type { Places } from '#items/places.ts';
import type { Trx } from '#platform/db.ts';
import type { Duck } from '#platform/duck.ts';
import { join, name, ownText, sql, statement } from '#platform/sql.ts';
import { acceptedState, outputAt, type OutputRecord } from './output/store.ts';

/**
 * The state that the channel has. `output`: the last accepted run. `whole`: the last of them that kept a file of all items;
 * `narrow`: those after it, oldest first, which kept only what they touched.
 */
export type AcceptedState = {
  readonly output: OutputRecord;
  readonly whole: OutputRecord;
  readonly narrow: readonly OutputRecord[];
};

const isNarrow = ({ companions }: OutputRecord): boolean => companions.delta?.narrow === true;

/** undefined before the first accepted run. */
export async function loadAccepted(trx: Trx, company: string, id: string): Promise<AcceptedState | undefined> {
  const output = await acceptedState(trx, company, id);
  const narrow: OutputRecord[] = [];
  let whole = output;
  while (whole && isNarrow(whole)) {
    narrow.unshift(whole);
    whole = whole.base === null ? undefined : await outputAt(trx, company, id, whole.base);
  }
  return output && whole && { output, whole, narrow };
}

/**
 * A file of all items of the state, with the columns of its header and the rows' hashes: the one that was kept, or `target`, where
 * it is put together from the parts. The last run that touched an item knows it best.
 */
export async function stateFile(
  { duck, places }: { duck: Duck; places: Places },
  place: { company: string; id: string },
  { whole, narrow, output }: AcceptedState,
  target: string,
  signal?: AbortSignal,
): Promise<string> {
  const path = (number: number, ending: string) => places.output(place.company, place.id, number, ending);
  const start = path(whole.number, 'parquet');
  if (narrow.length === 0) return start;
  const list = (ending: string) =>
    sql`[${join(
      narrow.map(({ number }) => ownText(path(number, ending))),
      sql`, `,
    )}]`;
  const header = output.companions.header ?? [];
  const columns = join([sql`_id`, ...header.map((_, index) => name(`x${index}`)), sql`_hash`], sql`, `);
  const read = (ending: string, chosen = columns) =>
    sql`SELECT ${chosen}, list_position(${list(ending)}, filename) AS step FROM read_parquet(${list(ending)}, filename = true, union_by_name = true)`;
  const ids = sql`_id`;
  const last = sql`SELECT _id, max(step) AS step FROM (${read('alt.parquet', ids)} UNION ALL ${read('neu.parquet', ids)}) GROUP BY _id`;
  const body = sql`WITH touched AS (${last})
    SELECT ${columns} FROM read_parquet(${ownText(start)}) ANTI JOIN touched USING (_id)
    UNION ALL SELECT ${columns} FROM (${read('neu.parquet')}) SEMI JOIN touched USING (_id, step)`;
  await duck.all(statement(sql`COPY (${body}) TO ${ownText(target)} (FORMAT parquet)`), signal);
  return target;
}
