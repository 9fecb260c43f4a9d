import { changeIgnoreCase } from '#shared/rules/edits.ts';
import fc from 'fast-check';
import { CALCULATIONS } from '#shared/rules/actions.ts';
import { OPERATORS, operatorDefinition, type Operator } from '#shared/rules/operators.ts';
import type { Action, ActionValue, Condition, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { act, calculate, exclude, rule } from './case.ts';
import type { Item } from './evaluator.ts';

/** The catalogue of random items; rules may also write and read 'neu', which it lacks. */
export const CATALOGUE = ['Titel', 'marke "x"', 'Preis', 'menge', 'größe'] as const;
/** The same fields as a catalogue's snapshot has them. */
export const catalogueFields = CATALOGUE.map((name, at) => ({
  id: `f000${at + 1}`,
  name,
  header: name,
  guess: 'text' as const,
  filled: 0,
  example: '',
}));
const field = fc.constantFrom(...CATALOGUE, ...CATALOGUE, 'neu');
const readable = fc.oneof({ weight: 9, arbitrary: field }, { weight: 1, arbitrary: fc.constantFrom('_id', 'nie') });

// Few words, so that conditions match values: with arbitrary texts rules would rarely hold, and the run would prove nothing.
const word = fc.constantFrom(
  'Rot',
  'rot',
  'GRÖßE',
  'größe',
  'Grösse',
  'Straße',
  'ß',
  'ẞ',
  'ÄÖ',
  'äö',
  'a',
  'b',
  'İ',
  '👍',
  '-',
  'x.y',
  '%',
  '\\1',
  "'",
);
const gap = fc.constantFrom(' ', '  ', '\u00a0', '\n', ';', ', ', '');
const phrase = fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 4 }).map((parts) => parts.flat().join(''));
const money = fc.tuple(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom('', '.5', ',5', '.50', ',25', '.125', ',005', '.0000000001'),
);
const number = fc.oneof(
  money.map(([units, rest]) => `${units}${rest}`),
  fc.constantFrom(
    '1.234,56',
    '1,234.56',
    '1.234',
    '1.234.567',
    '10',
    '9',
    '9,0',
    '009',
    '5 €',
    'EUR 5',
    '1 234,5',
    '1\u202f234',
    '-0',
    '−3',
    '12.05.2024',
    '99999999999999999999',
    '.5',
    '5.',
  ),
);
const text = fc.oneof(
  { weight: 4, arbitrary: phrase },
  { weight: 4, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\t', 'x') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).map(storable) },
);

/** Removes what cannot be stored: NUL, lone surrogates, and the mark that the driver takes for the start of a file (U+FEFF). */
function storable(value: string): string {
  return value.replaceAll(/[\0\ufeff]/g, '').toWellFormed();
}

const cell = fc.option(text, { freq: 5, nil: undefined });

export const items: fc.Arbitrary<Item[]> = fc
  .array(fc.tuple(...CATALOGUE.map(() => cell)), { minLength: 1, maxLength: 40, size: 'max' })
  .map((rows) =>
    rows.map((cells, index) => ({
      id: `A${index}`,
      fields: new Map(cells.flatMap((value, at) => (value ? [[CATALOGUE[at] ?? '', value] as const] : []))),
    })),
  );

const pattern = fc.constantFrom(
  'rot',
  '(?i)rot',
  '^\\d+$',
  '(\\w+) (\\w+)',
  '\\s',
  'ö|ä',
  '[^a-z]',
  'a*',
  '^',
  '$',
  '(?s).+',
  '.',
  '\\d',
  'x\\.y',
  '',
  '(',
  '(?=a)',
  'ß$',
  '\\p{Lu}',
  '\\bb\\b',
);
const lines = fc.array(fc.oneof(text, word), { maxLength: 12 }).map((list) => list.join('\n'));

function operandOf(select: Operator): fc.Arbitrary<string> {
  const { editor } = operatorDefinition(select);
  if (editor === 'none') return fc.constantFrom('', 'egal');
  if (editor === 'regex') return pattern;
  if (editor === 'lines') return lines;
  if (editor === 'number') return number;
  if (editor === 'count') return fc.constantFrom('0', '1', '2', '3', '5', '1,5', '', 'x');
  return fc.oneof(word, text);
}

const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(...OPERATORS.map((one) => one.select))
  .chain((select) =>
    fc.record({
      id: fc.constant(''),
      field: fc.oneof({ weight: 12, arbitrary: readable }, { weight: 1, arbitrary: fc.constant(ALL_FIELDS) }),
      select: fc.constant(select),
      selecttyp: fc.constant(operatorDefinition(select).selecttyp),
      ...valueOf(select),
      type: fc.constant(''),
    }),
  )
  .chain(({ literal, other, fromField, ...rest }) =>
    fc.constant({
      ...rest,
      value: fromField ? other : literal,
      valuetyp: fromField ? ('_field' as const) : ('_string' as const),
    }),
  );

function valueOf(select: Operator) {
  return {
    literal: operandOf(select),
    other: readable,
    fromField: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  };
}

const part: fc.Arbitrary<ActionValue> = fc.oneof(
  text.map((value) => ({ type: '_string' as const, value })),
  readable.map((value) => ({ type: '_field' as const, value })),
);
const numeral = fc.oneof(
  number.map((value) => ({ type: '_number' as const, value })),
  readable.map((value) => ({ type: '_field' as const, value })),
);
const literal = (value: string): ActionValue => ({ type: '_string', value });

function withValues(action: Action, value: ActionValue[]): Action {
  return { ...action, value };
}

const action: fc.Arbitrary<Action> = fc.oneof(
  fc
    .tuple(field, fc.constantFrom('set', 'append', 'copy', 'group'), part)
    .map(([at, kind, value]) => withValues(act(at, kind), [value])),
  fc.tuple(field, fc.array(part, { maxLength: 4 })).map(([at, value]) => withValues(act(at, 'combine'), value)),
  fc
    .tuple(field, fc.boolean(), fc.oneof(lines.map(literal), part), fc.oneof(lines.map(literal), part))
    .map(([at, ignore, ...value]) => changeIgnoreCase(withValues(act(at, 'replace'), value), ignore)),
  fc
    .tuple(field, part, fc.constantFrom('', '1', '2', '-1', '-2', '0', '9', 'x'))
    .map(([at, by, position]) => withValues(act(at, 'textsplit'), [by, { type: '_number', value: position }])),
  fc
    .tuple(field, fc.constantFrom('1', '2', '3', '5', '8', '', '0'))
    .map(([at, length]) => withValues(act(at, 'maxlength'), [{ type: '_number', value: length }])),
  fc
    .tuple(
      field,
      fc.constantFrom(...CALCULATIONS.map((one) => one.actionOperator)),
      numeral,
      fc.oneof(fc.constant(''), readable),
    )
    .map(([at, operation, by, source]) =>
      withValues(calculate(at, operation, ''), [{ type: '_field', value: source }, by]),
    ),
  fc
    .tuple(field, pattern, fc.constantFrom('', '-', '\\1', '<\\0>', '\\2\\1', '\\\\', '\\x'))
    .map(([at, search, by]) => withValues(act(at, 'searchRegex'), [{ type: '_regex', value: search }, literal(by)])),
);

const oneRule: fc.Arbitrary<Rule> = fc
  .record({
    querys: fc.array(condition, { minLength: 0, maxLength: 2 }),
    actions: fc.array(action, { minLength: 0, maxLength: 3 }),
    excludes: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
    active: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
  })
  .map(({ querys, actions, excludes, active }) => rule(querys, excludes ? [...actions, exclude()] : actions, active));

export const rules: fc.Arbitrary<Rule[]> = fc.array(oneRule, { minLength: 1, maxLength: 10, size: 'max' });
