import { expect, it } from 'vitest';
import { Export } from '#shared/exports/schema.ts';
import { Run } from '#shared/runs/schema.ts';
import { attentionOf } from './attention.ts';

const counts = { rowsIn: 4536, accepted: 4536, rejected: 0, duplicates: 0, snapshot: 1, difference: null };
const lastRun = Run.parse({
  ...counts,
  runid: 'r',
  kind: 'export',
  owner: 'e',
  state: 'done',
  progress: { done: 1, total: 1, phase: '' },
  message: null,
  deviation: [],
  warnings: [],
  detected: null,
  source: null,
  startedBy: null,
  retryable: false,
  createdAt: '2026-11-23T04:00:00Z',
  startedAt: null,
  finishedAt: null,
});
const exportWith = (errors: number) =>
  Export.parse({
    id: 'e',
    masterid: 'm',
    settings: { name: 'Google', channel: 'google', format: { kind: 'csv' }, filename: 'google.csv' },
    revision: 1,
    lastRun,
    file: null,
    readiness: { items: 4536, errors, warnings: 0, fine: 4536 - errors },
    feeds: [],
    pullPath: '',
    deltaPath: null,
  });

it('an export whose items the channel will refuse needs attention, most of all where none is ready', () => {
  expect(attentionOf([], [exportWith(0)], null)).toEqual([]);
  expect(attentionOf([], [exportWith(36)], null)).toMatchObject([
    { grave: false, text: 'Export „Google“: 36\u00a0Artikel haben Fehler', to: '/exports/e/diagnose' },
  ]);
  expect(attentionOf([], [exportWith(4536)], null)).toMatchObject([
    { grave: true, text: 'Export „Google“: kein Artikel ist bereit' },
  ]);
});

it('what more money hangs on stands first among what is equally grave', () => {
  const trend = { now: 0, before: 0, days: [] };
  const waiting = { open: 4, due: 2, overdue: 2, cancel_requests: 1, unclear: 0 };
  const sales = { revenue: trend, orders: trend, ofChannel: { e: 123_400 }, waiting, overdueCents: 5000 };
  const list = attentionOf([], [exportWith(4536)], sales);
  expect(list.map(({ id }) => id)).toEqual(['e-errors', 'orders-overdue', 'orders-wishes']);
  expect(list[0]?.detail).toContain('Darüber liefen in 30 Tagen 1.234,00\u00a0€.');
});
