import { describe, expect, it } from 'vitest';
import type { RuleChange } from '#shared/repricer/rule-change.ts';
import { changeRows, doubts, soldOf } from './change-rows.ts';

const change: RuleChange = {
  revision: 3,
  at: '2026-06-10T10:00:00Z',
  author: 'A',
  changes: [],
  spans: { before: { start: '2026-06-03', end: '2026-06-09' }, after: { start: '2026-06-11', end: '2026-06-17' } },
  others: [],
  box: { before: { observed: 1000, box: 400 }, after: { observed: 1000, box: 552 } },
  messages: { before: { decided: 1200, held: 0 }, after: { decided: 1300, held: 0 } },
  narrowed: true,
  prices: [{ currency: 'SEK', articles: 40, before_cents: 12_345, after_cents: 12_000 }],
  minimum: { before: { articles: 40, at_minimum: 4 }, after: { articles: 41, at_minimum: 9 } },
};

describe('the effect of a rule change', () => {
  it('is compared line by line, in the marketplace’s own currency', () => {
    const cells = changeRows(change, null).map(({ label, before, after, difference }) => [
      label,
      before,
      after,
      difference,
    ]);
    expect(cells).toEqual([
      ['Zeitanteil der BuyBox', '40\u00a0%', '55,2\u00a0%', '+15,2\u00a0Punkte'],
      ['Mittlerer Preis', '123,45\u00a0SEK', '120,00\u00a0SEK', '−3,45\u00a0SEK'],
      ['Artikel am Mindestpreis', '4 von 40', '9 von 41', '+5'],
      ['Nachrichten', '1.200', '1.300', '+100'],
    ]);
    expect(doubts(change, 7)).toEqual([]);
  });

  it('counts only orders of the catalogue’s accounts, separately by currency', () => {
    const row = (channel: string, currency: string, sumSales: number, count: number) => ({
      _id: { datum: '2026-06-03', marketplaceChannelName: '' },
      sumSales,
      count,
      channel,
      currency,
      position: 0,
      orders: 1,
      cancelled: 0,
      returned: 0,
      unpriced: 0,
    });
    const sold = soldOf([row('a', 'EUR', 10.1, 2), row('a', 'PLN', 3, 1), row('fremd', 'EUR', 99, 9)], new Set(['a']));
    expect(sold).toEqual({
      pieces: 3,
      revenue: [
        { currency: 'EUR', cents: 1010 },
        { currency: 'PLN', cents: 300 },
      ],
    });
    const rows = changeRows(change, { before: sold, after: sold }).slice(-3);
    expect(rows.map(({ label, difference }) => [label, difference])).toEqual([
      ['Menge', 'unverändert'],
      ['Umsatz (EUR)', 'unverändert'],
      ['Umsatz (PLN)', 'unverändert'],
    ]);
  });

  it('says why the comparison is weak: few days, few observations, few articles, other changes', () => {
    const early: RuleChange = {
      ...change,
      spans: { before: { start: '2026-06-09', end: '2026-06-09' }, after: { start: '2026-06-11', end: '2026-06-11' } },
      box: { before: { observed: 10, box: 1 }, after: { observed: 1000, box: 1 } },
      prices: [],
      others: [{ revision: 4, at: '' }],
    };
    expect(doubts(early, 7)).toEqual([
      expect.stringMatching(/Erst 1.voller Tag/),
      expect.stringContaining('kaum Aufzeichnungen'),
      expect.stringMatching(/nur 0.Artikel/),
      expect.stringMatching(/noch 1.weiteres Mal gespeichert/),
    ]);
    const later: RuleChange = {
      ...change,
      spans: { before: { start: '2026-06-05', end: '2026-06-09' }, after: { start: '2026-06-11', end: '2026-06-15' } },
    };
    expect(doubts(later, 7)).toEqual([expect.stringMatching(/Verglichen werden 5.volle Tage statt 7/)]);
  });
});
