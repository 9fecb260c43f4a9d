import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { act, always, calculate, rule, when } from '#engine/testing/case.ts';
import { type Item } from '#engine/testing/evaluator.ts';
import { CATALOGUE, catalogueFields, items, rules } from '#engine/testing/random-rules.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import { Mapping } from '#shared/assignments/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { templateWith } from '#feed/stages/validation/checked-fixture.ts';
import { writeItems } from '#feed/export/write-run.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { exportImpact } from './rule-impact.ts';
import {
  type Lists,
  exported,
  compared,
  sorted,
  construction,
  mapped,
  numbered,
  mapping,
  passed,
  edit,
  edited,
} from './two-runs-fixture.ts';

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

async function planOf(
  articles: readonly Item[],
  lists: Lists,
  construction: ConstructionRow[],
  mappings: Mapping[],
): Promise<ExportPlan> {
  const path = join(folder, 'impact.parquet');
  await writeSnapshot(connection, path, articles, CATALOGUE);
  const snapshot = {
    company: 'c',
    masterid: 'm',
    number: 1,
    items: articles.length,
    fields: catalogueFields,
    key: null,
    runid: '',
    source: '',
    createdAt: new Date(0),
  };
  return { snapshot, path, mappings, tables: noTables, construction, attributes: [], template: undefined, ...lists };
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
