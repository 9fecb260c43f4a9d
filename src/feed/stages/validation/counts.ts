import { join, name, ownNumber, duck, statement, type Sql, type Statement, storedFile } from '#platform/duckdb/sql.ts';
import type { Readiness } from '#shared/diagnosis/readiness.ts';
import { maskName, type Place, type Problem } from './problem.ts';
import type { DiagnosisRecord, FoundProblem } from './record.ts';

/** Items with their mask columns: a table expression, and the number of mask columns. */
export type Masked = { readonly from: Sql; readonly masks: number };

/** The items of a run's file; `extras` add further masks for some of its rows. */
export function maskedFile(path: string, masks: number, extras: readonly { path: string; column: number }[]): Masked {
  const file = duck`read_parquet(${storedFile(path)}, file_row_number = true)`;
  if (extras.length === 0) return { from: file, masks };
  const more = extras.map(
    ({ column }, index) => duck`coalesce(${name(`u${index}`)}.bits, 0) AS ${name(maskName(column))}`,
  );
  const joins = extras.map(
    (extra, index) =>
      duck`LEFT JOIN read_parquet(${storedFile(extra.path)}) AS ${name(`u${index}`)} ON ${name(`u${index}`)}.row = f.file_row_number`,
  );
  return {
    from: duck`(SELECT f.*, ${join(more, duck`, `)} FROM ${file} AS f ${join(joins, duck` `)})`,
    masks: Math.max(masks, ...extras.map(({ column }) => column + 1)),
  };
}

const maskList = ({ masks }: Masked): Sql =>
  join(
    Array.from({ length: masks }, (_, column) => name(maskName(column))),
    duck`, `,
  );

/** Counts each combination of problems: all other counts follow from these, and there are far fewer combinations than items. */
function combinations(items: Masked): Statement {
  const masks = items.masks === 0 ? duck`0::UBIGINT AS _problems0` : maskList(items);
  return statement(duck`SELECT ${masks}, count(*) AS n, min(file_row_number) AS first FROM ${items.from} GROUP BY ALL`);
}

/** `row`: of the first item that has the problem. */
type Counted = {
  readonly problems: (Omit<FoundProblem, 'sample'> & { readonly row: number })[];
  readonly readiness: Readiness;
};

/** Counts items and problems; returns the problems that occur, the most severe and frequent first. */
function countProblems(rows: readonly Readonly<Record<string, unknown>>[], problems: readonly Problem[]): Counted {
  const at = new Map(
    problems.map((problem) => [keyOf(problem), { problem, items: 0, gain: 0, row: Number.POSITIVE_INFINITY }]),
  );
  const readiness = { items: 0, errors: 0, warnings: 0, fine: 0 };
  for (const row of rows) {
    const n = Number(row['n']);
    const found = bitsIn(row).flatMap((one) => at.get(keyOf(one)) ?? []);
    const errors = found.filter(({ problem }) => problem.severity === 'error');
    for (const one of found) {
      one.items += n;
      one.row = Math.min(one.row, Number(row['first']));
    }
    if (errors.length === 1 && errors[0]) errors[0].gain += n;
    readiness.items += n;
    if (errors.length > 0) readiness.errors += n;
    else if (found.some(({ problem }) => problem.severity === 'warning')) readiness.warnings += n;
    else readiness.fine += n;
  }
  const list = [...at.values()].filter(({ items }) => items > 0);
  return {
    readiness,
    problems: list
      .map(({ problem, items, gain, row }) => ({ ...problem, shows: [...problem.shows], items, gain, row }))
      .toSorted((one, other) => rank[one.severity] - rank[other.severity] || other.items - one.items),
  };
}

const rank = { error: 0, warning: 1, hint: 2 } as const;
const keyOf = ({ column, bit }: Place) => `${column}/${bit}`;

/** The bits set in a row's mask columns. */
export function bitsIn(row: Readonly<Record<string, unknown>>): Place[] {
  const set: Place[] = [];
  for (const [key, value] of Object.entries(row)) {
    const column = /^_problems(\d+)$/.exec(key)?.[1];
    if (column === undefined) continue;
    let rest = Number(value);
    for (let bit = 0; rest > 0; bit++) {
      if (rest % 2 === 1) set.push({ column: Number(column), bit });
      rest = Math.floor(rest / 2);
    }
  }
  return set;
}

/** Counts the items, and adds to each problem the number of an item that has it. */
export async function countItems(
  items: Masked,
  problems: readonly Problem[],
  all: (query: Statement) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Promise<Pick<DiagnosisRecord, 'problems' | 'readiness'>> {
  const { problems: found, readiness } = countProblems(await all(combinations(items)), problems);
  const rows = [...new Set(found.map(({ row }) => row))];
  const rowNumbers = join(rows.map(ownNumber), duck`, `);
  const ids =
    rows.length === 0
      ? []
      : await all(
          statement(duck`SELECT file_row_number AS r, _id FROM ${items.from} WHERE file_row_number IN (${rowNumbers})`),
        );
  const idOf = new Map(ids.map((one) => [Number(one['r']), String(one['_id'])]));
  return { readiness, problems: found.map(({ row, ...problem }) => ({ ...problem, sample: idOf.get(row) ?? '' })) };
}

/** Whether an item has the problem. */
export const hasProblem = ({ column, bit }: Place): Sql =>
  duck`(${name(maskName(column))} & ${ownNumber(2 ** bit)}) <> 0`;

/** Whether an item has an error; FALSE if no problem is an error. */
export function hasError(problems: readonly Pick<Problem, 'column' | 'bit' | 'severity'>[]): Sql {
  const bits = new Map<number, number>();
  for (const { column, bit, severity } of problems)
    if (severity === 'error') bits.set(column, (bits.get(column) ?? 0) + 2 ** bit);
  if (bits.size === 0) return duck`FALSE`;
  return join(
    [...bits].map(([column, mask]) => duck`(${name(maskName(column))} & ${ownNumber(mask)}) <> 0`),
    duck` OR `,
  );
}
