import { BLANK_CLASS } from '#engine/duckdb/number.ts';
import { ID, nextStep, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { join, keyOf, name, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { ChannelField, type ChannelTemplate } from '#shared/channels/schema.ts';
import type { Requirement } from '#shared/channels/requirement.ts';
import { numberTypes, valueChecks, type Check, type Value } from './field-checks.ts';
import { gtinNumber } from './gtin.ts';
import { itemChecks, requirementOf, type ItemField } from './item-checks.ts';
import { bitsOf, checkedBits, Masks } from './masks.ts';
import { canonical, short } from './numbers.ts';
import { maskName, type Problem } from './problem.ts';

/** A column of the export as it goes out. `text` and `entries` read the relation's columns. */
export type CheckedColumn = {
  readonly name: string;
  readonly rowId: string;
  /** What the construction row says of it. */
  readonly requirement: Requirement;
  readonly text: Sql;
  /** The same step by step. */
  readonly serialized: { readonly cell: Sql; readonly steps: readonly ((text: Sql) => Sql)[] };
  /** VARCHAR[], one entry for each value; `separator` joins them in one column. */
  readonly list?: { readonly entries: Sql; readonly separator: string; readonly repeat: boolean };
  readonly field?: ChannelField;
};

export type Validated = {
  /** The same columns and `_problems0` and so on. */
  readonly relation: Relation;
  readonly problems: readonly Problem[];
  /** Names of the mask columns. */
  readonly masks: readonly string[];
  readonly unique: readonly Unique[];
};

/** A field in which every item must have its own value; one item alone cannot tell, so the written file is checked (unique.ts). */
export type Unique = { readonly text: Sql; readonly problem: Omit<Problem, 'column' | 'bit'> };

/** Columns that the channel's template does not know are looked through for what harms any file. */
const unknownField = (column: string): ChannelField =>
  ChannelField.parse({ name: column, title: column, group: '', requirement: '', type: 'html' });

/**
 * Every item checked against the channel's template, as one more stage: what is wrong with it stands as bits in mask
 * columns, so that the run writes it along in the pass it makes anyway.
 */
export function validationStage(
  relation: Relation,
  columns: readonly CheckedColumn[],
  template: ChannelTemplate | undefined,
): Validated {
  const known = template !== undefined && template.fields.length > 0;
  const checked = columns.map((column, index) => checkedOf(column, index, known));
  const fields = [...checked.map(({ item }) => item), ...absentFields(checked, template)];
  const serialized = serializedSteps(relation, checked);
  const masks = new Masks();
  for (const column of checked) addField(masks, column, fields, template);
  for (const field of fields.filter(({ column }) => column === undefined)) addMissing(masks, field, fields);
  for (const { problem, holds } of itemChecks(template, fields)) {
    const [placed] = masks.take([problem]);
    if (placed) masks.set(bitsOf([{ problem: placed, holds }]));
  }
  const added = masks.masks();
  const columnNames = [...relation.columns].map(([, column]) => name(column));
  const bits = added.map((mask, index) => duck`${mask} AS ${name(maskName(index))}`);
  const done = nextStep(
    serialized,
    duck`SELECT ${join([ID, ROW, ...columnNames, ...bits], duck`, `)} FROM ${name(serialized.from)}`,
    relation.columns,
  );
  return {
    relation: added.length === 0 ? relation : done,
    problems: masks.problems,
    masks: added.map((_, index) => maskName(index)),
    unique: known ? uniqueFields(columns) : [],
  };
}

type Checked = {
  readonly column: CheckedColumn;
  readonly index: number;
  readonly item: ItemField;
  /** undefined: it is only checked whether it is filled. */
  readonly field: ChannelField | undefined;
};

function checkedOf(column: CheckedColumn, index: number, known: boolean): Checked {
  const item: ItemField = {
    name: column.name,
    title: column.field?.title ?? column.name,
    text: name(`t${index}`),
    number: listOf(column) ? undefined : name(`d${index}`),
    column: index,
    rowId: column.rowId,
    field: column.field,
    requirement: column.requirement,
  };
  return { column, index, item, field: column.field ?? (known ? unknownField(column.name) : undefined) };
}

/** What the channel asks for and the construction does not have; a condition may make any field required. */
function absentFields(checked: readonly Checked[], template: ChannelTemplate | undefined): ItemField[] {
  const there = new Set(checked.map(({ column }) => column.name));
  return (template?.fields ?? [])
    .filter((field) => !there.has(field.name))
    .map((field) => ({
      name: field.name,
      title: field.title,
      text: duck`CAST(NULL AS VARCHAR)`,
      number: undefined,
      column: undefined,
      rowId: null,
      field,
      requirement: '' as const,
    }));
}

/** Texts as they go out, then the numbers in them, each computed once for all checks. */
function serializedSteps(relation: Relation, checked: readonly Checked[]): Relation {
  const texts = textSteps(relation, checked);
  const entries = checked.flatMap(({ column, index }) => {
    const list = listOf(column);
    return list ? [duck`${list.entriesOf(name(`t${index}`))} AS ${name(`e${index}`)}`] : [];
  });
  const withEntries = entries.length === 0 ? texts : step(texts, [duck`*`, ...entries]);
  const serialized = replacing(
    withEntries,
    checked.map(({ index }) => ({ column: name(`t${index}`), by: notBlank(name(`t${index}`)) })),
  );
  const numeric = checked.filter(({ column, field }) => !listOf(column) && field && numberTypes.has(field.type));
  if (numeric.length === 0) return serialized;
  const number = numeric.map(({ field, index }) => duck`${numberIn(name(`t${index}`), field)} AS ${name(`n${index}`)}`);
  const numbers = step(serialized, [duck`*`, ...number]);
  const shorts = numeric
    .filter(({ field }) => field?.type !== 'gtin')
    .map(({ index }) => duck`${short(name(`n${index}`))} AS ${name(`d${index}`)}`);
  return step(numbers, [duck`*`, ...shorts]);
}

/** Most steps look at their text more than once: written into each other they would make statements of megabytes. */
function textSteps(relation: Relation, checked: readonly Checked[]): Relation {
  const columns = [...relation.columns].map(([, column]) => name(column));
  const cells = checked.map(({ column, index }) => duck`${column.serialized.cell} AS ${name(`t${index}`)}`);
  const most = Math.max(0, ...checked.map(({ column }) => column.serialized.steps.length));
  return Array.from({ length: most }).reduce<Relation>(
    (before, _, at) =>
      replacing(
        before,
        checked.flatMap(({ column: { serialized }, index }) => {
          const make = serialized.steps[at];
          return make ? [{ column: name(`t${index}`), by: make(name(`t${index}`)) }] : [];
        }),
      ),
    step(relation, [ID, ROW, ...columns, ...cells]),
  );
}

const step = (before: Relation, chosen: readonly Sql[]): Relation =>
  nextStep(before, duck`SELECT ${join(chosen, duck`, `)} FROM ${name(before.from)}`, before.columns);

function replacing(before: Relation, columns: readonly { column: Sql; by: Sql }[]): Relation {
  if (columns.length === 0) return before;
  const replaced = columns.map(({ column, by }) => duck`${by} AS ${column}`);
  return step(before, [duck`* REPLACE (${join(replaced, duck`, `)})`]);
}

const numberIn = (text: Sql, field: ChannelField | undefined): Sql =>
  field?.type === 'gtin' ? gtinNumber(text) : canonical(text, field?.type === 'price');

/** Blank texts count as missing. Only a first letter in these ranges can begin one, so few texts are looked at. */
function notBlank(text: Sql): Sql {
  const blankStart = duck`(${text} < '!' OR ${text} BETWEEN '\u0085' AND '\u00a1' OR ${text} BETWEEN '\u1680' AND '\u3001' OR ${text} >= '\ufeff')`;
  return duck`CASE WHEN ${blankStart} AND regexp_full_match(${text}, ${`${BLANK_CLASS}*`}) THEN NULL ELSE ${text} END`;
}

type ListOf = { entriesOf: (text: Sql) => Sql; separator: string; repeat: boolean };

/** The values of a column of several: a list's entries, or the parts of a text that holds several already. No part holds its separator. */
function listOf({ list, field }: CheckedColumn): ListOf | undefined {
  if (list) return { entriesOf: () => list.entries, separator: list.separator, repeat: list.repeat };
  const many = field?.many;
  if (!many || many.repeat || many.separator === '') return undefined;
  const entriesOf = (text: Sql) => duck`list_transform(string_split(${text}, ${many.separator}), lambda e: trim(e))`;
  return { entriesOf, separator: '', repeat: false };
}

function addField(
  masks: Masks,
  checked: Checked,
  fields: readonly ItemField[],
  template: ChannelTemplate | undefined,
): void {
  const { column, index, item, field } = checked;
  const missing = firstOfName(item, fields) ? requirementOf(item, fields) : [];
  const list = listOf(column);
  const expected = field && template && { field, format: template.format };
  const entry: Value = list
    ? { text: duck`e`, number: numberIn(duck`e`, field), short: short(numberIn(duck`e`, field)) }
    : { text: item.text, number: name(`n${index}`), short: name(`d${index}`) };
  const checks = expected ? valueChecks(entry, expected) : [];
  const columnChecks = list
    ? [...checks.map((check) => ofEntries(check, name(`e${index}`))), ...listChecks(column, list, name(`e${index}`))]
    : checks;
  const problems = masks.take([
    ...missing.map(({ problem }) => problem),
    ...columnChecks.map(({ kind, severity, detail }) => ({ ...common(item, kind), severity, detail: detail ?? '' })),
  ]);
  if (problems.length === 0) return;
  const missingBits = bitsOf(withProblems(problems, missing).map(([problem, { holds }]) => ({ problem, holds })));
  const bits = withProblems(problems.slice(missing.length), columnChecks).map(([problem, check]) => ({
    problem,
    check,
  }));
  masks.set(duck`CASE WHEN ${item.text} IS NULL THEN ${missingBits} ELSE ${checkedBits(bits, keyOf)} END`);
}

/** Pairs each problem with the source it was numbered for. */
function withProblems<T>(problems: readonly Problem[], sources: readonly T[]): [Problem, T][] {
  return sources.flatMap((one, index) => {
    const problem = problems[index];
    return problem ? [[problem, one] as [Problem, T]] : [];
  });
}

function addMissing(masks: Masks, item: ItemField, fields: readonly ItemField[]): void {
  const missing = requirementOf(item, fields);
  if (missing.length === 0) return;
  const problems = masks.take(missing.map(({ problem }) => problem));
  masks.set(bitsOf(withProblems(problems, missing).map(([problem, { holds }]) => ({ problem, holds }))));
}

/** Of several columns with one name the first stands for all when it is asked whether the field is filled. */
const firstOfName = (item: ItemField, fields: readonly ItemField[]) =>
  fields.find(({ name }) => name === item.name) === item;

const common = ({ name, title, rowId }: Pick<ItemField, 'name' | 'title' | 'rowId'>, kind: Problem['kind']) => ({
  key: `${kind}:${rowId ?? ''}:${name}`,
  kind,
  field: name,
  title,
  rowId,
  shows: [name],
});

/** A check of a value asked of each entry. */
function ofEntries(check: Check, entries: Sql): Check {
  const any = (condition: Sql) =>
    duck`len(list_filter(${entries}, lambda e: e IS NOT NULL AND coalesce(${condition}, FALSE))) > 0`;
  return { ...check, holds: any(check.holds), ...(check.maybe ? { maybe: any(check.maybe) } : {}) };
}

function listChecks({ field }: CheckedColumn, { separator, repeat }: ListOf, entries: Sql): Check[] {
  const checks: Check[] = [];
  const most = field?.many?.most;
  if (most !== undefined)
    checks.push({
      kind: 'too_many',
      detail: String(most),
      maybe: duck`len(${entries}) > ${ownNumber(most)}`,
      holds: duck`len(list_filter(${entries}, lambda e: e IS NOT NULL)) > ${ownNumber(most)}`,
    });
  if (!repeat && separator !== '')
    checks.push({
      kind: 'separator',
      detail: separator,
      holds: duck`len(list_filter(${entries}, lambda e: contains(e, ${separator}))) > 0`,
    });
  return checks;
}

function uniqueFields(columns: readonly CheckedColumn[]): Unique[] {
  return columns
    .filter(({ field, list }) => field?.unique === true && !list)
    .map(({ name, rowId, text, field }) => ({
      text,
      problem: {
        ...common({ name, title: field?.title ?? name, rowId }, 'twice'),
        severity: 'error' as const,
        detail: '',
      },
    }));
}
