import { isSource } from '#engine/ir/source-key.ts';
import { titleField } from '#catalogue/titles/title-field.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { ExplainedField, ExplainedRule, ExplainedStage, Explanation, RulePlace } from '#shared/explain/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { sourceName, type MetTable } from '#feed/stages/assignments/explain.ts';
import { OFFERED } from '#feed/plan/demand.ts';
import { passesThrough } from '#feed/plan/export-plan.ts';
import { rowReads } from '#feed/stages/construction/fields.ts';
import type { ItemTrace } from './explain.ts';
import { explainedRules } from './explained-rules.ts';
import { fieldSentence, ruleSteps, valueWords } from './sentences.ts';
import { ruleTrace, traceTables, type Trace, type Traced } from './trace-field.ts';
import type { ItemPlan } from './past-plan.ts';

/** The parts of an explanation that follow from an item's way alone. */
export type WayAnswer = Pick<Explanation, 'field' | 'answer' | 'stages' | 'fields'> & {
  title: string | null;
  excluding: ExplainedRule | undefined;
};

type AnswerInput = { now: ItemPlan; way: ItemTrace; exportName: string | undefined; field: string | undefined };

/** Converts an item's way to the wire format, marking the steps that concern the requested field. */
export function answerOfWay({ now, way, exportName, field }: AnswerInput): WayAnswer {
  const { plan, revisions } = now;
  const rows = exportName === undefined ? [] : way.construction ? way.rows : plan.construction;
  const target =
    field === undefined ? undefined : askedField(field, way, rows, plan.masterRules.concat(plan.exportRules));
  const traces: Traces = {
    way,
    master: ruleTrace(plan.masterRules, way.master.met),
    own: ruleTrace(plan.exportRules, way.own?.met ?? []),
  };
  const trace = target && traced(traces, target.sources, 'conditions');
  const tablesOf = (tables: readonly MetTable[], shares: ReadonlySet<number> | undefined) =>
    tables.map(({ reads: _reads, row, results, conditions, ...table }, index) => ({
      ...table,
      conditions: [...conditions],
      row: row ?? null,
      results: results.map(({ name, value }) => ({ name, value })),
      concerns: shares === undefined || shares.has(index),
    }));
  const master = explainedRules('master', plan.masterRules, way.master.met, trace?.master);
  const own = explainedRules('export', plan.exportRules, way.own?.met ?? [], trace?.own);
  const stages: ExplainedStage[] = [
    {
      kind: 'import',
      values: [...way.raw.values].map(([name, value]) => ({
        field: name,
        value,
        concerns: trace === undefined || trace.master.fields.has(name),
      })),
    },
    { kind: 'masterRules', revision: revisions.masterRules, rules: master },
  ];
  if (way.mappings.length > 0) {
    const tables = tablesOf(way.mappings, trace?.mappings);
    stages.push({ kind: 'mappings', revision: revisions.mappings ?? 0, tables });
  }
  if (exportName !== undefined) {
    stages.push(...stockStage(way, trace), { kind: 'exportRules', revision: revisions.exportRules, rules: own });
    if (way.tables.length > 0) stages.push({ kind: 'tables', tables: tablesOf(way.tables, trace?.tables) });
    stages.push({
      kind: 'construction',
      revision: revisions.construction,
      reached: way.construction !== undefined,
      passThrough: passesThrough(plan),
      rows: (way.construction ?? []).map((row) => ({ ...row, concerns: !target || row.name === field })),
    });
  }
  const rules = [...master, ...own];
  return {
    title: titleOf(now, way),
    excluding: rules.find(({ excluded }) => excluded),
    field:
      target === undefined || field === undefined
        ? null
        : { name: field, kind: target.kind, value: target.value, raw: rawOf(way, traces, target.sources) },
    answer: target && field !== undefined ? sentenceOf(field, target, { way, master, own, exportName, traces }) : null,
    stages,
    fields: fieldsOf(now, way, rows, traces),
  };
}

/** The stage with the stock that the channel is offered, if it is read. */
function stockStage({ offered }: ItemTrace, trace: { own: Traced } | undefined): ExplainedStage[] {
  if (offered === undefined) return [];
  const concerns = trace === undefined || trace.own.fields.has(OFFERED);
  return [{ kind: 'stock', name: sourceName(OFFERED), value: offered.value, concerns }];
}

/** The rule that excluded the item; undefined if none did. */
export function excludingOf({ plan }: ItemPlan, { master, own }: ItemTrace): ExplainedRule | undefined {
  const rules = [
    ...explainedRules('master', plan.masterRules, master.met, undefined),
    ...explainedRules('export', plan.exportRules, own?.met ?? [], undefined),
  ];
  return rules.find(({ excluded }) => excluded);
}

function titleOf({ plan }: ItemPlan, { raw }: ItemTrace): string | null {
  const named = titleField(plan.snapshot.fields);
  return (named && raw.values.get(named)) ?? null;
}

/** The meaning of a field name: a field of the export if it has one of that name, else of the catalogue or written by a rule. */
type RequestedField = {
  kind: 'export' | 'catalogue' | 'unknown';
  value: string | null;
  /** The fields, after the rules, that it is made of. */
  sources: ReadonlySet<string>;
  fixed: boolean;
};

function askedField(
  name: string,
  way: ItemTrace,
  rows: readonly ConstructionRow[],
  rules: readonly Rule[],
): RequestedField {
  const own = rows.filter(({ exportfield }) => exportfield === name);
  if (own.length > 0) {
    const sources = new Set(own.flatMap(rowReads));
    const value = way.construction?.find((row) => row.name === name)?.written ?? null;
    return { kind: 'export', value, sources, fixed: sources.size === 0 && value !== null };
  }
  const known =
    way.values.has(name) ||
    name === '_id' ||
    rules.some(({ actions }) => actions.some((action) => action.field === name));
  const value = name === '_id' ? way.raw.id : (way.values.get(name) ?? null);
  return { kind: known ? 'catalogue' : 'unknown', value, sources: new Set([name]), fixed: false };
}

type Traces = { way: ItemTrace; master: Trace; own: Trace };
type Through = Parameters<Trace>[1];

function traced({ way, own: ownTrace, master: masterTrace }: Traces, sources: ReadonlySet<string>, through: Through) {
  const tables = traceTables(way.tables, sources);
  const own = ownTrace(tables.fields, through);
  const mappings = traceTables(way.mappings, own.fields);
  const master = masterTrace(mappings.fields, through);
  return { tables: tables.shares, own, mappings: mappings.shares, master };
}

type SentenceInput = {
  way: ItemTrace;
  master: readonly ExplainedRule[];
  own: readonly ExplainedRule[];
  exportName: string | undefined;
  traces: Traces;
};

function sentenceOf(
  name: string,
  requested: RequestedField,
  { way, master, own, exportName, traces }: SentenceInput,
): string {
  if (requested.kind === 'unknown')
    return `Ein Feld „${name}“ gibt es in diesem Stand weder im Katalog noch im Export.`;
  if (requested.kind === 'export' && !way.construction) {
    const before = [...requested.sources].map(
      (field) => `${sourceName(field)} ${valueWords(way.values.get(field) ?? null)}`,
    );
    const until = before.length === 0 ? '' : ` Bis dahin war ${before.join(', ')}.`;
    return `${name} wird nicht gebildet: der Artikel ist ausgeschlossen, bevor er den Feldaufbau erreicht.${until}`;
  }
  const raw = rawOf(way, traces, requested.sources);
  const trace = traced(traces, requested.sources, 'values');
  const used = raw.filter((one) => one.used);
  return fieldSentence({
    name,
    exportName,
    kind: requested.kind,
    value: requested.value,
    raw: used.length > 0 ? used : raw,
    changes: [
      ...master.flatMap((rule) => ruleSteps(rule, name)),
      ...tableSteps(way.mappings, trace.mappings),
      ...(way.offered !== undefined && trace.own.fields.has(OFFERED)
        ? [`${sourceName(OFFERED)}: ${valueWords(way.offered.value)}`]
        : []),
      ...own.flatMap((rule) => ruleSteps(rule, name)),
      ...tableSteps(way.tables, trace.tables),
    ],
    fixed: requested.fixed,
    gone: [...requested.sources].filter((source) => !way.values.has(source)).map(sourceName),
  });
}

/** Mappings and tables that have a share in the value, as steps of a sentence. */
function tableSteps(tables: readonly MetTable[], shares: ReadonlySet<number>): string[] {
  return tables
    .filter((_, index) => shares.has(index))
    .map(({ kind, name, row, results }) => {
      const title = kind === 'mapping' ? `Mapping ${name}` : name;
      return row === undefined
        ? `${title}: keine Zeile passt`
        : `${title}, Zeile ${row}: ${valueWords(results[0]?.value ?? null)}`;
    });
}

/** The raw values of the fields that a field was made of, and its own; not those of fields that only a condition read. */
function rawOf(way: ItemTrace, traces: Traces, sources: ReadonlySet<string>): ExplainedField['raw'] {
  const made = traced(traces, sources, 'values').master.fields;
  const id = made.has('_id') && !way.raw.values.has('_id') ? [{ field: '_id', value: way.raw.id, used: true }] : [];
  const fields = [...way.raw.values].filter(([field]) => made.has(field) || sources.has(field));
  return [...id, ...fields.map(([field, value]) => ({ field, value, used: made.has(field) }))];
}

/** Every field from raw to final value: the export's fields if the item reached it, else the catalogue's. */
function fieldsOf(now: ItemPlan, way: ItemTrace, rows: readonly ConstructionRow[], traces: Traces): ExplainedField[] {
  const filed = rows.filter(({ exportfield }) => exportfield !== '');
  const named = way.construction
    ? way.construction.map(({ name, written }, index) => {
        const row = filed[index];
        return { name, value: written, sources: new Set(row ? rowReads(row) : []) };
      })
    : [...way.values]
        .filter(([name]) => !isSource(name))
        .map(([name, value]) => ({ name, value, sources: new Set([name]) }));
  return named.map(({ name, value, sources }) => {
    const trace = traced(traces, sources, 'values');
    return {
      name,
      value,
      raw: rawOf(way, traces, sources),
      changedBy: [
        ...changers('master', now.plan.masterRules, way.master.met, trace.master),
        ...changers('export', now.plan.exportRules, way.own?.met ?? [], trace.own),
      ],
    };
  });
}

/** Rules that changed one of the traced fields; a rule that wrote the value already present changed nothing. */
function changers(
  scope: 'master' | 'export',
  rules: readonly Rule[],
  met: ItemTrace['master']['met'],
  trace: Traced,
): RulePlace[] {
  let active = 0;
  return rules.flatMap((rule, index) => {
    const meeting = rule.active ? met[active++] : undefined;
    const share = trace.rules.get(index);
    const changed = meeting?.changes.some(({ field, before, after }) => before !== after && share?.has(field) === true);
    return changed === true ? [{ scope, ruleId: rule.id, number: index + 1, name: rule.name }] : [];
  });
}
