import { expect, test } from 'vitest';
import type { SaveImpact } from '#shared/diagnosis/save-impact.ts';
import { saveImpactWords } from './save-impact-words.ts';

const state = (errors: number | null, more: Partial<SaveImpact['before']> = {}): SaveImpact['before'] => ({
  fields: 3,
  passesThrough: false,
  readiness: errors === null ? null : { items: 4536, errors, warnings: 0, fine: 4536 - errors },
  ...more,
});

test.each([
  [
    'all items get errors',
    state(0),
    state(4536),
    false,
    'danger',
    ['4.536 von 4.536\u00a0Artikeln haben danach Fehler.'],
  ],
  [
    'one more item gets errors',
    state(36),
    state(37),
    false,
    'danger',
    ['37 von 4.536\u00a0Artikeln haben danach Fehler (jetzt 36).'],
  ],
  [
    'items are omitted because of errors',
    state(1000),
    state(4536),
    true,
    'danger',
    ['3.536 von 4.536\u00a0Artikeln fallen heraus, weil ihnen danach Pflichtangaben fehlen oder Werte nicht passen.'],
  ],
  [
    'a file with all catalogue fields gets only those of the construction',
    state(null, { fields: 21, passesThrough: true }),
    state(null, { fields: 1 }),
    false,
    'danger',
    ['Die Datei enthält danach nur noch 1\u00a0Feld dieses Aufbaus statt aller 21 Felder des Katalogs.'],
  ],
  [
    'a file with the fields of a construction gets all catalogue fields',
    state(null),
    state(null, { fields: 21, passesThrough: true }),
    false,
    'danger',
    ['Ohne Quellen gibt der Export alle 21 Felder des Katalogs unverändert aus statt 3\u00a0Felder dieses Aufbaus.'],
  ],
  [
    'errors are fixed',
    state(1200),
    state(0),
    false,
    'quiet',
    ['1.200 Artikel mit Fehlern weniger: danach keiner mehr.'],
  ],
  [
    'the number of errors is unchanged',
    state(1),
    state(1),
    false,
    'none',
    ['Es bleibt bei 1\u00a0Artikel mit Fehlern.'],
  ],
  ['there are no errors', state(0), state(0), false, 'none', ['Kein Artikel bekommt dadurch Fehler.']],
  ['errors are not checked', state(null), state(null), false, 'none', ['Kein Artikel bekommt dadurch Fehler.']],
] as const)(
  'RUL-15 saving a construction says how it affects the items: %s',
  (_, before, after, omitInvalid, level, sentences) => {
    expect(saveImpactWords({ before, after, omitInvalid })).toEqual({ level, sentences });
  },
);
