import { describe, expect, it } from 'vitest';
import { limitSentences } from './limit-words.ts';

const none = { up: 0, down: 0, halved: 0, come: 0, gone: 0 };

const currencyOf = (marketplace: string) => (marketplace === 'PL' ? 'PLN' : 'EUR');

describe('changes of price limits in words', () => {
  it('GEN-01 REP-19 T26 has a sentence per kind of limit that changes, and the steepest fall in its currency', () => {
    const change = { concerned: 1200, min: { ...none, down: 1200, halved: 12, gone: 1 }, max: none, standard: none };
    expect(limitSentences({ ...change, steepest: null }, currencyOf)).toEqual([
      'Mindestpreis sinkt bei 1.200, davon bei 12 um mehr als die Hälfte; ist bei 1 nicht mehr lesbar.',
    ]);
    const more = { ...change, min: none, max: { ...none, up: 3 }, standard: { ...none, come: 2 } };
    const steepest = { item: 'A-1', marketplace: 'PL', from_cents: 1000, to_cents: 100 };
    expect(limitSentences({ ...more, steepest }, currencyOf).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      'Maximalpreis steigt bei 3.',
      'Standardpreis ist bei 2 erstmals lesbar.',
      'Am stärksten fällt der Mindestpreis von Artikel A-1: von 10,00 PLN auf 1,00 PLN.',
    ]);
  });
});
