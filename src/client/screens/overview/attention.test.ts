import { expect, it } from 'vitest';
import { Export } from '#shared/exports/schema.ts';
import { Master } from '#shared/masters/schema.ts';
import { Run } from '#shared/runs/schema.ts';
import { goneSources } from '#shared/runs/words.ts';
import { attentionOf } from './attention.ts';

const counts = { rowsIn: 4536, accepted: 4536, rejected: 0, duplicates: 0, snapshot: 1, difference: null };
const lastRun = Run.parse({
  ...counts,
  runid: 'r',
  kind: 'export',
  owner: 'e',
  state: 'done',
  discarded: false,
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
const exportWith = (errors: number, uploadFailure: string | null = null) =>
  Export.parse({
    id: 'e',
    masterid: 'm',
    settings: { name: 'Google', channel: 'google', format: { kind: 'csv' }, filename: 'google.csv' },
    revision: 1,
    lastRun,
    uploadFailure,
    file: null,
    readiness: { items: 4536, errors, warnings: 0, fine: 4536 - errors },
    feeds: [],
    pullPath: '',
    deltaPath: null,
  });

const nothing = { masters: [], held: [], sales: null, prices: { count: 0, masterid: null } };

it('an export with items that the channel will refuse needs attention, urgently if no item is ready', () => {
  expect(attentionOf({ ...nothing, exports: [exportWith(0)], sales: null })).toEqual([]);
  expect(attentionOf({ ...nothing, exports: [exportWith(36)], sales: null })).toMatchObject([
    { grave: false, text: 'Export „Google“: 36\u00a0Artikel haben Fehler', to: '/exports/e/diagnose' },
  ]);
  expect(attentionOf({ ...nothing, exports: [exportWith(4536)], sales: null })).toMatchObject([
    { grave: true, text: 'Export „Google“: kein Artikel ist bereit' },
  ]);
});

it('DIF-03 a held-back run still needs attention when a later one failed or was discarded', () => {
  const run = (owner: string, state: Run['state']): Run => ({ ...lastRun, owner, state, message: `${state}.` });
  const held = [run('m', 'blocked'), run('e', 'blocked')];
  const texts = (state: Run['state']) => {
    const master = { masterid: 'm', name: 'Haus', items: 9, fields: 2, snapshot: 1, importedAt: null, key: 'id' };
    return attentionOf({
      ...nothing,
      held,
      masters: [Master.parse({ ...master, lastRun: run('m', state), exports: [], accounts: [] })],
      exports: [{ ...exportWith(0), lastRun: run('e', state) }],
    }).map(({ text, detail }) => [text, detail]);
  };
  const waiting = [
    ['Import von „Haus“ wartet auf Freigabe', 'blocked.'],
    ['Export „Google“ wartet auf Freigabe', 'blocked.'],
  ];
  expect(texts('cancelled')).toEqual(waiting);
  expect(texts('failed')).toEqual([
    ['Import von „Haus“ fehlgeschlagen', 'failed. Der bisherige Stand gilt weiter.'],
    waiting[0],
    ['Export „Google“ fehlgeschlagen', 'failed.'],
    waiting[1],
  ]);
});

it('FTP-04 an export whose file did not reach the channel needs attention, though its run went well', () => {
  const failure = 'Der Server hat die Anmeldung abgelehnt.';
  expect(attentionOf({ ...nothing, exports: [exportWith(36, failure)] })).toMatchObject([
    {
      grave: true,
      text: 'Export „Google“: Datei nicht übertragen',
      detail: `${failure} Der Kanal arbeitet mit dem, was er zuletzt bekam.`,
      to: '/exports/e',
    },
  ]);
});

it('an export whose file lacks the values of a vanished source needs attention, besides items with errors', () => {
  const gone = `${goneSources}: Feld „preis“. Ihre Werte bleiben leer.`;
  const one = { ...exportWith(36), lastRun: { ...lastRun, warnings: ['Der Export hat keine Felder.', gone] } };
  expect(attentionOf({ ...nothing, exports: [one] })).toMatchObject([
    {
      grave: true,
      text: 'Export „Google“: Quelle fehlt, Werte bleiben leer',
      detail: gone,
      to: '/exports/e/feldaufbau',
    },
    { id: 'e-errors' },
  ]);
});

it('among equally urgent entries, those that concern more money come first', () => {
  const trend = { now: 0, over: 0, before: 0, days: [] };
  const waiting = { open: 4, due: 2, overdue: 2, cancel_requests: 1, unclear: 0 };
  const sales = {
    compared: {
      over: { start: '2026-10-31', end: '2026-11-28' },
      earlier: { start: '2026-10-02', end: '2026-10-30' },
    },
    revenue: trend,
    orders: trend,
    ofChannel: { e: 123_400 },
    waiting,
    overdue: { cents: { EUR: 5000 }, partly: false },
  };
  const list = attentionOf({ ...nothing, exports: [exportWith(4536)], sales: sales });
  expect(list.map(({ id }) => id)).toEqual(['e-errors', 'orders-overdue', 'orders-wishes']);
  expect(list[0]?.detail).toContain('Darüber liefen in 30 Tagen 1.234,00\u00a0€.');
  expect(list[1]?.detail).toMatch(/^Zusammen 50,00\u00a0€\. Marktplätze/);
  const detail = (cents: Record<string, number>) =>
    attentionOf({ ...nothing, exports: [], sales: { ...sales, overdue: { cents, partly: true } } })[0]?.detail;
  expect(detail({ EUR: 5000, PLN: 700 })).toMatch(/^Zusammen mindestens 50,00\u00a0€ und 7,00\u00a0PLN\. Marktplätze/);
  expect(detail({ JPY: 12_000, CHF: 700, EUR: 5000 })).toMatch(
    /^Zusammen mindestens 50,00\u00a0€, 7,00\u00a0CHF und 120\u00a0¥\. Marktplätze/,
  );
  expect(detail({})).toMatch(/^Marktplätze/);
});

it('held prices need attention, and link to the catalogue with most of them', () => {
  expect(attentionOf({ ...nothing, exports: [], prices: { count: 3, masterid: 'm' } })).toMatchObject([
    { grave: true, text: '3\u00a0Preisfreigaben stehen aus', to: '/repricer/m' },
  ]);
});
