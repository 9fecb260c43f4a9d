import { expect, test } from 'vitest';
import { StockSettings } from '#shared/stock/settings.ts';
import { numberSteps } from './reason.ts';

const settings = StockSettings.parse({ field: 'Bestand', buffer_pieces: 1 });
const order = { orderid: 'O-1', channel: 'c', channel_name: 'Shop', placed_at: '2026-11-01T10:00:00Z', pending: false };
const stepsOf = (count: number) => {
  const row = { item: 'A-1', on_hand: count, reserved: count, buffer: count, available: 0, source: 'ok' as const };
  return numberSteps({
    row: { ...row, offers: [] },
    settings,
    sourceAt: null,
    orders: [{ ...order, open: 0, left: count }],
  });
};

test('one piece is described in the singular, several in the plural', () => {
  const [one, several] = [stepsOf(1).join(' '), stepsOf(2).join(' ')];
  expect(one).toContain('steht 1 Stück.');
  expect(one).toContain('wurde 1 Stück versandt; es wird bis zur nächsten Datei auch abgezogen.');
  expect(one).toContain('Als Puffer bleibt 1 Stück zurück');
  expect(several).toContain('stehen 2 Stück.');
  expect(several).toContain('wurden 2 Stück versandt; sie werden bis zur nächsten Datei auch abgezogen.');
  expect(several).toContain('Als Puffer bleiben 2 Stück zurück');
});
