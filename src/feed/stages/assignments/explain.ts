import { assign } from '#engine/duckdb/assign.ts';
import { hidden } from '#engine/ir/source-key.ts';
import { column, query, type Relation } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, duck } from '#platform/duckdb/sql.ts';
import {
  exportTables,
  filterDefinition,
  INTERNAL_FIELDS,
  type ExportTable,
  type Mapping,
} from '#shared/assignments/schema.ts';
import type { RowCondition } from '#shared/assignments/schema.ts';
import { quoted } from '#shared/rules/sentences.ts';
import { activeRows, assignRows, conditionsOf, keyOf, rowKeys, type TableRow } from './rows.ts';
import { type ExportTables, internalOf, mappingKey } from './tables.ts';

/** The result of a mapping or a table of the export for one item. Keys are the names under which relations hold sources. */
export type MetTable = {
  readonly kind: 'mapping' | ExportTable;
  readonly name: string;
  /** The row that held, from 1 in the displayed list; undefined if none did. */
  readonly row: number | undefined;
  readonly rows: number;
  readonly conditions: readonly { readonly sentence: string; readonly value: string | null }[];
  readonly results: readonly { readonly key: string; readonly name: string; readonly value: string | null }[];
  /** The keys that the row that held reads or, without one, those that any row reads. */
  readonly reads: readonly string[];
};

/** A mapping or table to follow. */
export type FollowedTable = Pick<MetTable, 'kind' | 'name'> & {
  readonly list: readonly TableRow[];
  readonly compiled: ReturnType<typeof assignRows>;
  readonly made: readonly { readonly key: string; readonly name: string; readonly output: number }[];
};

export function explainedMappings(mappings: readonly Mapping[]): FollowedTable[] {
  return mappings.map((mapping) => ({
    kind: 'mapping',
    name: mapping.name,
    list: mapping.data,
    compiled: assignRows(mapping.data),
    made: [{ key: mappingKey(mapping), name: mapping.name, output: 0 }],
  }));
}

export function askedTables(tables: ExportTables, wanted: readonly ExportTable[]): FollowedTable[] {
  return wanted.map((table) => ({
    kind: table,
    name: exportTables[table].title,
    list: tables[table],
    compiled: assignRows(tables[table], tables.targets[table]),
    made: internalOf(table).map((made) => ({ ...made, name: sourceName(made.key) })),
  }));
}

/** The most tables in one statement: each adds some nested steps. */
const AT_ONCE = 40;

type Item = { readonly id: string; readonly values: ReadonlyMap<string, string | null> };

/**
 * Runs one item through mappings or tables, and returns for each the row that held. `relationOf` makes a relation of the item's
 * values; the results are added to these values.
 */
export async function followTables<T extends Item>(
  duckdb: DuckDb,
  item: T,
  tables: readonly FollowedTable[],
  relationOf: (item: T) => Relation,
  signal?: AbortSignal,
): Promise<{ met: MetTable[]; item: T }> {
  const met: MetTable[] = [];
  let now = item;
  for (let from = 0; from < tables.length; from += AT_ONCE) {
    const batch = tables.slice(from, from + AT_ONCE);
    const done = await followBatch(duckdb, now, batch, relationOf(now), signal);
    met.push(...done.met);
    now = { ...now, values: done.values };
  }
  return { met, item: now };
}

async function followBatch(
  duckdb: DuckDb,
  item: Item,
  tables: readonly FollowedTable[],
  start: Relation,
  signal: AbortSignal | undefined,
): Promise<{ met: MetTable[]; values: Map<string, string | null> }> {
  // The index of the row that held is returned like a result.
  const indexColumn = (index: number) => hidden(`place:${index}`);
  const relation = tables.reduce((items, { compiled, made }, index) => {
    const rows = compiled.map(({ conditions, outputs }, at) => ({
      conditions,
      outputs: [...made.map(({ output }) => outputs[output] ?? ''), String(at)],
    }));
    return assign(items, rows, [...made.map(({ key }) => key), indexColumn(index)]);
  }, start);
  const keys = tables.flatMap(({ made }, index) => [...made.map(({ key }) => key), indexColumn(index)]);
  const list = join(
    keys.map((key) => column(relation, key)),
    duck`, `,
  );
  const [row] = await duckdb.all(query(relation, duck`SELECT [${list}] AS made FROM ${name(relation.from)}`), signal);
  const texts: readonly unknown[] = Array.isArray(row?.['made']) ? row['made'] : [];
  const values = new Map(item.values);
  const next = texts.values();
  const text = () => {
    const { value } = next.next();
    return typeof value === 'string' ? value : null;
  };
  const met = tables.map((table) => {
    const results = table.made.map(({ key, name: title }) => ({ key, name: title, value: text() }));
    const at = text();
    const found = metTable(table, at === null ? undefined : Number(at), results, { id: item.id, values });
    for (const { key, value } of results) values.set(key, value);
    return found;
  });
  return { met, values };
}

function metTable(table: FollowedTable, at: number | undefined, results: MetTable['results'], item: Item): MetTable {
  const active = activeRows(table.list);
  const row = at === undefined ? undefined : active[at];
  const conditions = row ? conditionsOf(row) : [];
  return {
    kind: table.kind,
    name: table.name,
    row: row && table.list.indexOf(row) + 1,
    rows: table.list.length,
    conditions: conditions.map((condition) => ({
      sentence: sentenceOf(condition),
      value: valueOf(condition, item),
    })),
    results,
    reads: rowKeys(row ? [row] : active),
  };
}

function sentenceOf({ input, filter, value }: RowCondition): string {
  const key = keyOf(input);
  const source = key === undefined ? quoted(input.value) : sourceName(key);
  return `${source} ${filterDefinition(filter).label} ${quoted(value)}`;
}

function valueOf({ input }: RowCondition, { id, values }: Item): string | null {
  const key = keyOf(input);
  if (key === undefined) return input.value;
  return key === '_id' ? id : (values.get(key) ?? null);
}

/** The name of the mapping whose result has this key; undefined for any other source. */
export const mappingOf = (key: string): string | undefined => /^\0mapping:(.*)$/s.exec(key)?.[1];

/** The display name of a source, by the key under which relations hold it. */
export function sourceName(key: string): string {
  const [, kind, rest] = /^\0(mapping|intern):(.*)$/s.exec(key) ?? [];
  if (kind === undefined || rest === undefined) return key === '_id' ? 'Artikelnummer' : key;
  if (kind === 'mapping') return `Mapping ${rest}`;
  return INTERNAL_FIELDS.find(({ value }) => value === rest)?.name ?? rest;
}
