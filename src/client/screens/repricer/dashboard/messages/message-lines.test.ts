import { expect, it } from 'vitest';
import type { MessageCount } from '#shared/repricer/dashboard.ts';
import { messageGroups, messageLines, totalOf } from './message-lines.ts';

const row = (date: string, group: MessageCount['group'], type: string, count: number): MessageCount => ({
  datum: { date },
  group,
  type,
  count,
});
const days = ['2026-11-01', '2026-11-02', '2026-11-03'];

it('RDA-01 each message type of the group has a line with its German name, and 0 on days without any', () => {
  const rows = [
    row('2026-11-01', 'reason', 'COMPETE_LOWEST', 5),
    row('2026-11-03', 'reason', 'COMPETE_LOWEST', 7),
    row('2026-11-02', 'reason', 'OWN_BUYBOX_HOLD', 1),
    row('2026-11-02', 'held', 'IN_FLIGHT', 3),
  ];
  expect(messageLines(rows, 'reason', days)).toMatchObject([
    { name: 'BuyBox gehört uns', values: [0, 1, 0] },
    { name: 'Günstigster Wettbewerber', values: [5, 0, 7] },
  ]);
  expect(messageLines(rows, 'held', days)).toMatchObject([{ name: 'Vorige Änderung noch nicht bestätigt' }]);
  expect(messageLines(rows, 'sent', days)).toEqual([]);
  expect(totalOf(messageLines(rows, 'reason', days))).toBe(13);
});

it('RDA-01 a type keeps its colour whatever other types occur; an unknown type is named by its code', () => {
  const own = row('2026-11-01', 'reason', 'COMPETE_LOWEST', 5);
  const [alone] = messageLines([own], 'reason', days);
  const among = messageLines([row('2026-11-01', 'reason', 'ZZ_NEW', 2), own], 'reason', days);
  expect(among.map(({ name }) => name)).toEqual(['Günstigster Wettbewerber', 'ZZ_NEW']);
  expect(among[0]?.position).toBe(alone?.position);
  expect(alone?.position).toBeLessThan(9);
});

it('RDA-01 forty types have forty different colours', () => {
  const rows = Array.from({ length: 40 }, (_, n) => row('2026-11-01', 'sent', `TYP_${n}`, n + 1));
  const lines = messageLines(rows, 'sent', days);
  expect(lines).toHaveLength(40);
  expect(new Set(lines.map(({ position }) => position)).size).toBe(40);
});

it('RDA-01 the names of types are unique within their group', () => {
  for (const { types } of Object.values(messageGroups))
    expect(new Set(types.map(([, name]) => name)).size).toBe(types.length);
});
