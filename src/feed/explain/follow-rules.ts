import { rulesProgram, type RuleColumns } from '#engine/duckdb/compile-rules.ts';
import type * as compiled from '#engine/ir/rules.ts';
import { layered } from '#engine/duckdb/layers.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { compileRulesInBatches, neededBy, type Batches, type Live } from '#engine/duckdb/rule-batches.ts';
import { MISSING, query } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, namesIn, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { unprocessable } from '#platform/errors.ts';
import { itemRelation, textOf, type ItemValues } from './item-values.ts';
import { settleCatalogueValues, type WholeProgram } from './whole-catalogue.ts';

/** The result of one active rule for one item; the lists are in the order of the rule. */
export type RuleTrace = {
  readonly conditions: readonly {
    readonly held: boolean;
    readonly value: string | null;
    readonly compared: string | null;
  }[];
  readonly held: boolean;
  readonly excluded: boolean;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly notCalculated: boolean;
  }[];
  /** Indices, among the rule's changes, of the calculations that could not be done. */
  readonly undone: ReadonlySet<number>;
};

/** `met` has an entry for every active rule that the item reached; `item` is undefined if one excluded it. */
export type Followed = { readonly met: readonly RuleTrace[]; readonly item: ItemValues | undefined };

/** The most rules of one statement: planning more takes longer than running two. Each ranking repeats the steps before it. */
const AT_ONCE = 25;
const RANKINGS_AT_ONCE = 5;

type Way = {
  readonly item: ItemValues;
  readonly rules: readonly Rule[];
  /** All items that reach these rules; read only if a rule depends on more than one item. */
  readonly whole: (live: Live) => Batches;
};

/** Runs one item through the active rules of a list and records every step, with the run's SQL on a single row. */
export async function followRules(
  duckdb: DuckDb,
  { item, rules, whole }: Way,
  signal?: AbortSignal,
): Promise<Followed> {
  const all = readRules(rules);
  const met: RuleTrace[] = [];
  let now = item;
  let written = 0;
  for (let [from, batch] = [0, nextBatch(all, 0)]; batch.length > 0;) {
    const done = await followBatch(duckdb, now, batch, () => wholeProgram(whole, all.slice(0, from), batch), signal);
    met.push(...done.met);
    written += sum(done.met.map(charactersOf));
    if (written > MOST_CHARACTERS) throw tooMuchText();
    if (done.met.at(-1)?.excluded === true) return { met, item: undefined };
    now = { ...now, values: done.values, groups: done.groups };
    from += batch.length;
    batch = nextBatch(all, from);
  }
  return { met, item: now };
}

/** The most characters recorded for one item: every step stores the values before and after it. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const charactersOf = ({ conditions, changes }: RuleTrace) =>
  sum(conditions.map(({ value, compared }) => (value?.length ?? 0) + (compared?.length ?? 0))) +
  sum(changes.map(({ before, after }) => (before?.length ?? 0) + (after?.length ?? 0)));

const tooMuchText = () =>
  unprocessable(
    'explanation_too_large',
    `Dieser Artikel hat zu viel Text, um ihn Schritt für Schritt zu erklären: mehr als ${MOST_CHARACTERS / 1024 / 1024} MB in allen Schritten zusammen. Bitte kürzen Sie seine längsten Werte, oder pausieren Sie für den Versuch Regeln, die sehr lange Felder ändern.`,
  );

/** The rules from an index on that fit into one statement. */
function nextBatch(rules: readonly compiled.Rule[], from: number): readonly compiled.Rule[] {
  const batch: compiled.Rule[] = [];
  let rankings = 0;
  for (const rule of rules.slice(from, from + AT_ONCE)) {
    rankings += rule.conditions.filter(
      (one) => 'test' in one && (one.test.kind === 'inHighest' || one.test.kind === 'inLowest'),
    ).length;
    if (batch.length > 0 && rankings > RANKINGS_AT_ONCE) break;
    batch.push(rule);
  }
  return batch;
}

/** Compiles a batch over all items that reach it. */
function wholeProgram(
  whole: Way['whole'],
  before: readonly compiled.Rule[],
  batch: readonly compiled.Rule[],
): WholeProgram {
  const live = neededBy(batch, new Set());
  const { statements, relation } = whole(neededBy(before, live));
  const reaching = compileRulesInBatches(relation, before, { live, table: (index) => `explained_${index}` });
  return {
    program: rulesProgram(reaching.relation, batch).program,
    statements: [...statements, ...reaching.statements],
  };
}

async function followBatch(
  duckdb: DuckDb,
  item: ItemValues,
  rules: readonly compiled.Rule[],
  whole: () => WholeProgram,
  signal: AbortSignal | undefined,
): Promise<{ met: RuleTrace[] } & Pick<ItemValues, 'values' | 'groups'>> {
  const { program, rules: columns } = rulesProgram(itemRelation(item), rules);
  const settled = await settleCatalogueValues(duckdb, program, item.row, whole, signal);
  // Results of mappings are carried with the fields.
  const fields = [...program.fields(), ...program.marks()];
  const looks = columns.flatMap(lookedAt);
  const written = columns.flatMap((one) => one.written);
  const body = duck`${list(
    columns.flatMap((one) => one.conditions),
    duck`BOOLEAN`,
  )} AS held,
    ${list(
      columns.flatMap((one) => one.unchanged),
      duck`BOOLEAN`,
    )} AS unchanged,
    ${texts(looks.map(({ value }) => value))} AS looked, ${texts(looks.map(({ compared }) => compared))} AS compared,
    ${texts(written.map(({ before }) => before))} AS before, ${texts(written.map(({ after }) => after))} AS after,
    ${texts(fields.map((field) => program.text(field)))} AS ended`;
  const { relation, place } = layered(program, [body]);
  const [row = {}] = await duckdb.all(query(relation, duck`SELECT ${place(body)} FROM ${name(relation.from)}`), signal);
  const ended = listOf(row['ended']);
  return {
    met: readBatch(row, columns, (condition) => settledOf(condition, settled)),
    values: new Map(fields.map((field, index) => [field, textOf(ended[index])])),
    groups: program.readings.all(),
  };
}

/** The item's values after the rules it met, also if one of them excluded it. */
export function valuesBehind(item: ItemValues, met: readonly RuleTrace[]): Map<string, string | null> {
  const values = new Map(item.values);
  for (const { changes } of met) for (const { field, after } of changes) values.set(field, after);
  return values;
}

/** The value that each condition of a rule tests, and the field value it compares with. */
function lookedAt({ rule, entering }: RuleColumns): { value: Sql; compared: Sql }[] {
  return rule.conditions.map((condition) => {
    if (condition.kind !== 'field') return { value: MISSING, compared: MISSING };
    const { field, test } = condition;
    const other = 'operand' in test && test.operand.from === 'field' ? test.operand.field : undefined;
    return { value: entering(field), compared: other === undefined ? MISSING : entering(other) };
  });
}

/** The threshold of a ranking condition: the last number among the n highest or lowest. */
function settledOf(condition: Sql, settled: ReadonlyMap<string, string | null>): string | null {
  for (const column of namesIn(condition)) {
    const value = settled.get(column);
    // DuckDB returns a DECIMAL with all its decimal places.
    if (value !== undefined) return value?.includes('.') === true ? value.replace(/\.?0+$/, '') : value;
  }
  return null;
}

function readBatch(
  row: Readonly<Record<string, unknown>>,
  rules: readonly RuleColumns[],
  settled: (condition: Sql) => string | null,
): RuleTrace[] {
  const next = (name: string) => {
    const values = listOf(row[name]).values();
    return () => values.next().value;
  };
  const [held, unchanged, comparedValue] = [next('held'), next('unchanged'), next('looked')];
  const [compared, before, after] = [next('compared'), next('before'), next('after')];
  const met: RuleTrace[] = [];
  for (const { rule, conditions: serialized, written } of rules) {
    const conditions = serialized.map((condition) => ({
      held: held() === true,
      value: textOf(comparedValue()),
      compared: textOf(compared()) ?? settled(condition),
    }));
    const undone = new Set(
      rule.changes.flatMap(({ kind }, at) => (kind === 'calculate' && unchanged() === true ? [at] : [])),
    );
    const failed = new Set([...undone].map((at) => rule.changes[at]?.field));
    const all = conditions.every((condition) => condition.held);
    const changes = written.map(({ field }) => ({
      field,
      before: textOf(before()),
      after: textOf(after()),
      notCalculated: failed.has(field),
    }));
    met.push({ conditions, held: all, excluded: all && rule.excludes, changes: all ? changes : [], undone });
    if (all && rule.excludes) break;
  }
  return met;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (values: readonly Sql[]) => list(values, duck`VARCHAR`);

function list(values: readonly Sql[], type: Sql): Sql {
  return values.length === 0 ? duck`CAST([] AS ${type}[])` : duck`[${join(values, duck`, `)}]`;
}
