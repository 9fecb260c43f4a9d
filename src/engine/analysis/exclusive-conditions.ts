import { BLANK, numberText, numberTextIn } from '#shared/values/number-text.ts';
import type { Condition, Test } from '#engine/ir/rules.ts';
import { simpleLower } from '#engine/ir/text.ts';

type FieldTest = { readonly at: number; readonly field: string; readonly test: Test };

/**
 * Returns the indices of two conditions of a rule that no item can meet at once, or undefined if their wording proves no such
 * pair. Reports only certain cases: a pair that is not found may still exclude each other.
 */
export function exclusiveConditions(conditions: readonly Condition[]): readonly [number, number] | undefined {
  const tests = conditions.flatMap((condition, at) =>
    condition.kind === 'field' ? [{ at, field: condition.field, test: condition.test }] : [],
  );
  for (const [index, one] of tests.entries()) {
    for (const other of tests.slice(0, index)) {
      if (one.field === other.field && (excludes(one.test, other.test) || excludes(other.test, one.test))) {
        return [other.at, one.at];
      }
    }
  }
  return noValueLeft(tests);
}

/** Whether no text that meets the first test can meet the second. */
function excludes(one: Test, other: Test): boolean {
  if (opposite(one, other)) return true;
  const values = valuesOf(one);
  if (values) return values.every((value) => meets(other, value, values.length) === false);
  if (other.kind === 'isEmpty' && !other.negated && needsInk(one)) return true;
  return affixes(one, other) || bounds(one, other);
}

/** Whether the two tests are alike except that one of them is negated. */
function opposite(one: Test, other: Test): boolean {
  return one.negated !== other.negated && wordsOf(one) === wordsOf(other);
}

function wordsOf(test: Test): string {
  return JSON.stringify({ ...test, negated: false });
}

/** The only values, lower-cased, that can meet a test; undefined if other values can, too. */
function valuesOf(test: Test): readonly string[] | undefined {
  if (test.negated) return undefined;
  if (test.kind === 'equals' && test.operand.from === 'literal' && test.operand.value !== undefined) {
    return [simpleLower(test.operand.value)];
  }
  if (test.kind === 'equalsAny' && test.operand.from === 'literal' && test.operand.value.length > 0) {
    return [...entries(test)];
  }
  return undefined;
}

/** Finds lists of values on one field that have no value in common, even though any two of them may share some. */
function noValueLeft(tests: readonly FieldTest[]): readonly [number, number] | undefined {
  for (const one of tests) {
    const values = valuesOf(one.test);
    if (!values) continue;
    const others = tests.filter(({ at, field }) => at !== one.at && field === one.field);
    const left = values.filter((value) => others.every(({ test }) => meets(test, value, values.length) !== false));
    const [last] = others.slice(-1);
    if (left.length === 0 && last) return [Math.min(one.at, last.at), Math.max(one.at, last.at)];
  }
  return undefined;
}

/** Whether a lower-cased value, one of `among`, meets a test; undefined if the wording of the test does not tell. */
function meets(test: Test, value: string, among: number): boolean | undefined {
  if (test.kind === 'containsAny' && entries(test).size * among > MANY * MANY) return undefined;
  const positive = meetsPositive(test, value);
  return positive === undefined ? undefined : positive !== test.negated;
}

function meetsPositive(test: Test, value: string): boolean | undefined {
  if ('operand' in test && test.operand.from === 'field') return undefined;
  switch (test.kind) {
    case 'contains':
    case 'equals':
    case 'startsWith':
    case 'endsWith':
      return compares(test.kind, value, literal(test));
    case 'containsAny':
      return [...entries(test)].some((entry) => value.includes(entry));
    case 'equalsAny':
      return entries(test).has(value);
    case 'isEmpty':
      return !hasInk(value);
    case 'longerThan':
      return beyond(String(Array.from(value).length), literal(test), 'more');
    case 'moreWordsThan':
      return beyond(String(value.split(blanks).filter((word) => word !== '').length), literal(test), 'more');
    case 'greater':
    case 'greaterOrEqual':
    case 'less':
    case 'lessOrEqual':
      return meansOne(value) ? beyond(numberText(value), literal(test), SIDES[test.kind]) : undefined;
    case 'inHighest':
    case 'inLowest':
      return numberText(value) === undefined ? false : undefined;
    case 'matches':
      return undefined;
  }
}

/** Whether a text is the same number with either decimal mark. '1.299' is not: its meaning depends on the column. */
const meansOne = (value: string): boolean =>
  (['point', 'comma'] as const).every((mark) => numberTextIn(value, mark) === numberText(value));

const blanks = new RegExp(`[${BLANK}]+`, 'u');
const hasInk = (value: string) => new RegExp(`[^${BLANK}]`, 'u').test(value);

/** The operand of a test as one lower-cased literal; undefined if the operand is missing, so that the test is never true. */
function literal(test: Test): string | undefined {
  if (!('operand' in test) || test.operand.from === 'field') return undefined;
  return typeof test.operand.value === 'string' ? simpleLower(test.operand.value) : undefined;
}

/** Lists of parts are compared with a list of values up to the square of this, with parts up to this: longer ones would take seconds. */
const MANY = 200;

/** The entries of lists that were asked for, lower-cased. */
const lowered = new WeakMap<readonly string[], ReadonlySet<string>>();
const NONE: ReadonlySet<string> = new Set();

function entries(test: Test): ReadonlySet<string> {
  if ((test.kind !== 'containsAny' && test.kind !== 'equalsAny') || test.operand.from === 'field') return NONE;
  const { value } = test.operand;
  const known = lowered.get(value) ?? new Set(value.map(simpleLower));
  lowered.set(value, known);
  return known;
}

function compares(kind: 'contains' | 'equals' | 'startsWith' | 'endsWith', value: string, other: string | undefined) {
  if (other === undefined) return false;
  if (kind === 'equals') return value === other;
  if (kind === 'contains') return value.includes(other);
  return kind === 'startsWith' ? value.startsWith(other) : value.endsWith(other);
}

type Side = 'more' | 'atLeast' | 'below' | 'atMost';
const SIDES = { greater: 'more', greaterOrEqual: 'atLeast', less: 'below', lessOrEqual: 'atMost' } as const;

/** Whether a number is on that side of a bound, both canonical decimal text; undefined for numbers that the engine rounds. */
function beyond(number: string | undefined, bound: string | undefined, side: Side): boolean | undefined {
  if (number === undefined || bound === undefined) return false;
  const order = compareDecimals(number, bound);
  if (order === undefined) return undefined;
  if (side === 'more') return order > 0;
  if (side === 'below') return order < 0;
  return side === 'atLeast' ? order >= 0 : order <= 0;
}

/** Returns less than 0, 0 or more than 0 as `one` is below, equal to or above `other`; undefined beyond DECIMAL(38,10). */
function compareDecimals(one: string, other: string): number | undefined {
  const [left, right] = [units(one), units(other)];
  if (left === undefined || right === undefined) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

function units(decimal: string): bigint | undefined {
  const [integer = '', fraction = ''] = decimal.split('.');
  if (fraction.length > 10 || integer.length > 28) return undefined;
  return BigInt(`${integer}${fraction.padEnd(10, '0')}`);
}

/** Whether only texts with a character that is not blank can meet a test. */
function needsInk(test: Test): boolean {
  if (test.negated) return false;
  switch (test.kind) {
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return hasInk(literal(test) ?? '');
    case 'containsAny':
      return entries(test).size > 0 && [...entries(test)].every(hasInk);
    case 'moreWordsThan':
      return beyond('0', literal(test), 'atMost') === true;
    case 'greater':
    case 'greaterOrEqual':
    case 'less':
    case 'lessOrEqual':
    case 'inHighest':
    case 'inLowest':
      return true;
    default:
      return false;
  }
}

type Affix = { readonly kind: 'contains' | 'startsWith' | 'endsWith'; readonly word: string };

/** Parts of a text of which every text that meets the test has at least one. */
function affixesOf(test: Test): readonly Affix[] {
  if (test.kind === 'containsAny') return Array.from(entries(test), (word) => ({ kind: 'contains', word }));
  if (test.kind !== 'contains' && test.kind !== 'startsWith' && test.kind !== 'endsWith') return [];
  const word = literal(test);
  return word === undefined ? [] : [{ kind: test.kind, word }];
}

/** Whether the tests require beginnings or ends that cannot both occur, or one requires a part that the other forbids. */
function affixes(one: Test, other: Test): boolean {
  const [given, required] = [affixesOf(one), affixesOf(other)];
  if (one.negated || given.length === 0 || required.length === 0 || Math.min(given.length, required.length) > MANY)
    return false;
  return given.every((has) =>
    other.negated ? required.some((no) => implies(has, no)) : required.every((too) => apart(has, too)),
  );
}

function implies(has: Affix, wanted: Affix): boolean {
  if (wanted.kind === 'contains') return has.word.includes(wanted.word);
  return has.kind === wanted.kind && compares(wanted.kind, has.word, wanted.word);
}

function apart(has: Affix, wanted: Affix): boolean {
  if (has.kind !== wanted.kind || wanted.kind === 'contains') return false;
  return !compares(wanted.kind, has.word, wanted.word) && !compares(wanted.kind, wanted.word, has.word);
}

/** Whether a number, length or word count would have to be above one bound and below another. */
function bounds(one: Test, other: Test): boolean {
  const [lower, upper] = [literal(one), literal(other)];
  if (lower === undefined || upper === undefined || one.negated) return false;
  if (one.kind === 'longerThan' || one.kind === 'moreWordsThan') {
    return other.kind === one.kind && other.negated && beyond(lower, upper, 'atLeast') === true;
  }
  if (other.negated || (one.kind !== 'greater' && one.kind !== 'greaterOrEqual')) return false;
  if (other.kind !== 'less' && other.kind !== 'lessOrEqual') return false;
  const touching = one.kind === 'greaterOrEqual' && other.kind === 'lessOrEqual';
  return beyond(lower, upper, touching ? 'more' : 'atLeast') === true;
}
