import { DatabaseSync } from 'node:sqlite';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Action, Condition, Rule } from '#shared/rules/schema.ts';
import { fields, run, type Side } from './measure.ts';
import { snapshotOf } from './prepare.ts';
import { editedRule, fiftyRules } from './rules.ts';

/** Items that other tools get, in memory; their time is extrapolated to the requested number. */
const FEW = 100_000;

type PlainItem = Record<string, string | null>;

/** Returns the first items of the catalogue with only the fields that the rules name: an advantage for the other tools. */
async function plainItems(folder: string, limit: number): Promise<PlainItem[]> {
  const used = new Set([
    'Preis',
    ...fiftyRules.flatMap(({ querys, actions }) => [...querys, ...actions].map(({ field }) => field)),
  ]);
  const columns = fields(folder).filter(({ name }) => used.has(name));
  const list = columns.map(({ id }) => id).join(', ');
  const duckdb = await DuckDb.open({ folder });
  const rows = await run(duckdb, `SELECT ${list} FROM read_parquet('${snapshotOf(folder)}') LIMIT ${limit}`);
  duckdb.close();
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return rows.map((row) => Object.fromEntries(columns.map(({ id, name }) => [name, text(row[id])])));
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
const column = (field: string) => `"${field}"`;

function condition({ field, select, value }: Condition): string {
  const lowered = `lower(coalesce(${column(field)}, ''))`;
  const word = quoted(value.toLowerCase());
  const serialized: Record<string, string> = {
    contains: `instr(${lowered}, ${word}) > 0`,
    not_contains: `instr(${lowered}, ${word}) = 0`,
    is_equal: `${lowered} = ${word}`,
    starts_with: `substr(${lowered}, 1, ${value.length}) = ${word}`,
    ends_with: `substr(${lowered}, -${value.length}) = ${word}`,
    is_empty: `trim(coalesce(${column(field)}, '')) = ''`,
    is_greater_than: `CAST(replace(${column(field)}, ',', '.') AS REAL) > ${Number(value)}`,
    regex: `matches(${column(field)}, ${quoted(value)})`,
  };
  const found = serialized[select];
  if (found === undefined) throw new Error(`The bench's rules do not use ${select}`);
  return `(${found})`;
}

function assignment({ field, select, value }: Action): string {
  const first = value[0]?.value ?? '';
  if (select === 'append') return `${column(field)} = coalesce(${column(field)}, '') || ${quoted(first)}`;
  if (select !== 'calculate') return `${column(field)} = ${quoted(first)}`;
  const product = `CAST(replace(${column(first)}, ',', '.') AS REAL) * ${Number(value[1]?.value)}`;
  return `${column(field)} = printf('%.2f', ${product})`;
}

const whereOf = ({ querys }: Rule) => querys.map(condition).join(' AND ');

/** A table in memory, filled before timing starts. SQLite has no regular expressions of its own. */
const sqlite =
  (work: (database: DatabaseSync) => void): Side =>
  async (folder, items) => {
    const list = await plainItems(folder, FEW);
    const names = Object.keys(list[0] ?? {});
    const database = new DatabaseSync(':memory:');
    const patterns = new Map<string, RegExp>();
    database.function('matches', { deterministic: true }, (text, pattern) => {
      const known = patterns.get(String(pattern)) ?? new RegExp(String(pattern));
      patterns.set(String(pattern), known);
      return typeof text === 'string' && known.test(text) ? 1 : 0;
    });
    database.exec(`CREATE TABLE items (${names.map((name) => `${column(name)} TEXT`).join(', ')})`);
    const insert = database.prepare(`INSERT INTO items VALUES (${names.map(() => '?').join(', ')})`);
    database.exec('BEGIN');
    for (const item of list) insert.run(...names.map((name) => item[name] ?? null));
    database.exec('COMMIT');
    const begin = performance.now();
    database.exec('BEGIN');
    work(database);
    database.exec('COMMIT');
    return ((performance.now() - begin) * items) / list.length;
  };

export const sqliteUpdates = sqlite((database) => {
  for (const rule of fiftyRules) {
    database.exec(`UPDATE items SET ${rule.actions.map(assignment).join(', ')} WHERE ${whereOf(rule)}`);
  }
});

export const sqlitePreview = sqlite((database) => {
  database.prepare(`SELECT count(*) FROM items WHERE ${whereOf(editedRule)}`).get();
  database.prepare(`SELECT * FROM items WHERE ${whereOf(editedRule)} LIMIT 10`).all();
});
