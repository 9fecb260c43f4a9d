import { tableRelation, withSteps } from '#engine/duckdb/relation.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { join, name, sql, statement } from '#platform/duckdb/sql.ts';
import { ChannelTemplate } from '#shared/channels/schema.ts';
import type { z } from 'zod';
import { bitsIn } from './counts.ts';
import type { Problem } from './problem.ts';
import { validationStage, type CheckedColumn } from './stage.ts';

/** A template of the given fields; the rest is usual. */
export function templateWith(more: Partial<z.input<typeof ChannelTemplate>>): ChannelTemplate {
  return ChannelTemplate.parse({
    channel: 'probe',
    name: 'Probekanal',
    description: '',
    sources: [],
    format: {},
    filename: 'probe.csv',
    groups: [],
    fields: [],
    ...more,
  });
}

/** An item's values by field; a list's values, or one. */
export type Item = Readonly<Record<string, string | null | readonly (string | null)[]>>;

/** The problems of each item, checked by DuckDB; columns in the order of `columns`, lists where the first item has one. */
export async function problemsOf(
  duck: Duck,
  template: ChannelTemplate,
  items: readonly Item[],
  columns: readonly string[] = Object.keys(items[0] ?? {}),
): Promise<Problem[][]> {
  const isList = (field: string) => Array.isArray(items[0]?.[field]);
  const cell = (item: Item, field: string) => {
    const value = item[field] ?? null;
    if (typeof value === 'string' || value === null)
      return isList(field) ? sql`CAST(NULL AS VARCHAR[])` : sql`CAST(${value === '' ? null : value} AS VARCHAR)`;
    const entries = value.map((entry) => sql`CAST(${entry} AS VARCHAR)`);
    return sql`list_value(${join(entries, sql`, `)})`;
  };
  const selects = items.map((item, index) => {
    const cells = columns.map((field, place) => sql`${cell(item, field)} AS ${name(`x${place}`)}`);
    return sql`SELECT ${String(index)} AS id, CAST(${index} AS BIGINT) AS row, ${join(cells, sql`, `)}`;
  });
  const relation = tableRelation('items', new Map(columns.map((_, place) => [`x${place}`, `x${place}`])));
  const checked = columns.map((field, place): CheckedColumn => {
    const known = template.fields.find((one) => one.name === field);
    const list = isList(field);
    const separator = known?.many?.separator ?? ',';
    const text = list ? sql`array_to_string(${name(`x${place}`)}, ${separator})` : name(`x${place}`);
    return {
      name: field,
      rowId: `row${place}`,
      requirement: '',
      text,
      spelling: { cell: text, steps: [] },
      ...(list ? { list: { entries: name(`x${place}`), separator, repeat: known?.many?.repeat ?? false } } : {}),
      ...(known ? { field: known } : {}),
    };
  });
  const { relation: done, problems, masks } = validationStage(relation, checked, template);
  const session = await duck.session();
  try {
    await session.all(statement(sql`CREATE OR REPLACE TEMP TABLE items AS ${join(selects, sql` UNION ALL `)}`));
    const chosen = join([name('row'), ...masks.map(name)], sql`, `);
    const rows = await session.all(
      statement(withSteps(done, sql`SELECT ${chosen} FROM ${name(done.from)} ORDER BY row`)),
    );
    return rows.map((row) =>
      bitsIn(row).flatMap(({ column, bit }) => problems.filter((one) => one.column === column && one.bit === bit)),
    );
  } finally {
    session.close();
  }
}
