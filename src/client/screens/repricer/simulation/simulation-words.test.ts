import { describe, expect, it } from 'vitest';
import { barsOf, changeOf, outcomeOf, withoutOffers } from './simulation-words.ts';
import { choiceOf } from './use-simulation-choice.ts';

describe('texts of a simulation', () => {
  it('REP-19 count prices by reason, the most frequent first, and mark the reasons that hold a price', () => {
    const bars = barsOf({ total: 10, reasons: { HOLD_BOUNDS_INVALID: 2, COMPETE_LOWEST: 8, NO_COMPETITION: 0 } });
    expect(bars).toEqual([
      { reason: 'COMPETE_LOWEST', label: 'Günstigster Wettbewerber', count: 8, share: 0.8, holds: false },
      {
        reason: 'HOLD_BOUNDS_INVALID',
        label: 'Preisgrenze fehlt oder ist nicht lesbar',
        count: 2,
        share: 0.2,
        holds: true,
      },
    ]);
    expect(barsOf({ total: 0, reasons: {} })).toEqual([]);
  });

  it('REP-19 say at how many items no offers were known', () => {
    const words = (count: number) => withoutOffers({ total: 1200, reasons: { HOLD_NO_OFFER_DATA: count } });
    expect(withoutOffers({ total: 5, reasons: { COMPETE_LOWEST: 5 } })).toBe('');
    expect(words(3)).toMatch(/^Zu 3 von 1\.200 Preisen sind keine Angebote bekannt: .* zählt als gehalten\.$/);
    expect(words(1200)).toMatch(/^Zu keinem dieser Preise \(1\.200\) sind Angebote bekannt: .* nicht ausprobiert\.$/);
  });

  it('REP-19 say what would happen to a price', () => {
    expect(outcomeOf({ verdict: 'hold', held: 'OFFERS_OLD' })).toBe('gehalten: Angebotsdaten zu alt');
    expect(outcomeOf({ verdict: 'step', held: '' })).toBe('würde in Schritten gesendet');
  });

  it('REP-19 show a change in euro and percent, and nothing if there is none', () => {
    const words = (old: number | null, price: number | null) =>
      changeOf({ old_cents: old, new_cents: price }, 'EUR').replaceAll('\u00a0', ' ');
    expect(words(2000, 2100)).toBe('+1,00 € (+5 %)');
    expect(words(1500, 1250)).toBe('−2,50 € (−16,7 %)');
    expect(words(5476, 5474)).toBe('−0,02 € (− unter 0,1 %)');
    expect(words(5474, 5476)).toBe('+0,02 € (+ unter 0,1 %)');
    expect([words(1000, 1000), words(null, 1000), words(1000, null), words(0, 10)]).toEqual(['', '', '', '+0,10 €']);
  });

  it('REP-19 the options of a simulation are read from the address', () => {
    const read = (search: string) => choiceOf(new URLSearchParams(search));
    expect(read('')).toEqual({ on: 'now', days: 7, costField: '' });
    expect(read('angebote=verlauf&tage=30&einkaufspreis=EK')).toEqual({ on: 'history', days: 30, costField: 'EK' });
    expect(read('angebote=x&tage=31')).toEqual({ on: 'now', days: 7, costField: '' });
  });
});
