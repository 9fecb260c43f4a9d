import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prune } from '#operations/pruning/prune.ts';
import { type PrunedTable, terms } from '#operations/pruning/terms.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const DAY = 24 * 60 * 60 * 1000;
const company = 'Firma1';
/** Returns a row with a name that identifies it and with this time. */
type Values = (name: string, at: string) => Record<string, string | number | null>;

const file = { export: 'E1', name: 'n', bytes: 1, items: 1, etag: 'e', mime: 'm' };
const state = { master: 'M1', items: 1, fields: '[]', source: 's' };
const noOrders = { currency: 'EUR', orders: 0, pieces: 0, revenue_cents: 0, cancelled: 0, returned: 0, unpriced: 0 };

/**
 * For each table with a term: its longest term, and a row to which it applies. A table with a term and without a row here is a
 * type error.
 */
const rows = {
  api_tokens: {
    name: 'id',
    days: terms.api_tokens.days,
    values: (id, at) => ({ id, name: 'n', hash: id, role: 'viewer', created_at: at, expires_at: at }),
  },
  deliveries: {
    name: 'id',
    days: terms.deliveries.days,
    values: (id, at) => ({
      id,
      notification: id,
      channel: 'mail',
      event: 'e',
      title: 't',
      state: 'sent',
      ended_at: at,
    }),
  },
  documents: {
    name: 'note',
    days: terms.documents.days,
    values: (note, at) => ({
      subject: 'rules',
      scope: note,
      revision: 1,
      body: '{}',
      author: 'x',
      created_at: at,
      note,
    }),
  },
  export_files: {
    name: 'runid',
    days: terms.export_files.days,
    values: (runid, at) => ({
      ...file,
      number: runid.length,
      runid,
      gone_at: at,
    }),
  },
  image_checks: {
    name: 'hash',
    days: terms.image_checks.days,
    values: (hash, at) => ({ hash, checked_at: at, next_at: at, failures: 0, status: 200 }),
  },
  jobs: {
    name: 'id',
    days: terms.jobs.days.runs,
    values: (id, at) => ({
      id,
      kind: 'export',
      subject: 'export:E1',
      state: 'failed',
      payload: '{}',
      created_at: at,
      finished_at: at,
    }),
  },
  notifications: {
    name: 'id',
    days: terms.notifications.days.unread,
    values: (id, at) => ({ id, event: 'failed', title: 't', text: 't', path: '/', created_at: at }),
  },
  order_days: {
    name: 'channel',
    days: terms.order_days.days,
    values: (channel, at) => ({
      ...noOrders,
      channel,
      day: at.slice(0, 10),
    }),
  },
  order_events: {
    name: 'order_id',
    days: terms.order_events.days,
    values: (order_id, at) => ({ order_id, channel: 'C1', at, kind: 'k', source: 'call' }),
  },
  import_uploads: {
    name: 'id',
    days: terms.import_uploads.days,
    values: (id, at) => ({
      id,
      master: 'M1',
      name: 'n',
      size: 1,
      options: '{}',
      ask_review: 'false',
      sent_by: 's',
      changed_at: at,
    }),
  },
  rank_history: {
    name: 'seller',
    days: terms.rank_history.days,
    values: (seller, at) => ({ seller, master: 'M1', hour: at, rank_1: 1, rank_2: 0, rank_3: 0, box: 1 }),
  },
  repricer_counters: {
    name: 'kind',
    days: terms.repricer_counters.days,
    values: (kind, at) => ({ kind, master: 'M1', marketplace: 'DE', day: at.slice(0, 10), n: 1 }),
  },
  request_keys: {
    name: 'key',
    days: terms.request_keys.days,
    values: (key, at) => ({ key, actor: 'a', call: 'c', input_hash: 'h', state: 'done', answer: '{}', at }),
  },
  snapshots: {
    name: 'runid',
    days: terms.snapshots.days,
    values: (runid, at) => ({
      ...state,
      number: runid.length,
      runid,
      gone_at: at,
    }),
  },
  transfer_results: {
    name: 'item',
    days: terms.transfer_results.days,
    values: (item, at) => ({ item, export: 'E1', channel: 'C1', state: 'sent', at }),
  },
} as const satisfies Record<PrunedTable, { name: string; days: number; values: Values }>;

/** Number of newer rows that a rule needs before it may delete an old one. */
const newer: ReadonlyMap<string, number> = new Map([
  ['jobs', 20],
  ['documents', 50],
]);

describe('retention terms of tables', () => {
  let database: Database;
  let folder: string;
  const clock = { now: () => new Date('2027-06-01T03:30:00Z') };
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY).toISOString();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-terms-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
    await database.company(company, async (trx) => {
      await pg`insert into masters (company, id, name) values (${company}, 'M1', 'x')`.execute(trx);
      await pg`insert into exports (company, id, master, feed_token) values (${company}, 'E1', 'M1', 'T1')`.execute(
        trx,
      );
    });
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const add = (table: string, values: Record<string, string | number | null>) =>
    database.company(company, async (trx) => {
      const all = { company, ...values };
      await pg`insert into ${pg.table(table)} (${pg.join(Object.keys(all).map((column) => pg.ref(column)))})
        values (${pg.join(Object.values(all))})`.execute(trx);
    });
  const left = (table: string, column: string) =>
    database.company(company, async (trx) => {
      const found = await pg<{ value: string }>`select distinct ${pg.ref(column)} as value from ${pg.table(table)}
        where company = ${company}`.execute(trx);
      return found.rows.map(({ value }) => value).filter((value) => !value.startsWith('Newer'));
    });

  it.each(Object.entries(rows))('%s keeps rows younger than its term and deletes older ones', async (table, row) => {
    const { name, days, values } = row;
    // One that is two days older than the term and one that is younger, because days may begin at another hour.
    await add(table, values('Older', ago(days + 2)));
    await add(table, values('Young1', ago(Math.max(0.5, days - 2))));
    for (let n = 0; n < (newer.get(table) ?? 0); n++) await addNewer(table, values, n);
    expect((await left(table, name)).toSorted()).toEqual(['Older', 'Young1']);
    await prune({ database, clock }, company, new AbortController().signal);
    expect(await left(table, name)).toEqual(['Young1']);
  });

  const addNewer = (table: string, values: Values, n: number) =>
    add(table, {
      ...values(`Newer${n}`, ago(0)),
      ...(table === 'documents' ? { scope: 'Older', revision: n + 2 } : {}),
    });

  it('the history of an open order stays, however old it is', async () => {
    const order = {
      channel: 'C1',
      channel_name: 'x',
      source: 'call',
      placed_at: ago(2000),
      changed_at: ago(2000),
      seen_at: ago(2000),
    };
    for (const state of ['open', 'shipped']) {
      const rest = { currency: 'EUR', state, open_pieces: 1, day: ago(2000).slice(0, 10) };
      await add('orders', { ...order, order_id: state, ...rest });
      await add('order_events', { channel: 'C1', order_id: state, at: ago(2000), kind: 'k', source: 'call' });
    }
    await prune({ database, clock }, company, new AbortController().signal);
    const kept = await left('order_events', 'order_id');
    expect(kept).toContain('open');
    expect(kept).not.toContain('shipped');
  });

  it('each term is in docs/operations.md, with its days', async () => {
    const text = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const missing = Object.entries(terms).flatMap(([table, term]) => {
      if (!('days' in term)) return [];
      const days = typeof term.days === 'number' ? [term.days] : Object.values(term.days);
      const line = text.split('\n').find((one) => one.startsWith('|') && one.includes(`\`${table}\``)) ?? '';
      return days.every((one) => new RegExp(`\\b${one} days?\\b`).test(line.replaceAll(/(\d),(\d{3})/g, '$1$2')))
        ? []
        : [table];
    });
    expect(missing).toEqual([]);
  });
});
