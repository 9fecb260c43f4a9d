import { tableRelation, withSteps } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, duck, statement } from '#platform/duckdb/sql.ts';
import { ChannelTemplate } from '#shared/channels/schema.ts';
import type { z } from 'zod';
import { bitsIn } from './counts.ts';
import type { Problem } from './problem.ts';
import type { CheckedColumn } from './checked-column.ts';
import { validationStage } from './stage.ts';

/** A template with the given properties and defaults for all others. */
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

/** An item's values by field: the values of a list, or one. */
export type Item = Readonly<Record<string, string | null | readonly (string | null)[]>>;

/** The problems of each item, checked by DuckDB; columns in the order of `columns`, lists where the first item has one. */
export async function problemsOf(
  duckdb: DuckDb,
  template: ChannelTemplate,
  items: readonly Item[],
  columns: readonly string[] = Object.keys(items[0] ?? {}),
): Promise<Problem[][]> {
  const isList = (field: string) => Array.isArray(items[0]?.[field]);
  const cell = (item: Item, field: string) => {
    const value = item[field] ?? null;
    if (typeof value === 'string' || value === null)
      return isList(field) ? duck`CAST(NULL AS VARCHAR[])` : duck`CAST(${value === '' ? null : value} AS VARCHAR)`;
    const entries = value.map((entry) => duck`CAST(${entry} AS VARCHAR)`);
    return duck`list_value(${join(entries, duck`, `)})`;
  };
  const selects = items.map((item, index) => {
    const cells = columns.map((field, index) => duck`${cell(item, field)} AS ${name(`x${index}`)}`);
    return duck`SELECT ${String(index)} AS id, CAST(${index} AS BIGINT) AS row, ${join(cells, duck`, `)}`;
  });
  const relation = tableRelation('items', new Map(columns.map((_, index) => [`x${index}`, `x${index}`])));
  const checked = columns.map((field, index): CheckedColumn => {
    const known = template.fields.find((one) => one.name === field);
    const list = isList(field);
    const separator = known?.many?.separator ?? ',';
    const text = list ? duck`array_to_string(${name(`x${index}`)}, ${separator})` : name(`x${index}`);
    return {
      name: field,
      rowId: `row${index}`,
      requirement: '',
      text,
      serialized: { cell: text, cleaning: undefined, steps: [], keepsLetters: !list },
      ...(list ? { list: { entries: name(`x${index}`), separator, repeat: known?.many?.repeat ?? false } } : {}),
      ...(known ? { field: known } : {}),
    };
  });
  const { relation: done, problems, masks } = validationStage(relation, checked, template);
  const session = await duckdb.session();
  try {
    await session.all(statement(duck`CREATE OR REPLACE TEMP TABLE items AS ${join(selects, duck` UNION ALL `)}`));
    const chosen = join([name('row'), ...masks.map(name)], duck`, `);
    const rows = await session.all(
      statement(withSteps(done, duck`SELECT ${chosen} FROM ${name(done.from)} ORDER BY row`)),
    );
    return rows.map((row) =>
      bitsIn(row).flatMap(({ column, bit }) => problems.filter((one) => one.column === column && one.bit === bit)),
    );
  } finally {
    session.close();
  }
}
