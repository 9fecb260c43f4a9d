import type { SnapshotRecord } from '#items/snapshots.ts';
import type { Duck } from '#platform/duck.ts';
import { join, name, ownText, sql, statement } from '#platform/sql.ts';

export type ItemFields = Map<string, Record<string, string | null>>;

/** Named fields of items of a snapshot by item number; fields it does not have are left out, items it does not have too. */
export async function itemFields(
  duck: Duck,
  source: { path: string; snapshot: SnapshotRecord },
  items: readonly string[],
  fields: ReadonlySet<string>,
): Promise<ItemFields> {
  const columns = source.snapshot.fields.filter((field) => fields.has(field.name));
  if (items.length === 0) return new Map();
  const selected = join([name('_id'), ...columns.map(({ id }) => name(id))], sql`, `);
  const wanted = join(
    items.map((item) => sql`${item}`),
    sql`, `,
  );
  const rows = await duck.all(
    statement(sql`SELECT ${selected} FROM read_parquet(${ownText(source.path)}) WHERE ${name('_id')} IN (${wanted})`),
  );
  return new Map(
    rows.map((row) => [
      String(row['_id']),
      Object.fromEntries(columns.map(({ id, name: field }) => [field, textOf(row[id])])),
    ]),
  );
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
