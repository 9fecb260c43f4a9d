import { expect, it } from 'vitest';
import { encodingWarnings, goneWarnings, limitWarnings } from './warnings.ts';

it("a file beyond its channel's limits gets a warning with both numbers; a file within them gets none", () => {
  const template = { name: 'OTTO', limits: { items: 500, bytes: 10 * 1024 * 1024 } };
  expect(limitWarnings(template, { items: 501, bytes: 11 * 1024 * 1024 })).toEqual([
    expect.stringMatching(/OTTO nimmt höchstens 500 Artikel .* enthält 501\./),
    expect.stringMatching(/höchstens 10 MB an; diese hat 11 MB/),
  ]);
  expect(limitWarnings(template, { items: 500, bytes: 10 * 1024 * 1024 })).toEqual([]);
  expect(limitWarnings({ name: 'OTTO', limits: {} }, { items: 10_000, bytes: 10 })).toEqual([]);
  expect(limitWarnings(undefined, { items: 10_000, bytes: 10 })).toEqual([]);
});

it('sources that the catalogue no longer has are named, a paused mapping too, and at most ten of them', () => {
  expect(goneWarnings([])).toEqual([]);
  expect(goneWarnings([{ type: '_field', value: 'Preis' }])).toEqual([
    'Der Feldaufbau liest Quellen, die es nicht (mehr) gibt: Feld „Preis“. Ihre Werte bleiben leer. Bitte prüfen Sie die Spaltennamen des letzten Imports, oder wählen Sie im Feldaufbau andere Quellen.',
  ]);
  const fields = Array.from({ length: 11 }, (_, at) => ({ type: '_field' as const, value: `F${at}` }));
  expect(goneWarnings([{ type: '_mapping', value: 'Farben' }, ...fields])[0]).toMatch(
    /oder ein Mapping ist pausiert: Mapping „Farben“, Feld „F0“.*„F8“ und 2 weitere\. Ihre/,
  );
});

it('characters that the encoding lacks are counted: those written as question marks, and those in a plain form', () => {
  expect(encodingWarnings({ replaced: 0, simplified: 0 })).toEqual([]);
  expect(encodingWarnings({ replaced: 1, simplified: 1200 })).toEqual([
    '1 Zeichen gibt es im gewählten Zeichensatz nicht; es steht als „?“ in der Datei. 1.200 Zeichen gibt es im gewählten Zeichensatz nicht; sie stehen in einfacher Form (etwa „-“ statt „–“) in der Datei. Mit UTF-8 geht nichts verloren.',
  ]);
});
