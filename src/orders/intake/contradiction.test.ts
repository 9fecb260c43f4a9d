import { describe, expect, test } from 'vitest';
import { NewOrder } from '#shared/orders/intake.ts';
import { contradiction } from './contradiction.ts';

const now = new Date('2026-11-30T12:00:00Z');
const judged = (dates: object) =>
  contradiction(
    NewOrder.parse({
      orderid: 'B-1',
      placed_at: '2026-11-30T10:00:00Z',
      lines: [{ productid: '1', sku: 'A', ordered: 1 }],
      ...dates,
    }),
    now,
  );

describe('dates of an order', () => {
  test.each([
    [{ placed_at: '2062-11-30T10:00:00Z' }, 'Bestelldatum: Der 30.11.2062 liegt in der Zukunft.'],
    [{ placed_at: '2026-12-01T12:00:01Z' }, 'Bestelldatum: Der 01.12.2026'],
    [{ changed_at: '2062-01-01T00:00:00+01:00' }, 'Änderungsdatum: Der 01.01.2062'],
    [{ ship_by: '2062-11-30T10:00:00Z' }, 'Versand bis: Der 30.11.2062 liegt mehr als drei Jahre'],
    [{ deliver_by: '9998-11-30T10:00:00Z' }, 'Lieferung bis: Der 30.11.9998'],
  ])('ORD-04 one too far in the future refuses the order: %j', (dates, text) => {
    expect(judged(dates)).toContain(text);
  });

  test('ORD-04 a clock that is somewhat ahead, and an article ordered long in advance, are accepted', () => {
    expect(judged({ placed_at: '2026-12-01T10:00:00Z', changed_at: '2026-12-01T11:00:00Z' })).toBeUndefined();
    expect(judged({ ship_by: '2028-11-30T10:00:00Z', deliver_by: '2028-12-30T10:00:00Z' })).toBeUndefined();
    expect(judged({ placed_at: '1999-01-01T10:00:00Z', ship_by: '1999-01-02T10:00:00Z' })).toBeUndefined();
  });
});
