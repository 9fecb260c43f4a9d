import type { DuckDBConnection } from '@duckdb/node-api';
import type { Statement } from '#platform/duckdb/sql.ts';
import { statement } from '#platform/duckdb/sql.ts';
import type { Query } from '#engine/duckdb/aggregates.ts';
import { compileRules } from '#engine/duckdb/compile-rules.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { itemsQuery, type Relation } from '#engine/duckdb/relation.ts';
import type { Item } from './evaluator.ts';

type Row = Readonly<Record<string, unknown>>;

/** Returns all rows of a statement on the test's connection. */
export async function rowsOf(connection: DuckDBConnection, { sql, values }: Statement): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql, [...values]);
  return reader.getRowObjectsJS();
}

/** Returns the result of a statement with a single row. */
export async function answerOf<T>(connection: DuckDBConnection, query: Query<T>): Promise<T> {
  const [row] = await rowsOf(connection, query.statement);
  return query.read(row ?? {});
}

/** Returns the items after the rules, as the compiled statement yields them. */
export async function itemsAfter(
  connection: DuckDBConnection,
  relation: Relation,
  rules: readonly Rule[],
): Promise<Item[]> {
  const done = compileRules(relation, rules, { live: 'all' });
  const fields = [...done.columns.keys()];
  const rows = await rowsOf(connection, statement(itemsQuery(done, fields)));
  return rows.map((row) => {
    const cells = fields.map((field, index) => [field, row[`c${index}`]] as const);
    return {
      id: String(row['id']),
      fields: new Map(cells.filter((cell): cell is [string, string] => typeof cell[1] === 'string')),
    };
  });
}

/** Serializes items to plain texts that can be compared. */
export function shown(items: readonly Item[]): string[] {
  return items.map(({ id, fields }) => JSON.stringify([id, ...[...fields].toSorted(([a], [b]) => (a < b ? -1 : 1))]));
}
