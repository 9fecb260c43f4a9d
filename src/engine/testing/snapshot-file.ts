import type { DuckDBConnection } from '@duckdb/node-api';
import { join, name, ownText, sql, statement, type Sql } from '#platform/duckdb/sql.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import type { Item } from './evaluator.ts';

/** Writes items into a Parquet file as imports do, and gives the relation that reads it. `fields` is the catalogue. */
export async function writeSnapshot(
  connection: DuckDBConnection,
  path: string,
  items: readonly Item[],
  fields: readonly string[],
): Promise<Relation> {
  const columns = fields.map((field, index) => ({ id: `f${String(index + 1).padStart(4, '0')}`, name: field }));
  const names = join([name(ITEM_ID), ...columns.map(({ id }) => name(id))], sql`, `);
  const text = (value: string | undefined): Sql => sql`CAST(${value ?? null} AS VARCHAR)`;
  const rows = items.map((item) => {
    const cells = [text(item.id), ...fields.map((field) => text(item.fields.get(field)))];
    return sql`(${join(cells, sql`, `)})`;
  });
  const source =
    rows.length > 0
      ? sql`VALUES ${join(rows, sql`, `)}`
      : sql`SELECT * FROM (VALUES (${join(
          [ITEM_ID, ...fields].map(() => text('')),
          sql`, `,
        )})) WHERE FALSE`;
  const copy = statement(sql`COPY (SELECT * FROM (${source}) AS t(${names})) TO ${ownText(path)} (FORMAT parquet)`);
  await connection.run(copy.sql, [...copy.values]);
  return snapshotRelation({ path, fields: columns });
}
