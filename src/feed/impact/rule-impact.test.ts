import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { act, always, calculate, rule, when } from '#engine/testing/case.ts';
import { evaluate, type Item } from '#engine/testing/evaluator.ts';
import { CATALOGUE, items, rules } from '#engine/testing/random-rules.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import { Mapping } from '#shared/assignments/schema.ts';
import { ConstructionRow, partOf, type SourcePart } from '#shared/construction/schema.ts';
import type { ExportImpact } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { templateWith } from '#feed/stages/validation/checked-fixture.ts';
import { writeItems } from '#feed/export/write-run.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { exportImpact } from './rule-impact.ts';

let folder: string;
let duckdb: DuckDb;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-impact-'));
  duckdb = await DuckDb.open({ folder, threads: 1 });
  connection = await rawConnection();
});

afterAll(async () => {
  connection.closeSync();
  duckdb.close();
  await rm(folder, { recursive: true });
});

const RUNS = Number(process.env['KONTOR_RULE_RUNS'] ?? 80);

/** The rules of both scopes. */
type Lists = { readonly masterRules: readonly Rule[]; readonly exportRules: readonly Rule[] };

async function planOf(
  articles: readonly Item[],
  lists: Lists,
  construction: ConstructionRow[],
  mappings: Mapping[],
): Promise<ExportPlan> {
  const path = join(folder, 'impact.parquet');
  await writeSnapshot(connection, path, articles, CATALOGUE);
  const fields = CATALOGUE.map((name, index) => ({
    id: `f${String(index + 1).padStart(4, '0')}`,
    name,
    header: name,
    guess: 'text' as const,
    filled: 0,
    example: '',
  }));
  const snapshot = {
    company: 'c',
    masterid: 'm',
    number: 1,
    items: articles.length,
    fields,
    key: null,
    runid: '',
    source: '',
    createdAt: new Date(0),
  };
  return { snapshot, path, mappings, tables: noTables, construction, attributes: [], template: undefined, ...lists };
}

/** A row of the export as its construction defines it, computed in plain TypeScript. */
type Exported = { id: string; values: (string | null)[] };

function exported(articles: readonly Item[], lists: Lists, rows: readonly ConstructionRow[]): Exported[] {
  const behindMaster = new Map(evaluate(articles, CATALOGUE, lists.masterRules).items.map((item) => [item.id, item]));
  const all = evaluate(articles, CATALOGUE, [...lists.masterRules, ...lists.exportRules]).items;
  return all.map(({ id, fields }, at) => {
    const titled = behindMaster.get(id)?.fields.get('Titel')?.toLowerCase() ?? '';
    const mapped = titled.includes('rot') ? 'R' : titled.includes('a') ? 'A' : '';
    const part = ({ type, value }: SourcePart) => {
      if (type === '_string') return value;
      if (type === '_mapping') return mapped;
      if (type === '_intern') return String(at + 1);
      return value === '_id' ? id : (fields.get(value) ?? '');
    };
    return { id, values: rows.map((row) => row.field.map(partOf).map(part).join('') || null) };
  });
}

/** The differences between the two files, counted row by row. */
function compared(before: readonly Exported[], after: readonly Exported[], rows: readonly ConstructionRow[]) {
  const [was, is] = [new Map(before.map((one) => [one.id, one])), new Map(after.map((one) => [one.id, one]))];
  const removed = before.filter(({ id }) => !is.has(id)).map(({ id }) => id);
  const added = after.filter(({ id }) => !was.has(id)).map(({ id }) => id);
  const both = before.filter(({ id }) => is.has(id));
  const fields = rows.map((row, at) => {
    const pairs = both.map(({ id, values }) => ({
      id,
      before: values[at] ?? null,
      after: is.get(id)?.values[at] ?? null,
    }));
    const changed = pairs.filter((pair) => pair.before !== pair.after);
    return {
      name: row.exportfield,
      required: row.mp_state === 'Required',
      changed: changed.length,
      emptied: changed.filter((pair) => pair.after === null).length,
      samples: changed.slice(0, 3),
    };
  });
  const changedItems = both.filter(({ id, values }) =>
    values.some((value, at) => value !== is.get(id)?.values[at]),
  ).length;
  return {
    before: before.length,
    after: after.length,
    removed: removed.length,
    added: added.length,
    changedItems,
    changedValues: fields.reduce((sum, { changed }) => sum + changed, 0),
    fields: fields.filter(({ changed }) => changed > 0),
    removedItems: removed.slice(0, 10),
    addedItems: added.slice(0, 10),
  };
}

const sorted = (impact: Omit<ExportImpact, 'id' | 'name'>) => ({
  ...impact,
  fields: impact.fields.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
});

const row = (id: string, exportfield: string, field: object[], mp_state = '') =>
  ConstructionRow.parse({ id, exportfield, field, mp_state });
const from = (value: string, type = '_field') => ({ type, value });
const construction = [
  row('1', 'id', [from('_id')], 'Required'),
  row('2', 'title', [from('Titel')], 'Required'),
  row('3', 'both', [from('marke "x"'), from(' / ', '_string'), from('größe')]),
  row('4', 'price', [from('Preis')], 'Required'),
  row('5', 'new', [from('neu')]),
  row('6', 'fixed', [from('EUR', '_string')]),
];
const mapped = [...construction, row('7', 'mapped', [from('Farben', '_mapping')])];
const numbered = [...construction, row('8', 'number', [from('index', '_intern')])];
const mapping = Mapping.parse({
  id: 'farben',
  name: 'Farben',
  active: true,
  data: [
    { id: '1', field: [from('Titel')], filter: 'contains', value: 'rot', target: 'R' },
    { id: '2', field: [from('Titel')], filter: 'contains', value: 'A', target: 'A' },
  ],
});
const passed = [...CATALOGUE, 'neu'].map((name) => row(name, name, [from(name)]));

/** A list of rules as a user may have edited it. */
const edit = fc.record({
  kind: fc.constantFrom('drop', 'add', 'swap', 'pause', 'replace'),
  at: fc.nat({ max: 9 }),
  with: rules,
});
function edited(list: readonly Rule[], edits: readonly { kind: string; at: number; with: Rule[] }[]): Rule[] {
  let now = [...list];
  for (const { kind, at, with: others } of edits) {
    const index = now.length === 0 ? 0 : at % now.length;
    const [one, next, other] = [now[index], now[index + 1], others[0]];
    if (kind === 'drop') now = now.toSpliced(index, 1);
    if (kind === 'add' && other) now = now.toSpliced(index, 0, other);
    if (kind === 'replace' && other) now = now.toSpliced(index, 1, other);
    if (kind === 'swap' && one && next) now = now.toSpliced(index, 2, next, one);
    if (kind === 'pause' && one) now = now.toSpliced(index, 1, { ...one, active: !one.active });
  }
  return now;
}

test(
  'RUL-15 random edits of random rules: the impact on an export equals comparing two whole runs',
  { timeout: 60_000 + RUNS * 2_000 },
  async () => {
    let [changed, untouched] = [0, 0];
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    const kind = fc.constantFrom('rows', 'mapping', 'passed', 'numbered');
    await fc.assert(
      fc.asyncProperty(
        items,
        rules,
        rules,
        edits,
        fc.boolean(),
        kind,
        async (articles, one, two, made, inMaster, of) => {
          const saved: Lists = { masterRules: one, exportRules: two };
          const then: Lists = inMaster
            ? { ...saved, masterRules: edited(one, made) }
            : { ...saved, exportRules: edited(two, made) };
          const rows = { rows: construction, mapping: mapped, passed, numbered }[of];
          const plan = await planOf(articles, saved, of === 'passed' ? [] : rows, of === 'mapping' ? [mapping] : []);
          const impact = await exportImpact(duckdb, plan, then);
          const expected = compared(exported(articles, saved, rows), exported(articles, then, rows), rows);
          expect(sorted(impact)).toEqual(sorted(expected));
          if (impact.changedValues + impact.removed + impact.added > 0) changed += 1;
          else untouched += 1;
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    console.info(`${changed} impacts, ${untouched} times none`);
    expect(Math.min(changed, untouched)).toBeGreaterThan(RUNS / 40);
  },
);

const written = OutputFormat.parse({ kind: 'jsonl' });
/** Fields of the constructions above with every kind of check: required, typed, required if another is filled, unique. */
const template = templateWith({
  fields: [
    { name: 'title', title: 'Titel', group: '', requirement: 'Required', type: 'text', maxLength: 8 },
    { name: 'price', title: 'Preis', group: '', requirement: 'Optional', type: 'price' },
    {
      name: 'new',
      title: 'Neu',
      group: '',
      requirement: 'Optional',
      type: 'text',
      when: [{ field: 'mapped', is: 'filled' }],
    },
    { name: 'both', title: 'Beides', group: '', requirement: 'Optional', type: 'text', unique: true },
  ],
});

/** The numbers of the items that a run writes for an export that omits items with errors. */
async function inRun(plan: ExportPlan): Promise<Set<string>> {
  const file = (ending: string) => join(folder, `run.${ending}`);
  const run = { constructed: validatedItems(plan, written), temporary: file, made: [], signal: AbortSignal.any([]) };
  await writeItems(duckdb, run, true);
  const rows = await duckdb.all(statement(duck`SELECT _id FROM read_parquet(${storedFile(file('parquet'))})`));
  return new Set(rows.map((one) => String(one['_id'])));
}

test(
  'RUL-15 if items with errors are left out, the impact equals comparing the items of two runs',
  { timeout: 60_000 + RUNS * 2_000 },
  async () => {
    let [moved, untouched] = [0, 0];
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    const kind = fc.constantFrom('rows', 'mapping', 'passed', 'numbered');
    const random = [items, rules, rules, edits, fc.boolean(), kind, fc.boolean()] as const;
    await fc.assert(
      fc.asyncProperty(...random, async (articles, one, two, made, inMaster, of, known) => {
        const saved: Lists = { masterRules: one, exportRules: two };
        const then: Lists = inMaster
          ? { ...saved, masterRules: edited(one, made) }
          : { ...saved, exportRules: edited(two, made) };
        const rows = { rows: construction, mapping: mapped, passed, numbered }[of];
        const bare = await planOf(articles, saved, of === 'passed' ? [] : rows, of === 'mapping' ? [mapping] : []);
        const plan: ExportPlan = known ? { ...bare, template } : bare;
        const impact = await exportImpact(duckdb, plan, then, { omitting: written });
        const [was, is] = [await inRun(plan), await inRun({ ...plan, ...then })];
        const before = exported(articles, saved, rows).filter(({ id }) => was.has(id));
        const after = exported(articles, then, rows).filter(({ id }) => is.has(id));
        const expected = compared(before, after, rows);
        // If no item can become valid or invalid, the number of valid items is not computed.
        const same = expected.removed + expected.added === 0 && impact.before > before.length;
        if (same) expect(impact).toMatchObject({ removed: 0, added: 0, after: impact.before });
        else expect(sorted(impact)).toEqual(sorted(expected));
        if (impact.removed + impact.added > 0) moved += 1;
        else untouched += 1;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    console.info(`${moved} times items moved, ${untouched} times none`);
    expect(Math.min(moved, untouched)).toBeGreaterThan(RUNS / 40);
  },
);

test('RUL-15 emptying a required title removes its items from an export without errors, filling it adds them', async () => {
  const titles = ['Hose', 'Schuh', ''];
  const articles: Item[] = titles.map((title, at) => ({
    id: `A${at}`,
    fields: new Map([
      ['Titel', title],
      ['Preis', '1'],
    ]),
  }));
  const saved = { masterRules: [], exportRules: [] };
  const plan = await planOf(articles, saved, construction, []);
  const impactOf = (exportRules: Rule[]) =>
    exportImpact(duckdb, plan, { ...saved, exportRules }, { omitting: written });
  const emptied = await impactOf([rule([when('Titel', 'is_equal', 'Hose')], [act('Titel', 'set', '')])]);
  expect(emptied).toMatchObject({ before: 2, after: 1, removed: 1, added: 0, removedItems: ['A0'], changedItems: 0 });
  const filled = await impactOf([rule([when('Titel', 'is_empty', '')], [act('Titel', 'set', 'Neu')])]);
  expect(filled).toMatchObject({ before: 2, after: 3, removed: 0, added: 1, addedItems: ['A2'] });
  const unchecked = await impactOf([rule([always()], [act('größe', 'set', 'L')])]);
  expect(unchecked).toMatchObject({ removed: 0, added: 0, changedValues: 3 });
});

test('RUL-15 an impact of 500 rules that build on each other is computed', { timeout: 120_000 }, async () => {
  const chained = Array.from({ length: 500 }, (_, at) =>
    rule(
      [when('Titel', 'contains', at === 0 ? 'schuh' : `-${at - 1}-`)],
      [act('Titel', 'append', `-${at}-`), calculate('Preis', 'add', '1')],
    ),
  );
  const articles: Item[] = ['Schuh', 'Hose'].map((title, at) => ({
    id: `A${at}`,
    fields: new Map([
      ['Titel', title],
      ['Preis', '1'],
    ]),
  }));
  const saved = { masterRules: chained, exportRules: [] };
  const plan = await planOf(articles, saved, construction, []);
  const impact = await exportImpact(duckdb, plan, {
    ...saved,
    masterRules: chained.toSpliced(250, 1, rule([always()], [act('größe', 'set', 'L')])),
  });
  expect(impact).toMatchObject({ before: 2, after: 2, changedItems: 2 });
  expect(impact.fields.map(({ name, changed }) => [name, changed])).toEqual([
    ['both', 2],
    ['title', 1],
    ['price', 1],
  ]);
  expect(impact.fields.find(({ name }) => name === 'price')?.samples).toEqual([
    { id: 'A0', before: '501.00', after: '251.00' },
  ]);
});

test('RUL-15 excluding an item changes the running numbers of the items after it', async () => {
  const articles: Item[] = ['Hose', 'Schuh', 'Rock'].map((title, at) => ({
    id: `A${at}`,
    fields: new Map([['Titel', title]]),
  }));
  const saved = { masterRules: [], exportRules: [] };
  const without = [rule([when('Titel', 'is_equal', 'Hose')], [act('@ALL@', 'unset')])];
  const plan = await planOf(articles, saved, numbered, []);
  for (const then of [
    { ...saved, masterRules: without },
    { ...saved, exportRules: without },
  ]) {
    const impact = await exportImpact(duckdb, plan, then);
    expect(sorted(impact)).toEqual(
      sorted(compared(exported(articles, saved, numbered), exported(articles, then, numbered), numbered)),
    );
    expect(impact.fields.map(({ name, changed }) => [name, changed])).toEqual([['number', 2]]);
  }
});
