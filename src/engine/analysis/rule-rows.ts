import { join, name, ownNumber, duck, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { layered } from '#engine/duckdb/layers.ts';
import { ID, query, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { reaches, upTo } from './rule-counts.ts';

/** An item on which a rule's conditions hold, with the requested fields before and after the rule. */
export type ChangedItem = {
  readonly id: string;
  readonly excluded: boolean;
  readonly before: readonly (string | null)[];
  readonly after: readonly (string | null)[];
};

export type RowsRequest = {
  readonly statement: Statement;
  readonly read: (rows: readonly Readonly<Record<string, unknown>>[]) => ChangedItem[];
};

/** Which items on which the rule holds: all, a page, or those at row numbers that `countRule` found (much faster). */
export type RowsWanted =
  | { readonly fields: readonly string[] }
  | { readonly fields: readonly string[]; readonly offset: number; readonly limit: number }
  | { readonly fields: readonly string[]; readonly rows: readonly number[] };

/** A query of the items on which a rule holds, in their order (RUL-11, RUL-12). `before`/`after` are in the order of `fields`. */
export function ruleRows(relation: Relation, rules: readonly Rule[], ruleId: string, wanted: RowsWanted): RowsRequest {
  const { fields } = wanted;
  const { program, columns } = upTo(relation, rules, ruleId);
  const { entering, leaving, holds, rule } = columns;
  const texts = (version: (field: string) => ReturnType<typeof entering>) =>
    fields.length === 0 ? duck`CAST([] AS VARCHAR[])` : duck`[${join(fields.map(version), duck`, `)}]`;
  const chosen = duck`${ID}, ${texts(entering)} AS before, ${texts(leaving)} AS after`;
  const where = duck`${reaches(program, columns.index)} AND ${holds}`;
  const { relation: done, place } = layered(program, [chosen, where]);
  const [filter, page] =
    'rows' in wanted
      ? [atRows(wanted.rows), duck``]
      : [
          place(where),
          'limit' in wanted ? duck` LIMIT ${ownNumber(wanted.limit)} OFFSET ${ownNumber(wanted.offset)}` : duck``,
        ];
  const body = duck`SELECT ${place(chosen)} FROM ${name(done.from)} WHERE ${filter} ORDER BY ${ROW}${page}`;
  return {
    statement: query(done, body),
    read: (rows) => rows.map((row) => readItem(row, rule.excludes)),
  };
}

function atRows(rows: readonly number[]): Sql {
  return rows.length === 0 ? duck`FALSE` : duck`${ROW} IN (${join(rows.map(ownNumber), duck`, `)})`;
}

function readItem(row: Readonly<Record<string, unknown>>, excluded: boolean): ChangedItem {
  return { id: String(row['id']), excluded, before: readTexts(row['before']), after: readTexts(row['after']) };
}

/** Reads a list of texts as DuckDB returns it, missing texts as null; throws if the value is not a list. */
export function readTexts(value: unknown): (string | null)[] {
  if (!Array.isArray(value)) throw new Error('Not a list of texts');
  return value.map((text: unknown) => (typeof text === 'string' ? text : null));
}
