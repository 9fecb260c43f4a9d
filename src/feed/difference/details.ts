import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, ownText, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
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
  duckdb: DuckDb,
  files: Files,
  signal?: AbortSignal,
): Promise<Pick<RunDifference, 'fields' | 'samples'>> {
  const fields = await changedFields(duckdb, files, signal);
  const shown = files.fields.filter(({ field }) => fields.some((one) => one.field === field)).slice(0, 60);
  const [removed, added] = [
    await lonely(duckdb, files, 'before', signal),
    await lonely(duckdb, files, 'after', signal),
  ];
  return { fields, samples: { removed, added, changed: await changedItems(duckdb, files, shown, signal) } };
}

const from = (path: string): Sql => duck`read_parquet(${ownText(path)})`;
const cell = (side: 'a' | 'b', column: string): Sql => duck`${name(side)}.${name(column)}`;
const pairs = ({ before, after }: Files): Sql =>
  duck`${from(before)} b JOIN ${from(after)} a ON a._id = b._id AND a._hash <> b._hash`;

async function changedFields(duckdb: DuckDb, files: Files, signal?: AbortSignal): Promise<RunDifference['fields']> {
  if (files.fields.length === 0) return [];
  const counts = files.fields.map(
    ({ before, after }, index) =>
      duck`count(*) FILTER (${cell('b', before)} IS DISTINCT FROM ${cell('a', after)})::INT AS ${name(`n${index}`)}`,
  );
  const [row] = await duckdb.all(statement(duck`SELECT ${join(counts, duck`, `)} FROM ${pairs(files)}`), signal);
  return files.fields
    .map(({ field }, index) => ({ field, changed: Number(row?.[`n${index}`] ?? 0) }))
    .filter(({ changed }) => changed > 0)
    .toSorted((one, other) => other.changed - one.changed);
}

type Sample = RunDifference['samples']['removed'][number];

/** Items that only one of the states has. */
async function lonely(duckdb: DuckDb, files: Files, side: 'before' | 'after', signal?: AbortSignal): Promise<Sample[]> {
  const column = files.title[side];
  const title = column === null ? duck`NULL` : duck`left(CAST(${cell('b', column)} AS VARCHAR), ${ownNumber(VALUE)})`;
  const [own, other] = side === 'before' ? [files.before, files.after] : [files.after, files.before];
  const body = duck`SELECT b._id AS id, ${title} AS title FROM ${from(own)} b ANTI JOIN ${from(other)} a ON a._id = b._id
    LIMIT ${ownNumber(SAMPLES)}`;
  return (await duckdb.all(statement(body), signal)).map((row) => ({ ...sampleOf(row), fields: [] }));
}

async function changedItems(
  duckdb: DuckDb,
  files: Files,
  shown: readonly FieldPair[],
  signal?: AbortSignal,
): Promise<Sample[]> {
  const text = (value: Sql) => duck`left(CAST(${value} AS VARCHAR), ${ownNumber(VALUE)})`;
  const values = shown.flatMap(({ before, after }, index) => [
    duck`${text(cell('b', before))} AS ${name(`b${index}`)}`,
    duck`${text(cell('a', after))} AS ${name(`a${index}`)}`,
  ]);
  const { after: column } = files.title;
  const title = column === null ? duck`NULL` : text(cell('a', column));
  const chosen = join([duck`a._id AS id`, duck`${title} AS title`, ...values], duck`, `);
  const rows = await duckdb.all(
    statement(duck`SELECT ${chosen} FROM ${pairs(files)} LIMIT ${ownNumber(SAMPLES)}`),
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
