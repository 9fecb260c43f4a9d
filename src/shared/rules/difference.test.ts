import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestRising, ruleListChanges } from './difference.ts';
import { actionSentence, conditionSentence, ruleSentence, uncalculatedSentence } from './sentences.ts';
import { Action, Condition, Rule } from './schema.ts';

const bosch = Rule.parse({
  id: 'RuleBosch1',
  name: 'Bosch groß',
  active: true,
  querys: [{ id: 'q0', field: 'marke', select: 'is_equal', value: 'bosch' }],
  actions: [{ id: 'a0', field: 'marke', select: 'set', value: [{ type: '_string', value: 'Bosch' }] }],
});
const cheap = Rule.parse({
  id: 'RuleCheap2',
  name: '',
  active: true,
  querys: [
    { id: 'q0', field: 'preis', select: 'is_less_than', value: '5' },
    { id: 'q1', field: 'bild', select: 'is_empty' },
  ],
  actions: [{ id: 'a0', field: '@ALL@', select: 'unset' }],
});

test('RUL-02 a rule is described in one German sentence', () => {
  expect(ruleSentence(bosch)).toBe('Wenn marke entspricht „bosch“, dann setze marke auf „Bosch“');
  expect(ruleSentence(cheap)).toBe('Wenn preis ist kleiner als 5 und bild ist leer, dann schließe den Artikel aus');
  expect(ruleSentence({ ...bosch, querys: [Condition.parse({ id: 'q', field: '@ALL@' })] })).toBe(
    'Für alle Artikel: setze marke auf „Bosch“',
  );
});

test('RUL-05 every kind of action has its own wording', () => {
  const action = (select: string, value: object[], more: object = {}) =>
    actionSentence(Action.parse({ id: 'a', field: 'Titel', select, value, ...more }));
  const text = (value: string) => ({ type: '_string', value });
  const field = (value: string) => ({ type: '_field', value });
  expect(action('set', [text('')])).toBe('leere Titel');
  expect(action('append', [field('Farbe')])).toBe('hänge an Titel Feld Farbe an');
  expect(action('combine', [field('Marke'), text(' - ')])).toBe('setze Titel zusammen aus Feld Marke + „ - “');
  expect(action('replace', [text('a\nb\nc\nd'), text('')])).toBe('entferne in Titel „a“, „b“, „c“ und 1 weiteren');
  expect(action('textsplit', [text(','), { type: '_number', value: '-1' }])).toBe(
    'teile Titel bei „,“ und nimm Teil -1',
  );
  expect(action('maxlength', [{ type: '_number', value: '70' }])).toBe('kürze Titel auf 70 Zeichen');
  expect(action('calculate', [field(''), { type: '_number', value: '1.19' }], { actionOperator: 'multiply' })).toBe(
    'berechne Titel = Titel × 1.19',
  );
  expect(action('searchRegex', [{ type: '_regex', value: '\\s+' }, text(' ')])).toBe(
    'ersetze in Titel das Muster „\\s+“ durch „ “',
  );
});

test('RUL-03 a long list of entries is shortened with a count, and a long text is cut', () => {
  const many = Condition.parse({ id: 'q', field: 'Marke', select: 'is_equal_any', value: 'a\nb\nc\nd\ne' });
  expect(conditionSentence(many)).toBe('Marke entspricht einem von „a“, „b“, „c“ und 2 weiteren');
  const long = Condition.parse({ id: 'q', field: 'Marke', value: 'x'.repeat(100) });
  expect(conditionSentence(long)).toBe(`Marke enthält „${'x'.repeat(59)}…“`);
});

test('RUL-14 the difference of two lists names every rule that is new, deleted or changed', () => {
  const changed: Rule = {
    ...bosch,
    active: false,
    querys: [Condition.parse({ id: 'q0', field: 'marke', select: 'contains', value: 'bosch' })],
  };
  expect(ruleListChanges([bosch], [changed, cheap])).toEqual([
    'Regel „Bosch groß“: pausiert.',
    'Regel „Bosch groß“: Bedingung war „marke entspricht „bosch““, ist jetzt „marke enthält „bosch““.',
    'Regel ohne Namen angelegt: Wenn preis ist kleiner als 5 und bild ist leer, dann schließe den Artikel aus.',
  ]);
  expect(ruleListChanges([bosch, cheap], [bosch])).toEqual([
    'Regel ohne Namen gelöscht. Sie lautete: Wenn preis ist kleiner als 5 und bild ist leer, dann schließe den Artikel aus.',
  ]);
});

test('RUL-14 only the rule that was moved is named, not all those shifted by one place', () => {
  const rules = ['A', 'B', 'C', 'D'].map((name) => ({ ...bosch, id: `Rule00000${name}`, name }));
  const [a, b, c, d] = rules;
  if (!a || !b || !c || !d) throw new Error('four rules');
  expect(ruleListChanges(rules, [d, a, b, c])).toEqual(['Regel „D“: an Stelle 1 verschoben (vorher Stelle 4).']);
});

test('RUL-14 only equal lists have no difference', () => {
  const rule = fc.record({
    name: fc.constantFrom('A', 'B'),
    active: fc.boolean(),
    description: fc.constantFrom('', 'x'),
    value: fc.constantFrom('a', 'b', 'x'.repeat(80), `${'x'.repeat(80)}y`),
  });
  const list = fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3', '4'), rule), { selector: ([id]) => id });
  const build = (made: [string, { name: string; active: boolean; description: string; value: string }][]) =>
    made.map(([id, { value, ...head }]) => ({
      ...bosch,
      ...head,
      id: `Rule00000${id}`,
      querys: [Condition.parse({ id: 'q', field: 'f', value })],
    }));
  fc.assert(
    fc.property(list, list, (one, other) => {
      const [before, after] = [build(one), build(other)];
      expect(ruleListChanges(before, after).length === 0).toBe(JSON.stringify(before) === JSON.stringify(after));
    }),
  );
});

test('the longest rising subsequence is rising, and as long as found by brute force', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }), (numbers) => {
      const rising = numbers.filter((_, index) => longestRising(numbers).has(index));
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(rising.length).toBe(bruteLength(numbers));
    }),
  );
});

function bruteLength(numbers: readonly number[], above = -1): number {
  return numbers.reduce(
    (best, number, index) =>
      number > above ? Math.max(best, 1 + bruteLength(numbers.slice(index + 1), number)) : best,
    0,
  );
}

test('RUL-06 a calculation without a result explains which number is missing', () => {
  const sentence = (value: Action['value'], actionOperator = 'multiply') => {
    const actions = [Action.parse({ id: 'a0', field: 'netto', select: 'calculate', value, actionOperator })];
    return uncalculatedSentence({ actions }, 2);
  };
  const [field, number] = [
    (name: string) => ({ type: '_field' as const, value: name }),
    (value: string) => ({ type: '_number' as const, value }),
  ];
  const because = (words: string) => `2 Werte konnten nicht berechnet werden (${words}) und blieben unverändert.`;
  expect(sentence([field('preis'), number('1.19')])).toBe(because('„preis“ ist leer oder keine Zahl'));
  expect(sentence([number('1.19')])).toBe(because('„netto“ ist leer oder keine Zahl'));
  expect(sentence([field('preis'), number('')])).toBe(because('zu „berechne netto“ ist keine Zahl eingetragen'));
  expect(sentence([field('preis'), number('0')], 'divide')).toBe(because('durch 0 lässt sich nicht teilen'));
  expect(sentence([field('preis'), field('menge')], 'divide')).toBe(
    because('„preis“ ist leer oder keine Zahl; „menge“ ist leer, keine Zahl oder 0'),
  );
});
