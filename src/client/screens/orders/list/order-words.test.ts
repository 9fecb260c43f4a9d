import { describe, expect, it } from 'vitest';
import { amountFacts, dueMark, lineWords, marksOf } from './order-words.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const due = (shipBy: string | null, more = {}) =>
  dueMark({ ship_by: shipBy, open_pieces: 1, state: 'open', ...more }, now)?.text.replaceAll('\u00a0', ' ');

describe('words for orders', () => {
  it('say how much time is left to ship, or how long the order has been overdue', () => {
    expect(due('2026-11-23T12:00:30Z')).toBe('noch 1 Min.');
    expect(due('2026-11-23T12:59:59Z')).toBe('noch 59 Min.');
    expect(due('2026-11-23T15:10:00Z')).toBe('noch 3 Std.');
    expect(due('2026-11-25T11:00:00Z')).toBe('noch 47 Std.');
    expect(due('2026-11-26T13:00:00Z')).toBe('noch 3 Tage');
    expect(due('2026-11-23T10:00:00Z')).toBe('überfällig seit 2 Std.');
    expect(due('2026-11-23T11:59:59Z')).toBe('überfällig seit 1 Min.');
    expect(due('2026-11-20T11:00:00Z')).toBe('überfällig seit 3 Tagen');
    expect(due('2010-12-01T12:00:00Z')).toBe('überfällig seit 5.836 Tagen');
  });

  it('mention no deadline if nothing is to be shipped', () => {
    expect([due(null), due('2026-11-22T00:00:00Z', { open_pieces: 0 })]).toEqual([undefined, undefined]);
    expect(due('2026-11-22T00:00:00Z', { state: 'pending' })).toBeUndefined();
  });

  it('put first what needs a decision', () => {
    const order = { state: 'open', hold: 'cancel_requested', unclear: 1, open_pieces: 2 } as Parameters<
      typeof marksOf
    >[0];
    expect(marksOf(order).map(({ text }) => text)).toEqual(['Klärung nötig', 'Stornowunsch']);
    // Pieces already shipped can no longer be cancelled.
    const gone = { ...order, state: 'shipped' as const, unclear: 0, open_pieces: 0 };
    expect(marksOf(gone).map(({ text }) => text)).toEqual(['versandt']);
  });

  const line = {
    sku: 'Z-1',
    ordered: 2,
    unit_cents: 500,
    discount_cents: 100,
    shipping_cents: 490,
    tax_rate: 700,
    open: 1,
    waiting: 0,
    shipped: 1,
    cancelled: 0,
    returned: 0,
  };
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');

  it('describe an order line by the price of a piece, the discount and the tax', () => {
    expect(plain(lineWords(line, 'EUR'))).toBe(
      'Z-1 · 5,00 € je Stück · zusammen 1,00 € Nachlass · 7 % MwSt. · 1 offen, 1 versandt',
    );
    expect(plain(lineWords({ ...line, discount_cents: 0, tax_rate: null }, 'CHF'))).toBe(
      'Z-1 · 5,00 CHF je Stück · 1 offen, 1 versandt',
    );
    // Users who only ship see neither price nor tax.
    expect(lineWords({ ...line, unit_cents: null, discount_cents: 0, tax_rate: null }, 'EUR')).toBe(
      'Z-1 · 1 offen, 1 versandt',
    );
  });

  it('show what the buyer paid: the goods, and with shipping if there is any', () => {
    const facts = (more: object) =>
      amountFacts({ total_cents: 900, currency: 'EUR', line_count: 1, lines: [line], ...more }).map(
        ([label, text]) => `${label}: ${plain(text)}`,
      );
    expect(facts({})).toEqual(['Betrag der Ware: 9,00 €', 'Versandkosten: 4,90 €', 'Zusammen: 13,90 €']);
    expect(facts({ lines: [{ ...line, shipping_cents: 0 }] })).toEqual(['Betrag: 9,00 €']);
    expect(facts({ total_cents: null })).toEqual(['Betrag der Ware: noch nicht bekannt', 'Versandkosten: 4,90 €']);
    // With more lines than the page has, the shipping sum is unknown.
    expect(facts({ line_count: 2 })).toEqual(['Betrag der Ware: 9,00 €']);
    // Cancelled goods were paid back, including their shipping.
    expect(facts({ total_cents: 0, lines: [{ ...line, ordered: 2, cancelled: 2 }] })).toEqual(['Betrag: 0,00 €']);
  });
});
