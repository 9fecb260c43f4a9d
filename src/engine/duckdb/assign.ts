import { join, name, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { comparisonHolds, type Comparison } from '#shared/assignments/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { opaque } from './layers.ts';
import { textList } from './text-list.ts';
import { column, ID, MISSING, nextStep, ROW, type Relation } from './relation.ts';
import { alternations, quotedPattern, simpleLower } from '#engine/ir/text.ts';

/**
 * One condition of an assignment's row. Texts are compared as in rules (case ignored, nothing trimmed); an empty `value` never
 * matches, and a negated test is exactly the opposite. A literal source is the same text for every item.
 */
export type AssignTest = {
  readonly source:
    | { readonly from: 'field'; readonly field: string }
    | { readonly from: 'literal'; readonly text: string };
  readonly kind: Comparison;
  readonly negated: boolean;
  readonly value: string;
};

/** A row of an assignment: all its conditions must hold. `outputs` are the texts it assigns, '' for none. */
export type AssignRow = { readonly conditions: readonly AssignTest[]; readonly outputs: readonly string[] };

/** The most equality rows on one field that are compared one by one; more use a hash table. */
const FEW_EQUAL = 16;

/** A condition on a field with its value lower-cased; conditions on literals are decided before any item is read. */
type FieldTest = {
  readonly field: string;
  readonly kind: AssignTest['kind'];
  readonly negated: boolean;
  readonly value: string;
};
type FieldRow = { readonly index: number; readonly tests: readonly FieldTest[] };

/**
 * Returns the items with, for each of `keys`, the output of the first row that holds (MAP-09, CAT-12); missing if no row holds or
 * its output is empty. Many equality rows become one look-up. The others are guarded by one pattern for each field, so that an
 * item goes through the long list of comparisons only if one of them can hold (measured: docs/engine.md).
 */
export function assign(relation: Relation, rows: readonly AssignRow[], keys: readonly string[]): Relation {
  const { relation: won, winner } = winners(relation, rows);
  const columns = new Map(relation.columns);
  const chosen = keys.map((key, index) => {
    const made = `a${won.steps.length}_${index}`;
    columns.set(key, made);
    const outputs = rows.map((row) => row.outputs[index] ?? '');
    const value = outputs.length === 0 ? MISSING : outputOf(outputs, winner);
    return duck`${value} AS ${name(made)}`;
  });
  const body = duck`SELECT ${join([...carried(relation), ...chosen], duck`, `)} FROM ${name(won.from)}`;
  return nextStep(won, body, columns);
}

/** The output of the row at the winner's position. */
function outputOf(outputs: readonly string[], winner: Sql): Sql {
  const output = duck`list_extract(${textList(outputs)}, ${winner})`;
  return outputs.includes('') ? duck`nullif(${output}, '')` : output;
}

/** Counts the items that each row wins, in the order of the rows, and the items on which no row holds. */
export function countAssigned(
  relation: Relation,
  rows: readonly AssignRow[],
): {
  body: (from: Sql) => Sql;
  relation: Relation;
  read: (rows: readonly Readonly<Record<string, unknown>>[]) => AssignCounts;
} {
  const { relation: won, winner } = winners(relation, rows);
  return {
    relation: won,
    body: (from) => duck`SELECT ${winner} AS w, count(*) AS n FROM ${from} GROUP BY 1`,
    read: (counted) => {
      const counts: AssignCounts = { rows: rows.map(() => 0), none: 0 };
      for (const { w, n } of counted) {
        if (typeof w === 'number') counts.rows[w - 1] = Number(n);
        else counts.none = Number(n);
      }
      return counts;
    },
  };
}

export type AssignCounts = { readonly rows: number[]; none: number };

/** Returns the items with the position (from 1) of the first row that holds, missing if none does. */
export function winners(relation: Relation, rows: readonly AssignRow[]): { relation: Relation; winner: Sql } {
  const fieldRows = rows.flatMap((row, index) => fieldRow(row, index + 1));
  const fields = [...new Set(fieldRows.flatMap((row) => row.tests.map(({ field }) => field)))];
  const lowered = new Map(fields.map((field, index) => [field, `l${relation.steps.length}_${index}`]));
  const lowers = fields.map(
    (field) => duck`lower(${field === ITEM_ID ? ID : column(relation, field)}) AS ${name(lowered.get(field) ?? '')}`,
  );
  const prepared = nextStep(
    relation,
    duck`SELECT ${join([...carried(relation), ...lowers], duck`, `)} FROM ${name(relation.from)}`,
    relation.columns,
  );
  const text = (field: string) => name(lowered.get(field) ?? '');
  const { lookups, others } = partition(fieldRows);
  const tables = lookups.map((lookup, index) => lookupTable(lookup, text, `k${index}`));
  const candidates = [...tables.map(({ place }) => place), ...groups(others).map((group) => firstOf(group, text))];
  const winner = `w${prepared.steps.length}`;
  const first = candidates.length === 0 ? duck`CAST(NULL AS INTEGER)` : duck`least(${join(candidates, duck`, `)})`;
  // Opaque: otherwise a later filter would make DuckDB compute the long list twice.
  const place = duck`${opaque(duck`CAST(${first} AS INTEGER)`)} AS ${name(winner)}`;
  const body = duck`SELECT ${join([...carried(relation), place], duck`, `)} FROM ${name(prepared.from)}${join(
    tables.map(({ join: joined }) => joined),
    duck``,
  )}`;
  // A join may return the items in another order.
  return {
    relation: nextStep(prepared, body, relation.columns, { shuffled: tables.length > 0 }),
    winner: name(winner),
  };
}

function carried(relation: Relation): Sql[] {
  return [ID, ROW, ...[...new Set(relation.columns.values())].map(name)];
}

/** The row without its literal conditions; an empty list if one of those does not hold. */
function fieldRow({ conditions }: AssignRow, index: number): FieldRow[] {
  const tests: FieldTest[] = [];
  for (const { source, kind, negated, value } of conditions) {
    const wanted = simpleLower(value.toWellFormed());
    if (source.from === 'field') tests.push({ field: source.field, kind, negated, value: wanted });
    else if (comparisonHolds(kind, simpleLower(source.text), wanted) === negated) return [];
  }
  return [{ index, tests }];
}

type Lookup = { readonly field: string; readonly places: ReadonlyMap<string, number> };

/** Turns the equality rows of fields with many of them into look-ups; of equal values the first row wins. */
function partition(rows: readonly FieldRow[]): { lookups: Lookup[]; others: FieldRow[] } {
  const byField = new Map<string, Map<string, number>>();
  const lookupFieldOf = ({ tests: asked }: FieldRow) => {
    const [only] = asked;
    return asked.length === 1 && only?.kind === 'equals' && !only.negated && only.value !== '' ? only.field : undefined;
  };
  for (const row of rows) {
    const field = lookupFieldOf(row);
    const value = row.tests[0]?.value ?? '';
    if (field === undefined) continue;
    const places = byField.get(field) ?? new Map<string, number>();
    if (!places.has(value)) places.set(value, row.index);
    byField.set(field, places);
  }
  const lookups = [...byField]
    .filter(([, places]) => places.size > FEW_EQUAL)
    .map(([field, places]) => ({ field, places }));
  const lookupFields = new Set(lookups.map(({ field }) => field));
  return { lookups, others: rows.filter((row) => !lookupFields.has(lookupFieldOf(row) ?? '')) };
}

function lookupTable(
  { field, places }: Lookup,
  text: (field: string) => Sql,
  alias: string,
): { place: Sql; join: Sql } {
  const table = name(alias);
  const values = textList([...places.keys()]);
  const indexes = textList([...places.values()].map(String));
  return {
    place: duck`${table}."place"`,
    join: duck` LEFT JOIN (SELECT unnest(${values}) AS value, unnest(CAST(${indexes} AS INTEGER[])) AS place) ${table} ON ${text(field)} = ${table}."value"`,
  };
}

/** Groups rows by the field of their first positive condition; rows with only negated ones form a group without a pattern. */
function groups(rows: readonly FieldRow[]): { field: string | undefined; rows: FieldRow[] }[] {
  const byField = Map.groupBy(rows, (row) => anchorOf(row)?.field);
  return [...byField].map(([field, list]) => ({ field, rows: list }));
}

function anchorOf({ tests: asked }: FieldRow): FieldTest | undefined {
  return asked.find(({ negated }) => !negated);
}

/** The position of the first row of a group that holds. */
function firstOf({ field, rows }: { field: string | undefined; rows: FieldRow[] }, text: (field: string) => Sql): Sql {
  const cases = rows.map((row) => {
    const conditions = row.tests.map((test) => conditionOf(test, text(test.field)));
    const holds = conditions.length === 0 ? duck`TRUE` : join(conditions, duck` AND `);
    return duck` WHEN ${holds} THEN ${ownNumber(row.index)}`;
  });
  const first = duck`CASE${join(cases, duck``)} END`;
  if (field === undefined || rows.length <= FEW_EQUAL) return first;
  const patterns = alternations(rows.flatMap((row) => patternOf(anchorOf(row))));
  const mayHold = join(
    patterns.map((pattern) => duck`regexp_matches(${text(field)}, ${pattern})`),
    duck` OR `,
  );
  return duck`CASE WHEN ${patterns.length === 0 ? duck`FALSE` : mayHold} THEN ${first} END`;
}

function patternOf(test: FieldTest | undefined): string[] {
  if (test === undefined || test.value === '') return [];
  const value = quotedPattern(test.value);
  const begin = test.kind === 'equals' || test.kind === 'startsWith' ? '^' : '';
  const end = test.kind === 'equals' || test.kind === 'endsWith' ? '$' : '';
  return [`${begin}${value}${end}`];
}

function conditionOf({ kind, negated, value }: FieldTest, text: Sql): Sql {
  const holds = value === '' ? duck`FALSE` : positive(kind, text, value);
  return negated ? duck`(${holds}) IS NOT TRUE` : holds;
}

function positive(kind: AssignTest['kind'], text: Sql, value: string): Sql {
  switch (kind) {
    case 'contains':
      return duck`contains(${text}, ${value})`;
    case 'equals':
      return duck`${text} = ${value}`;
    case 'startsWith':
      return duck`starts_with(${text}, ${value})`;
    case 'endsWith':
      return duck`ends_with(${text}, ${value})`;
  }
}
