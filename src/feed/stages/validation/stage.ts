import { ID, nextStep, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { join, keyOf, name, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { ChannelField, type ChannelTemplate } from '#shared/channels/schema.ts';
import { type Checked, type CheckedColumn, listOf, type ListOf } from './checked-column.ts';
import { valueChecks, type Check, type Value } from './field-checks.ts';
import { itemChecks, requirementOf, type ItemField } from './item-checks.ts';
import { bitsOf, checkedBits, Masks } from './masks.ts';
import { short } from './numbers.ts';
import { maskName, type Problem } from './problem.ts';
import { numberIn, serializedSteps, UNUSUAL } from './serialized-texts.ts';

export type Validated = {
  /** The same columns and `_problems0` and so on. */
  readonly relation: Relation;
  readonly problems: readonly Problem[];
  /** Names of the mask columns. */
  readonly masks: readonly string[];
  readonly unique: readonly Unique[];
};

/** A field in which every item must have its own value; this needs all items, so the written file is checked (unique.ts). */
export type Unique = { readonly text: Sql; readonly problem: Omit<Problem, 'column' | 'bit'> };

/** Columns that the channel's template does not contain are checked only for what harms any file. */
const unknownField = (column: string): ChannelField =>
  ChannelField.parse({ name: column, title: column, group: '', requirement: '', type: 'html' });

/**
 * Checks every item against the channel's template, as one more stage: the problems are bits in mask columns, which the run
 * writes in the same pass as the items.
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

/** Fields of the template that the construction lacks; a condition may make any of them required. */
function absentFields(checked: readonly Checked[], template: ChannelTemplate | undefined): ItemField[] {
  const present = new Set(checked.map(({ column }) => column.name));
  return (template?.fields ?? [])
    .filter((field) => !present.has(field.name))
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
  const unusual = column.serialized.keepsLetters ? UNUSUAL : undefined;
  const entry: Value = list
    ? { text: duck`e`, number: numberIn(duck`e`, field), short: short(numberIn(duck`e`, field)), unusual }
    : { text: item.text, number: name(`n${index}`), short: name(`d${index}`), unusual };
  const checks = expected ? valueChecks(entry, expected) : [];
  const columnChecks = [
    ...(list ? checks.map((check) => ofEntries(check, name(`e${index}`))) : checks),
    ...(list ? listChecks(column, list, name(`e${index}`)) : []),
    ...leftOutChecks(column),
    ...(expected && column.unclear ? [{ kind: 'price_unclear' as const, ...column.unclear }] : []),
  ];
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

/** Of several columns with one name, the first represents the field when it is checked for being filled. */
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

/** Applies a check of a value to each entry of a list. */
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

function leftOutChecks({ leftOut }: CheckedColumn): Check[] {
  if (!leftOut) return [];
  const { places, addresses, holds } = leftOut;
  const detail = places === 1 ? 'nur das erste' : `nur die ersten ${places}`;
  return [{ kind: 'left_out', detail, maybe: holds, holds: duck`len(${addresses}) > ${ownNumber(places)}` }];
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
