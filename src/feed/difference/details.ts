import type { Duck } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, ownText, sql, statement, type Sql } from '#platform/duckdb/sql.ts';
import type { RunDifference } from '#shared/difference/schema.ts';

/** A field that both states have, by its columns in their files. */
export type FieldPair = { readonly field: string; readonly before: string; readonly after: string };

type Files = {
  readonly before: string;
  readonly after: string;
  readonly fields: readonly FieldPair[];
  /** The column of what people call an item, in each file; null if none is known. */
  readonly title: { readonly before: string | null; readonly after: string | null };
};

const SAMPLES = 10;
/** A value in an example; longer ones are cut. */
const VALUE = 200;

/** Which values differ between two states and in how many items, with examples of items gone, new and changed. */
export async function differenceDetails(
  duck: Duck,
  files: Files,
  signal?: AbortSignal,
): Promise<Pick<RunDifference, 'fields' | 'samples'>> {
  const fields = await changedFields(duck, files, signal);
  const shown = files.fields.filter(({ field }) => fields.some((one) => one.field === field)).slice(0, 60);
  const [removed, added] = [await lonely(duck, files, 'before', signal), await lonely(duck, files, 'after', signal)];
  return { fields, samples: { removed, added, changed: await changedItems(duck, files, shown, signal) } };
}

const from = (path: string): Sql => sql`read_parquet(${ownText(path)})`;
const cell = (side: 'a' | 'b', column: string): Sql => sql`${name(side)}.${name(column)}`;
const pairs = ({ before, after }: Files): Sql =>
  sql`${from(before)} b JOIN ${from(after)} a ON a._id = b._id AND a._hash <> b._hash`;

async function changedFields(duck: Duck, files: Files, signal?: AbortSignal): Promise<RunDifference['fields']> {
  if (files.fields.length === 0) return [];
  const counts = files.fields.map(
    ({ before, after }, index) =>
      sql`count(*) FILTER (${cell('b', before)} IS DISTINCT FROM ${cell('a', after)})::INT AS ${name(`n${index}`)}`,
  );
  const [row] = await duck.all(statement(sql`SELECT ${join(counts, sql`, `)} FROM ${pairs(files)}`), signal);
  return files.fields
    .map(({ field }, index) => ({ field, changed: Number(row?.[`n${index}`] ?? 0) }))
    .filter(({ changed }) => changed > 0)
    .toSorted((one, other) => other.changed - one.changed);
}

type Sample = RunDifference['samples']['removed'][number];

/** Items that only one of the states has. */
async function lonely(duck: Duck, files: Files, side: 'before' | 'after', signal?: AbortSignal): Promise<Sample[]> {
  const column = files.title[side];
  const title = column === null ? sql`NULL` : sql`left(CAST(${cell('b', column)} AS VARCHAR), ${ownNumber(VALUE)})`;
  const [own, other] = side === 'before' ? [files.before, files.after] : [files.after, files.before];
  const body = sql`SELECT b._id AS id, ${title} AS title FROM ${from(own)} b ANTI JOIN ${from(other)} a ON a._id = b._id
    LIMIT ${ownNumber(SAMPLES)}`;
  return (await duck.all(statement(body), signal)).map((row) => ({ ...sampleOf(row), fields: [] }));
}

async function changedItems(
  duck: Duck,
  files: Files,
  shown: readonly FieldPair[],
  signal?: AbortSignal,
): Promise<Sample[]> {
  const text = (value: Sql) => sql`left(CAST(${value} AS VARCHAR), ${ownNumber(VALUE)})`;
  const values = shown.flatMap(({ before, after }, index) => [
    sql`${text(cell('b', before))} AS ${name(`b${index}`)}`,
    sql`${text(cell('a', after))} AS ${name(`a${index}`)}`,
  ]);
  const { after: column } = files.title;
  const title = column === null ? sql`NULL` : text(cell('a', column));
  const chosen = join([sql`a._id AS id`, sql`${title} AS title`, ...values], sql`, `);
  const rows = await duck.all(
    statement(sql`SELECT ${chosen} FROM ${pairs(files)} LIMIT ${ownNumber(SAMPLES)}`),
    signal,
  );
  return rows.map((row) => ({
    ...sampleOf(row),
    fields: shown
      .map(({ field }, index) => ({
        field,
        before: textOf(row[`b${index}`]),
        after: textOf(row[`a${index}`]),
      }))
      .filter(({ before, after }) => before !== after),
  }));
}

const sampleOf = (row: Record<string, unknown>) => ({ id: String(row['id']), title: textOf(row['title']) });
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
