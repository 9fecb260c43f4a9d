import type { DuckDBConnection } from '@duckdb/node-api';
import { join, name, ownText, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import type { Item } from './evaluator.ts';

/** Writes items to a Parquet file as imports do, and returns the relation that reads it. `fields` is the catalogue. */
export async function writeSnapshot(
  connection: DuckDBConnection,
  path: string,
  items: readonly Item[],
  fields: readonly string[],
): Promise<Relation> {
  const columns = fields.map((field, index) => ({ id: `f${String(index + 1).padStart(4, '0')}`, name: field }));
  const names = join([name(ITEM_ID), ...columns.map(({ id }) => name(id))], duck`, `);
  const text = (value: string | undefined): Sql => duck`CAST(${value ?? null} AS VARCHAR)`;
  const rows = items.map((item) => {
    const cells = [text(item.id), ...fields.map((field) => text(item.fields.get(field)))];
    return duck`(${join(cells, duck`, `)})`;
  });
  const source =
    rows.length > 0
      ? duck`VALUES ${join(rows, duck`, `)}`
      : duck`SELECT * FROM (VALUES (${join(
          [ITEM_ID, ...fields].map(() => text('')),
          duck`, `,
        )})) WHERE FALSE`;
  const copy = statement(duck`COPY (SELECT * FROM (${source}) AS t(${names})) TO ${ownText(path)} (FORMAT parquet)`);
  await connection.run(copy.sql, [...copy.values]);
  return snapshotRelation({ path, fields: columns });
}
