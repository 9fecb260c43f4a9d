import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { RunDifference } from '#shared/difference/schema.ts';

/** A field by its columns in the files of both states; null in the one that does not have it. */
export type FieldPair = { readonly field: string; readonly before: string | null; readonly after: string | null };

type Files = {
  readonly before: string;
  readonly after: string;
  readonly fields: readonly FieldPair[];
  /** The title column of each file; null if none is known. */
  readonly title: { readonly before: string | null; readonly after: string | null };
};

const SAMPLES = 10;
/** The most characters of a value in an example; longer values are cut around the first difference. */
const VALUE = 200;
/** The most characters of a value that are read to find that difference. */
const READ = 20_000;
const FIELDS = 60;

/** Counts in how many items each field differs between two states, with examples of removed, added and changed items. */
export async function differenceDetails(
  duckdb: DuckDb,
  files: Files,
  signal?: AbortSignal,
): Promise<Pick<RunDifference, 'fields' | 'samples'>> {
  const fields = await changedFields(duckdb, files, signal);
  const shown = files.fields.filter(({ field }) => fields.some((one) => one.field === field)).slice(0, FIELDS);
  const [removed, added] = [
    await lonely(duckdb, files, 'before', signal),
    await lonely(duckdb, files, 'after', signal),
  ];
  return { fields, samples: { removed, added, changed: await changedItems(duckdb, files, shown, signal) } };
}

const from = (path: string): Sql => duck`read_parquet(${storedFile(path)})`;
const cell = (side: 'a' | 'b', column: string): Sql => duck`${name(side)}.${name(column)}`;
/** The value of one side as text, because lists in old and new files may have different types. */
const valueAt = (side: 'a' | 'b', column: string | null): Sql =>
  column === null ? duck`NULL::VARCHAR` : duck`CAST(${cell(side, column)} AS VARCHAR)`;
const differs = ({ before, after }: FieldPair): Sql =>
  duck`${valueAt('b', before)} IS DISTINCT FROM ${valueAt('a', after)}`;
const pairs = ({ before, after }: Files): Sql =>
  duck`${from(before)} b JOIN ${from(after)} a ON a._id = b._id AND a._hash <> b._hash`;

async function changedFields(duckdb: DuckDb, files: Files, signal?: AbortSignal): Promise<RunDifference['fields']> {
  if (files.fields.length === 0) return [];
  const counts = files.fields.map(
    (pair, index) => duck`count(*) FILTER (${differs(pair)})::INT AS ${name(`n${index}`)}`,
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

/** Items in which at least one shown field differs: an example without a differing value would not help. */
async function changedItems(
  duckdb: DuckDb,
  files: Files,
  shown: readonly FieldPair[],
  signal?: AbortSignal,
): Promise<Sample[]> {
  if (shown.length === 0) return [];
  const text = (value: Sql) => duck`left(${value}, ${ownNumber(READ)})`;
  const values = shown.flatMap((pair, index) => [
    duck`${text(valueAt('b', pair.before))} AS ${name(`b${index}`)}`,
    duck`${text(valueAt('a', pair.after))} AS ${name(`a${index}`)}`,
    duck`${differs(pair)} AS ${name(`d${index}`)}`,
  ]);
  const title = duck`left(${valueAt('a', files.title.after)}, ${ownNumber(VALUE)})`;
  const chosen = join([duck`a._id AS id`, duck`${title} AS title`, ...values], duck`, `);
  const visible = join(shown.map(differs), duck` OR `);
  const rows = await duckdb.all(
    statement(duck`SELECT ${chosen} FROM ${pairs(files)} WHERE ${visible} LIMIT ${ownNumber(SAMPLES)}`),
    signal,
  );
  return rows.map((row) => ({
    ...sampleOf(row),
    fields: shown.flatMap(({ field }, index) =>
      row[`d${index}`] === true ? [{ field, ...excerpts(textOf(row[`b${index}`]), textOf(row[`a${index}`])) }] : [],
    ),
  }));
}

/** Both values, cut to where they begin to differ. */
function excerpts(before: string | null, after: string | null): { before: string | null; after: string | null } {
  const [one, other] = [before ?? '', after ?? ''];
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same++;
  const longest = Math.max(one.length, other.length);
  const from = longest <= VALUE ? 0 : Math.max(0, same - VALUE / 4);
  const cut = (value: string | null) =>
    value === null ? null : `${from > 0 ? '…' : ''}${value.slice(from, from + VALUE)}`;
  return { before: cut(before), after: cut(after) };
}

const sampleOf = (row: Record<string, unknown>) => ({ id: String(row['id']), title: textOf(row['title']) });
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
