import { DatabaseSync } from 'node:sqlite';
import { Engine } from 'json-rules-engine';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Action, Condition, Rule } from '#shared/rules/schema.ts';
import { fields, run, type Side } from './measure.ts';
import { snapshotOf } from './prepare.ts';
import { editedRule, fiftyRules } from './rules.ts';

/** Items that the others get, as plain objects in memory; what they take is reckoned up to the asked number. */
const FEW = { json: 5_000, sqlite: 100_000 } as const;

type PlainItem = Record<string, string | null>;

/** The first items of the catalogue, with the fields that the rules name only: the others get it easier than we do. */
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

const lower = (fact: unknown) => (typeof fact === 'string' ? fact.toLowerCase() : '');
const number = (fact: unknown) => (typeof fact === 'string' ? Number(fact.replace(',', '.')) : Number.NaN);

/** The operators that the bench's rules use, plainer than ours: floating point, no German thousands. */
const OPERATORS: Record<string, (fact: unknown, value: string) => boolean> = {
  contains: (fact, value) => lower(fact).includes(value.toLowerCase()),
  not_contains: (fact, value) => !lower(fact).includes(value.toLowerCase()),
  is_equal: (fact, value) => lower(fact) === value.toLowerCase(),
  starts_with: (fact, value) => lower(fact).startsWith(value.toLowerCase()),
  ends_with: (fact, value) => lower(fact).endsWith(value.toLowerCase()),
  is_empty: (fact) => lower(fact).trim() === '',
  is_greater_than: (fact, value) => number(fact) > Number(value),
  regex: (fact, value) => typeof fact === 'string' && new RegExp(value).test(fact),
};

function changed({ field, select, value }: Action, item: PlainItem): string {
  const first = value[0]?.value ?? '';
  if (select === 'append') return `${item[field] ?? ''}${first}`;
  if (select === 'calculate') return (number(item[first] ?? null) * Number(value[1]?.value)).toFixed(2);
  return first;
}

/** One run an item; every rule has a priority of its own, so that it sees what those above did. */
const jsonRules =
  (rules: readonly Rule[]): Side =>
  async (folder, items) => {
    const list = await plainItems(folder, FEW.json);
    const engine = new Engine([], { allowUndefinedFacts: true });
    for (const [name, test] of Object.entries(OPERATORS)) engine.addOperator(`our_${name}`, test);
    let current: PlainItem = {};
    rules.forEach((rule, index) => {
      engine.addRule({
        conditions: {
          all: rule.querys.map(({ field, select, value }) => ({ fact: field, operator: `our_${select}`, value })),
        },
        event: { type: rule.id },
        priority: rules.length - index,
        onSuccess: (_event, almanac) => {
          for (const action of rule.actions) {
            const made = changed(action, current);
            current[action.field] = made;
            almanac.addFact(action.field, made);
          }
        },
      });
    });
    const begin = performance.now();
    for (const item of list) {
      current = { ...item };
      await engine.run(item);
    }
    return ((performance.now() - begin) * items) / list.length;
  };

export const jsonRulesEngine = jsonRules(fiftyRules);
export const jsonRulesPreview = jsonRules([editedRule]);

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

/** A table in memory, filled before the time begins. SQLite has no regular expressions of its own. */
const sqlite =
  (work: (database: DatabaseSync) => void): Side =>
  async (folder, items) => {
    const list = await plainItems(folder, FEW.sqlite);
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
