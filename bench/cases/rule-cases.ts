import { compileRules } from '#engine/duckdb/compile-rules.ts';
import { namedFields } from '#engine/ir/fields-of.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { inOrder, keepStatement, query, snapshotRelation, withSteps } from '#engine/duckdb/relation.ts';
import { compileRulesInBatches } from '#engine/duckdb/rule-batches.ts';
import { countRulesInBatches } from '#engine/analysis/rule-counts.ts';
import { countEffect, effectItems } from '#engine/analysis/rule-effect.ts';
import { previewBase, previewFields } from '#engine/analysis/rule-preview.ts';
import { ruleOverlaps } from '#engine/analysis/rule-overlaps.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { passThrough } from '#feed/stages/construction/fields.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { exportImpact } from '#feed/impact/rule-impact.ts';
import { DuckDb, type DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { PARQUET, ROW_GROUP } from '#platform/duckdb/parquet.ts';
import { join as joinSql, name, ownText, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import type { Rule as Compiled } from '#engine/ir/rules.ts';
import { type Case, fields, idOf, relationOf, run, scratch, type Side, snapshot, timed } from './measure.ts';
import { sqlitePreview, sqliteUpdates } from './others.ts';
import { snapshotOf } from './prepare.ts';
import { editedRule, fiftyRules, manyRules, replacingRule } from './rules.ts';

const table = (index: number) => `bench_${index}`;

/** Applies the fifty rules to all fields and writes the result as a file like the snapshot. */
const written = timed((duckdb, folder) => {
  const done = compileRules(relationOf(folder), readRules(fiftyRules), { live: 'all' });
  const columns = joinSql([name('id'), ...[...done.columns.values()].map(name)], duck`, `);
  const body = duck`SELECT ${columns} FROM ${name(done.from)}${inOrder(done)}`;
  const target = ownText(scratch(folder, 'rules.parquet'));
  return duckdb.all(statement(duck`COPY (${withSteps(done, body)}) TO ${target} ${PARQUET}`));
});

const copied = timed((duckdb, folder) =>
  run(
    duckdb,
    `COPY (SELECT * FROM read_parquet('${snapshotOf(folder)}')) TO '${scratch(folder, 'copy.parquet')}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`,
  ),
);

const letters = (column: Sql, from: Sql) => duck`SELECT sum(strlen(${column})) FROM ${from}`;
const replacing = timed((duckdb, folder) => {
  const done = compileRules(relationOf(folder), readRules([replacingRule]), { live: new Set(['Beschreibung']) });
  return duckdb.all(statement(withSteps(done, letters(name(done.columns.get('Beschreibung') ?? ''), name(done.from)))));
});
const unreplaced = timed((duckdb, folder) => {
  const items = relationOf(folder);
  return duckdb.all(statement(withSteps(items, letters(name(idOf(folder, 'Beschreibung')), name(items.from)))));
});

/** Counts the edited rule's matches, by hand-written SQL. */
const bareCount = timed((duckdb, folder) =>
  run(
    duckdb,
    `SELECT count(*) FROM read_parquet('${snapshotOf(folder)}') WHERE contains(lower(${idOf(folder, 'Titel')}), 'schrauber')`,
  ),
);

/** Runs a screen's query after a keystroke: the counts, and ten items before and after. */
async function effectOn(session: DuckDbSession, relation: Relation, rules: readonly Compiled[]): Promise<void> {
  const count = countEffect(relation, rules, editedRule.id, { sample: 10 });
  const [row = {}] = await session.all(count.statement);
  const { changed, same } = count.read(row);
  const rows = [...changed, ...same].slice(0, 10);
  await session.all(effectItems(relation, rules, editedRule.id, { rows, title: 'Titel' }).statement);
}

const preview: Side = async (folder) => {
  const session = await (await DuckDb.open({ folder })).session();
  const begin = performance.now();
  await effectOn(session, relationOf(folder), readRules([editedRule]));
  return performance.now() - begin;
};

/** When typing begins, the items before the rule are stored; `whole` includes that, otherwise one later keystroke is timed. */
const keystroke =
  (whole: boolean): Side =>
  async (folder) => {
    const session = await (await DuckDb.open({ folder })).session();
    const begin = performance.now();
    const rules = readRules([...fiftyRules, editedRule]);
    const last = rules.slice(-1);
    const live = previewFields(last[0] ?? { id: '', conditions: [], changes: [], excludes: false }, ['Titel']);
    const base = previewBase(relationOf(folder), rules.slice(0, -1), { live, table });
    for (const first of base.statements) await session.all(first);
    const typing = performance.now();
    await effectOn(session, base.relation, last);
    return performance.now() - (whole ? begin : typing);
  };

const counts = timed((duckdb, folder) => {
  const steps = countRulesInBatches(relationOf(folder), readRules(fiftyRules), { table });
  return duckdb.last(steps.map((step) => step.statement));
});

const findings = timed((duckdb, folder) => {
  const steps = ruleOverlaps(relationOf(folder), readRules(fiftyRules), 0, { table });
  return duckdb.last(steps.map((step) => step.statement));
});

/** Applies the fifty rules to the fields that they name, with the result kept in memory. */
const stored = timed((duckdb, folder) => {
  const rules = readRules(fiftyRules);
  const live = new Set(rules.flatMap((rule) => [...namedFields(rule)]));
  const done = compileRules(relationOf(folder), rules, { live });
  return duckdb.all(keepStatement(done, 'kept', done.columns.keys()).statement);
});

/** An export of 30 fields that takes every field unchanged, with one edited rule in the middle. */
const impact = timed(async (duckdb, folder, items) => {
  const plan: ExportPlan = {
    snapshot: snapshot(folder, items),
    path: snapshotOf(folder),
    masterRules: fiftyRules,
    mappings: [],
    exportRules: [],
    tables: noTables,
    attributes: [],
    template: undefined,
    construction: passThrough(
      fields(folder)
        .slice(0, 30)
        .map((field) => field.name),
    ),
  };
  const edited = fiftyRules.toSpliced(20, 1, { ...editedRule, id: 'Edited0000' });
  await exportImpact(duckdb, plan, { masterRules: edited, exportRules: [] });
});

/** Only compiles and plans: there are no items, so that running the statements of all batches costs nothing. */
const plan500: Side = async (folder) => {
  const duckdb = await DuckDb.open({ folder });
  const path = scratch(folder, 'empty.parquet');
  await run(duckdb, `COPY (SELECT * FROM read_parquet('${snapshotOf(folder)}') LIMIT 0) TO '${path}' (FORMAT parquet)`);
  const items = snapshotRelation({ path, fields: fields(folder) });
  const begin = performance.now();
  const { statements, relation } = compileRulesInBatches(items, readRules(manyRules(500)), { live: 'all', table });
  await duckdb.last([...statements, query(relation, duck`SELECT * FROM ${name(relation.from)}`)]);
  return performance.now() - begin;
};

const oneSecond: Side = () => Promise.resolve(1_000);

/** Cost of the rules, of queries about them, and of other tools for the same. */
export const ruleCases: Record<string, Case> = {
  rules: {
    title: '50 Regeln, Ergebnis geschrieben',
    goal: 1.15,
    baseline: 'Kopie desselben Stands ohne Regeln',
    ours: written,
    bare: copied,
  },
  replacing: {
    title: '20 Zeilen suchen und ersetzen',
    goal: 3,
    baseline: 'dieselbe Spalte gelesen',
    ours: replacing,
    bare: unreplaced,
  },
  rulesSqlite: {
    title: '  dieselben 50 Regeln',
    goal: 1,
    baseline: 'SQLite im Speicher, 50 UPDATEs (bis 100.000 Artikel, hochgerechnet)',
    ours: stored,
    bare: sqliteUpdates,
  },
  preview: {
    title: 'Vorschau einer Regel (Zahl + 10)',
    goal: 1.3,
    baseline: 'count(*) mit derselben Bedingung von Hand',
    ours: preview,
    bare: bareCount,
  },
  previewSqlite: {
    title: '  dieselbe Vorschau',
    goal: 1,
    baseline: 'SQLite im Speicher (bis 100.000 Artikel, hochgerechnet)',
    ours: preview,
    bare: sqlitePreview,
  },
  keystroke: {
    title: 'Taste hinter 50 Regeln',
    goal: 3,
    baseline: 'count(*) mit derselben Bedingung von Hand',
    ours: keystroke(false),
    bare: bareCount,
  },
  firstKey: {
    title: '  die erste Taste',
    goal: 1.5,
    baseline: '50 Regeln, Ergebnis geschrieben',
    ours: keystroke(true),
    bare: written,
  },
  counts: {
    title: 'Zahlen aller 50 Regeln',
    goal: 1.5,
    baseline: '50 Regeln, Ergebnis geschrieben',
    ours: counts,
    bare: written,
  },
  findings: {
    title: 'Prüfung von 50 Regeln, erster Lauf',
    goal: 2,
    baseline: '50 Regeln, Ergebnis geschrieben',
    ours: findings,
    bare: written,
  },
  impact: {
    title: 'Auswirkung auf einen Export (30 Felder)',
    goal: 2,
    baseline: '50 Regeln, Ergebnis geschrieben',
    ours: impact,
    bare: written,
  },
  plan500: { title: '500 Regeln, nur der Plan', goal: 1, baseline: '1 Sekunde', ours: plan500, bare: oneSecond },
};
