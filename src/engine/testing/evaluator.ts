import { calculationOf } from '#shared/rules/actions.ts';
import type { Action, Condition, Rule } from '#shared/rules/schema.ts';
import { checkRegex } from '#engine/read/regex.ts';
import * as values from './evaluator-values.ts';

/** An item of the evaluator: its number and its fields; a missing field has no entry. */
export type Item = { readonly id: string; readonly fields: ReadonlyMap<string, string> };

type Working = { id: string; fields: Map<string, string>; left: boolean };

/** The evaluator's result for a rule, with the counts of RuleCount and the items it held on, before and after it. */
export type Evaluated = {
  ruleId: string;
  pre: number;
  post: number;
  diff: number;
  held: number;
  unchanged: number;
  rows: { id: string; before: ReadonlyMap<string, string>; after: ReadonlyMap<string, string> }[];
  /** For each item that reached the rule: index of the first condition that failed, -1 if none did. */
  failed: Map<string, number>;
};

/**
 * Executes the rules item by item in plain TypeScript: the reference that the SQL is tested against. Only tests use it. Written
 * from docs/engine.md, not from the compiler.
 */
export function evaluate(
  items: readonly Item[],
  catalogue: readonly string[],
  rules: readonly Rule[],
): { items: Item[]; rules: Evaluated[] } {
  const working: Working[] = items.map(({ id, fields }) => ({
    id,
    fields: new Map([...fields].filter(([, value]) => value !== '')),
    left: false,
  }));
  const fields = new Set(catalogue);
  const results = rules.filter((rule) => rule.active).map((rule) => runRule(rule, working, fields));
  return { items: working.filter((item) => !item.left).map(({ id, fields }) => ({ id, fields })), rules: results };
}

/** Runs one rule. `fields` are those of the catalogue and those that the rules so far have written. */
function runRule(rule: Rule, all: readonly Working[], fields: Set<string>): Evaluated {
  const reaching = all.filter((item) => !item.left);
  const checks = rule.querys.map((condition) => checkOf(condition, reaching, [...fields]));
  const failed = new Map(reaching.map((item) => [item.id, checks.findIndex((check) => !check(item))]));
  const held = reaching.filter((item) => failed.get(item.id) === -1);
  const before = new Map(held.map((item) => [item.id, new Map(item.fields)]));
  let [unchanged, excludes] = [0, false];
  for (const action of rule.actions) {
    if (action.field === '@ALL@' && action.select === 'unset') {
      excludes = true;
      break;
    }
    if (!isUsable(action)) continue;
    unchanged += runAction(action, held);
    fields.add(action.field);
  }
  const rows = held.map((item) => ({
    id: item.id,
    before: before.get(item.id) ?? new Map(),
    after: new Map(item.fields),
  }));
  const changed = rows.filter((row) => excludes || differs(row.before, row.after)).length;
  if (excludes) for (const item of held) item.left = true;
  const [pre, post] = [reaching.length, reaching.length - (excludes ? held.length : 0)];
  return { ruleId: rule.id, pre, post, diff: changed, held: held.length, unchanged, rows, failed };
}

function differs(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean {
  return [...before.keys(), ...after.keys()].some((field) => before.get(field) !== after.get(field));
}

function read(item: Working, field: string): string | undefined {
  return field === '_id' ? item.id : item.fields.get(field);
}

type Check = (item: Working) => boolean;

const never: Check = () => false;

function checkOf(condition: Condition, reaching: readonly Working[], fields: readonly string[]): Check {
  const { field, select, value, valuetyp } = condition;
  if (field === '@ALL@' && value === '' && select !== 'is_empty' && select !== 'is_not_empty') return () => true;
  if (field === '') return never;
  if (select === 'regex' || select === 'not_regex') {
    if (valuetyp === '_field' || checkRegex(value) !== undefined) return never;
  }
  if (field !== '@ALL@') return checkField(condition, field, reaching);
  const checks = fields.map((name) => checkField(condition, name, reaching));
  return (item) => checks.some((check) => check(item));
}

function checkField(condition: Condition, field: string, reaching: readonly Working[]): Check {
  const { select, value, valuetyp } = condition;
  const other = (item: Working) => (valuetyp === '_field' ? read(item, value) : value === '' ? undefined : value);
  const positive = POSITIVE[select];
  if (positive) return (item) => positive(read(item, field), other(item), valuetyp === '_field');
  const negative = NEGATED[select];
  const opposite = negative && POSITIVE[negative];
  if (opposite) return (item) => !opposite(read(item, field), other(item), valuetyp === '_field');
  const numbers = reaching.map((item) => values.number(read(item, field))).filter((one) => one !== undefined);
  return (item) => isRanked(select, values.number(read(item, field)), other(item), numbers);
}

function isRanked(
  select: string,
  mine: bigint | undefined,
  count: string | undefined,
  all: readonly bigint[],
): boolean {
  const wanted = values.wholeNumber(count ?? '');
  if (mine === undefined || wanted === undefined || wanted < 1) return false;
  const better = all.filter((one) => (select === 'is_in_highest' ? one > mine : one < mine)).length;
  return better < wanted;
}

type Positive = (mine: string | undefined, other: string | undefined, fromField: boolean) => boolean;

const texts =
  (test: (mine: string, other: string) => boolean): Positive =>
  (mine, other) =>
    mine !== undefined && other !== undefined && test(values.lower(mine), values.lower(other));

const numbers =
  (measure: (mine: string) => bigint | undefined, test: (mine: bigint, other: bigint) => boolean): Positive =>
  (mine, other) => {
    const [left, right] = [mine === undefined ? undefined : measure(mine), values.number(other)];
    return left !== undefined && right !== undefined && test(left, right);
  };

const units = (count: number) => BigInt(count) * 10n ** 10n;

const POSITIVE: Record<string, Positive | undefined> = {
  contains: texts((mine, other) => mine.includes(other)),
  is_equal: texts((mine, other) => mine === other),
  starts_with: texts((mine, other) => mine.startsWith(other)),
  ends_with: texts((mine, other) => mine.endsWith(other)),
  is_empty: (mine) => mine === undefined || Array.from(mine).every(values.isBlank),
  length_exceeds: numbers(
    (mine) => units(Array.from(mine).length),
    (mine, other) => mine > other,
  ),
  word_count_exceeds: numbers(
    (mine) => units(values.words(mine)),
    (mine, other) => mine > other,
  ),
  contains_any: texts((mine, other) => values.lines(other).some((line) => line !== '' && mine.includes(line))),
  is_equal_any: texts((mine, other) => values.lines(other).some((line) => line !== '' && mine === line)),
  is_greater_than: numbers(values.number, (mine, other) => mine > other),
  is_greater_equal: numbers(values.number, (mine, other) => mine >= other),
  is_less_than: numbers(values.number, (mine, other) => mine < other),
  is_less_equal: numbers(values.number, (mine, other) => mine <= other),
  regex: (mine, other) => mine !== undefined && other !== undefined && values.matches(other, mine),
};

const NEGATED: Record<string, string | undefined> = {
  not_contains: 'contains',
  is_not_equal: 'is_equal',
  starts_not_with: 'starts_with',
  ends_not_with: 'ends_with',
  is_not_empty: 'is_empty',
  length_not_exceeds: 'length_exceeds',
  word_count_not_exceeds: 'word_count_exceeds',
  not_contains_any: 'contains_any',
  not_equal_any: 'is_equal_any',
  not_regex: 'regex',
};

/** Whether an action can have any effect: an incomplete one does nothing and creates no field. */
function isUsable({ field, select, value, actionOperator }: Action): boolean {
  const first = value[0]?.value ?? '';
  if (field === '' || field === '@ALL@' || field === '_id' || select === 'unset') return false;
  if (select === 'copy' || select === 'group') return first !== '';
  if (select === 'replace') return values.lines(first).some((line) => line !== '');
  if (select === 'textsplit') return !value[1]?.value || values.wholeNumber(value[1].value) !== undefined;
  if (select === 'maxlength') return (values.wholeNumber(first) ?? 0) >= 1;
  if (select === 'calculate') return calculationOf({ actionOperator }) !== undefined;
  if (select === 'searchRegex') return first !== '' && checkRegex(first) === undefined;
  return true;
}

/** Runs a usable action on the items; returns the number of calculations that could not be done. */
function runAction(action: Action, held: readonly Working[]): number {
  const { field, select } = action;
  if (select === 'group') {
    const by = action.value[0]?.value ?? '';
    const first = new Map<string, string>();
    const groups = held.map((item) => [item, read(item, by)] as const);
    for (const [item, key] of groups) {
      if (key === undefined) continue;
      first.set(key, first.get(key) ?? item.id);
      item.fields.set(field, first.get(key) ?? '');
    }
    return 0;
  }
  let unchanged = 0;
  for (const item of held) {
    const result = newValue(action, item);
    if (result === undefined) unchanged += 1;
    else if (result === '') item.fields.delete(field);
    else item.fields.set(field, result);
  }
  return unchanged;
}

/** Returns the new text; undefined for a calculation that could not be done. */
function newValue(action: Action, item: Working): string | undefined {
  const { field, value } = action;
  const mine = item.fields.get(field) ?? '';
  const entry = (at: number) => {
    const found = value[at];
    return found?.type === '_field' ? (read(item, found.value) ?? '') : (found?.value ?? '');
  };
  switch (action.select) {
    case 'set':
      return entry(0);
    case 'append':
      return mine + entry(0);
    case 'copy':
      return read(item, value[0]?.value ?? '') ?? '';
    case 'combine':
      return value.map((_, at) => entry(at)).join('');
    case 'replace':
      return replaced(action, mine, entry);
    case 'textsplit':
      return split(mine, entry(0), value[1]?.value ?? '');
    case 'maxlength':
      return shortened(mine, values.wholeNumber(value[0]?.value ?? '') ?? 1);
    case 'calculate':
      return calculated(action, item);
    case 'searchRegex':
      return mine === '' ? '' : values.replaceAll(value[0]?.value ?? '', mine, value[1]?.value ?? '');
    default:
      return undefined;
  }
}

function replaced({ value, actionOperator }: Action, mine: string, entry: (at: number) => string): string {
  const list = (at: number) => (value[at]?.type === '_field' ? [entry(at)] : values.lines(entry(at)));
  const [searches, by] = [list(0), list(1)];
  let result = mine;
  searches.forEach((search, at) => {
    const text = (by.length === 1 ? by[0] : by[at]) ?? '';
    if (search === '') return;
    if (actionOperator !== '(?i)') result = result.split(search).join(text);
    else result = result.replace(new RegExp(search.replaceAll(/[\\^$.|?*+()[\]{}/]/g, '\\$&'), 'giu'), () => text);
  });
  return result;
}

function split(mine: string, separator: string, position: string): string {
  const at = position === '' ? 1 : (values.wholeNumber(position) ?? 1);
  const pieces = separator === '' ? [mine] : mine.split(separator);
  return (at > 0 ? pieces[at - 1] : at < 0 ? pieces.at(at) : undefined) ?? '';
}

function shortened(mine: string, length: number): string {
  const letters = Array.from(mine);
  if (letters.length <= length) return mine;
  for (let end = length; end * 100 >= length * 80 && end > 0; end -= 1) {
    const [last, next] = [letters[end - 1] ?? '', letters[end] ?? ''];
    if (!values.isBlank(last) && values.isBlank(next)) return letters.slice(0, end).join('');
  }
  return letters.slice(0, length).join('');
}

function calculated({ field, value, actionOperator }: Action, item: Working): string | undefined {
  const single = value.length === 1 && value[0]?.type !== '_field';
  const source = single ? field : value[0]?.value || field;
  const by = single ? value[0] : value[1];
  const right = by?.type === '_field' ? read(item, by.value) : by?.value;
  const operation = calculationOf({ actionOperator }) ?? '';
  return values.calculate(values.number(read(item, source)), operation, values.number(right));
}
