import type { FieldGuess, NumberGroups } from '#shared/import/schema.ts';
import { groupedFields } from './number-groups.ts';
import { join, name, duck, statement, type Sql, type Statement, storedFile } from '#platform/duckdb/sql.ts';

/** One step of a relation: a common table expression. `kept`: materialised, so that it is computed once although it is read twice. */
export type Step = { readonly name: string; readonly body: Sql; readonly kept: boolean };

/**
 * Items on their way: steps, the name of the last one (or of a table), and the column of each field in it. Besides the
 * fields every relation has the columns `id` (the merchant's item number, text) and `row` (order of the items, number).
 * Text columns hold no empty strings: those are missing values. Field names are data and never stand in a statement.
 */
export type Relation = {
  readonly steps: readonly Step[];
  readonly from: string;
  readonly columns: ReadonlyMap<string, string>;
  /** The items come in another order than `row`; whoever shows or writes them sorts. */
  readonly shuffled: boolean;
  /** Fields by name in which the mark of '1.299' parts thousands. */
  readonly groups?: ReadonlyMap<string, NumberGroups>;
};

/** A field of a snapshot: the column's generated id in the file (`f0001`) and the merchant's name. */
export type SnapshotField = {
  readonly id: string;
  readonly name: string;
  readonly guess?: FieldGuess | undefined;
  readonly groups?: NumberGroups | undefined;
};

/** The column of an item's number in snapshot files. */
const FILE_ID = '_id';

export const ID: Sql = name('id');
export const ROW: Sql = name('row');

/** A missing text. */
export const MISSING: Sql = duck`CAST(NULL AS VARCHAR)`;

/**
 * The items of a snapshot file, in which the import wrote empty texts as NULL. `path` is one that our own code made. Of
 * fields with the same name the last counts. `only`: a condition on `file_row_number`, where not all rows are wanted.
 */
export function snapshotRelation(
  { path, fields }: { path: string; fields: readonly SnapshotField[] },
  only?: Sql,
): Relation {
  const read = fields.map(({ id }) => name(id));
  const body = duck`SELECT ${join([duck`${name(FILE_ID)} AS ${ID}`, duck`file_row_number AS ${ROW}`, ...read], duck`, `)} FROM read_parquet(${storedFile(path)}, file_row_number = true)${only === undefined ? duck`` : duck` WHERE ${only}`}`;
  return nextStep(
    { steps: [], from: '', columns: new Map(), shuffled: false, groups: groupedFields(fields) },
    body,
    new Map(fields.map(({ id, name: field }) => [field, id])),
  );
}

/** The items of a table with columns `id`, `row` and the given ones (column by field name), e.g. from `keepStatement`. */
export function tableRelation(table: string, columns: ReadonlyMap<string, string>, shuffled = false): Relation {
  return { steps: [], from: table, columns, shuffled };
}

/** The relation with one more step; `body` reads from the relation's `from` and must give `id`, `row` and the columns. */
export function nextStep(
  relation: Relation,
  body: Sql,
  columns: ReadonlyMap<string, string>,
  { kept = false, shuffled = false }: { kept?: boolean; shuffled?: boolean } = {},
): Relation {
  const step = { name: `s${relation.steps.length}`, body, kept };
  return {
    ...relation,
    steps: [...relation.steps, step],
    from: step.name,
    columns,
    shuffled: relation.shuffled || shuffled || kept || body.joins === true,
  };
}

/** The column of a field; a field that the items do not have is missing everywhere. */
export function column(relation: Relation, field: string): Sql {
  const found = relation.columns.get(field);
  return found === undefined ? MISSING : name(found);
}

/** `body`, which reads from the relation's `from`, with the steps before it. */
export function withSteps(relation: Relation, body: Sql): Sql {
  if (relation.steps.length === 0) return body;
  // Spelled out since DuckDB would otherwise keep whatever is read twice, with all its columns.
  const steps = relation.steps.map(
    (step) => duck`${name(step.name)} AS ${step.kept ? duck`MATERIALIZED` : duck`NOT MATERIALIZED`} (${step.body})`,
  );
  return duck`WITH ${join(steps, duck`, `)} ${body}`;
}

/** The statement of `body` with the relation's steps before it. */
export function query(relation: Relation, body: Sql): Statement {
  return statement(withSteps(relation, body));
}

/** ORDER BY the items' order, where it is not theirs already: sorting a million items costs. */
export function inOrder(relation: Relation): Sql {
  return relation.shuffled ? duck` ORDER BY ${ROW}` : duck``;
}

/**
 * The items with the chosen fields as columns `c0`, `c1` … in the order given, `id` before them, in the items' order
 * (on a connection that preserves it, which is DuckDB's default). For COPY, pages and further stages.
 */
export function itemsQuery(relation: Relation, fields: readonly string[]): Sql {
  const chosen = fields.map((field, index) => duck`${column(relation, field)} AS ${name(`c${index}`)}`);
  const list = join([ID, ...chosen], duck`, `);
  return withSteps(relation, duck`SELECT ${list} FROM ${name(relation.from)}${inOrder(relation)}`);
}

/**
 * A temporary table of the relation's items with only the given fields, and the relation that reads it. `table` is a
 * generated name. The statement and all later ones must run on one connection.
 */
export function keepStatement(
  relation: Relation,
  table: string,
  fields: Iterable<string>,
): { statement: Statement; relation: Relation } {
  const live = [...fields].filter((field) => relation.columns.has(field));
  const columns = new Map(live.map((field, index) => [field, `k${index}`]));
  const chosen = live.map((field, index) => duck`${column(relation, field)} AS ${name(`k${index}`)}`);
  const body = duck`SELECT ${join([ID, ROW, ...chosen], duck`, `)} FROM ${name(relation.from)}`;
  return {
    statement: statement(duck`CREATE OR REPLACE TEMP TABLE ${name(table)} AS ${withSteps(relation, body)}`),
    relation: { ...relation, ...tableRelation(table, columns, relation.shuffled) },
  };
}
