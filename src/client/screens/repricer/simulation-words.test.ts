import { describe, expect, it } from 'vitest';
import { barsOf, outcomeOf } from './simulation-words.ts';

describe('what a simulation says', () => {
  it('REP-19 counts by reason, the most frequent first, those that hold marked', () => {
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

  it('REP-19 says what would become of a price', () => {
    expect(outcomeOf({ verdict: 'hold', held: 'OFFERS_OLD' })).toBe('gehalten: Angebotsdaten zu alt');
    expect(outcomeOf({ verdict: 'step', held: '' })).toBe('würde in Schritten gesendet');
  });
});
