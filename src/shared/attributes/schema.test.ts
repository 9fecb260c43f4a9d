import { expect, it } from 'vitest';
import { attributeCalls } from './calls.ts';
import { attributeChanges } from './difference.ts';
import { AttributeValue, withValue } from './schema.ts';

const text = (value: string) => [{ type: '_string' as const, value, caption: '' }];
const red = AttributeValue.parse({ target: 'color', typ: '', cat: '7', value: text('rot') });

it('ATT-02: line breaks in a fixed text become blanks', () => {
  expect(AttributeValue.parse({ target: 'a', value: text('eins\r\nzwei\ndrei') }).value[0]?.value).toBe(
    'eins zwei drei',
  );
});

it('ATT-02, ATT-05: a plain text is stored as one part, with blanks for its line breaks', () => {
  const set = (value: unknown) =>
    attributeCalls.setAttribute.body.parse({ id: 'E1', target: 'a', type: '', value }).value;
  expect(set('eins\r\nzwei\u2028drei')).toEqual(text('eins zwei drei'));
  expect(set(text('eins\nzwei'))).toEqual(set('eins\nzwei'));
});

it('ATT-05: a value is stored once per field and category, replaced there, and removed when it is blank', () => {
  const blue = { ...red, value: text('blau') };
  const other = { ...red, cat: '8' };
  expect(withValue([], red)).toEqual([red]);
  expect(withValue([red, other], blue)).toEqual([blue, other]);
  expect(withValue([red, other], { ...red, value: text('  ') })).toEqual([other]);
});

it('the history says in German what was set, changed and removed', () => {
  const all = { ...red, cat: '', value: text('bunt'), variant: true };
  expect(attributeChanges([], [red])).toEqual(['Attribut „color“ für Kategorie „7“: „rot“ gesetzt.']);
  expect(attributeChanges([red], [{ ...red, value: text('blau') }])).toEqual([
    'Attribut „color“ für Kategorie „7“: vorher „rot“, jetzt „blau“.',
  ]);
  expect(attributeChanges([red, all], [{ ...red, variant: true }])).toEqual([
    'Attribut „color“ für Kategorie „7“: jetzt Variantenattribut.',
    'Attribut „color“ für alle Artikel: entfernt (vorher „bunt“).',
  ]);
});

it('RUL-14 the history says that a value changed even if both fields have the same name', () => {
  const from = (value: string) => ({ ...red, value: [{ type: '_field' as const, value, caption: 'Farbe' }] });
  expect(attributeChanges([from('farbe_alt')], [from('farbe_neu')])).toEqual([
    'Attribut „color“ für Kategorie „7“: geändert.',
  ]);
  expect(attributeChanges([from('farbe_alt')], [from('farbe_alt')])).toEqual([]);
});
