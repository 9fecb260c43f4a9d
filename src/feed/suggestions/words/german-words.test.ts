import { expect, test } from 'vitest';
import { Suggester } from '#feed/suggestions/suggest.ts';
import { stem } from './words.ts';

const suggester = (...names: string[]) =>
  new Suggester(
    names.map((name) => ({ id: name, name, info: '' })),
    [],
  );
const best = (one: Suggester, value: string) => {
  const [first] = one.suggest({ value });
  return first === undefined ? null : `${first.target.name}: ${first.reason}`;
};

test.each([
  ['Hose', 'Hosen'],
  ['Säge', 'Sägen'],
  ['Vase', 'Vasen'],
  ['Düsen', 'Düse'],
  ['Tüten', 'Tüte'],
  ['Rad', 'Räder'],
  ['Buch', 'Bücher'],
  ['Uhr', 'Uhren'],
  ['Jacke', 'Jacken'],
  ['Bike', 'Bikes'],
])('CAT-04 „%s“ and „%s“ match as singular and plural', (value, target) => {
  const one = suggester(`Waren > ${target}`, 'Waren > Anderes');
  expect(best(one, `Sortiment > ${value}`)).toBe(`Waren > ${target}: gleicher Name`);
});

test('CAT-04 a compound matches by its last part, also a short one', () => {
  const one = suggester('Mode > Hosen', 'Mode > Jacken', 'Werkzeug > Sägen');
  expect(best(one, 'Damenhose')).toBe('Mode > Hosen: gemeinsame Wörter: „Hosen“');
  expect(best(one, 'Herrenhosen')).toBe('Mode > Hosen: gemeinsame Wörter: „Hosen“');
  expect(best(one, 'Kettensägen')).toBe('Werkzeug > Sägen: gemeinsame Wörter: „Sägen“');
});

test('CAT-04 short words that only look alike do not match', () => {
  expect(best(suggester('Beleuchtung > LED', 'Mode > Schuhe'), 'Material > Leder')).toBeNull();
  expect(best(suggester('Mode > Caps', 'Mode > Schuhe'), 'Mode > Cape') ?? '').not.toMatch(/gleicher Name/);
  expect(stem('cape')).not.toBe(stem('cap'));
  expect(stem('feder')).not.toBe(stem('fed'));
});
