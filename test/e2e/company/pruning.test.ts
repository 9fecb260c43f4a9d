import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { checkOrphans } from '#operations/pruning/orphans.ts';
import { terms } from '#operations/pruning/terms.ts';
import { deleteOfferMinutes } from '#repricer/intake/delete-offer-minutes.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';
import { ago, resetCompany, clock, columnOf, company, pruneAll } from '../../stages/company/old-rows.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('nightly deletion of old rows', () => {
  let database: Database;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-pruning-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => resetCompany(database));
  const pruned = () => pruneAll(database);
  const run = (job: { id: string; days: number; kind?: string; subject?: string; state?: string }) =>
    database.company(company, async (trx) => {
      const { id, days, kind = 'export', subject = 'export:E1', state = 'done' } = job;
      await pg`insert into jobs (company, id, kind, subject, state, payload, created_at, finished_at)
        values (${company}, ${id}, ${kind}, ${subject}, ${state}, '{}', ${ago(days)}, ${ago(days)})`.execute(trx);
    });
  const left = (table: string, column: string) => columnOf(database, table, column);

  it('revisions older than a year are deleted, except the newest fifty and those that prices and releases need', async () => {
    const save = (subject: string, revisions: number, days: number) =>
      database.company(company, (trx) =>
        pg`insert into documents (company, subject, scope, revision, body, author, created_at)
          select ${company}, ${subject}, 'master:M1', n, '{}', 'x', ${ago(days)} from generate_series(1, ${revisions}::int) n`.execute(
          trx,
        ),
      );
    await save('rules', 60, terms.documents.days + 1);
    await save('mapping', 60, terms.documents.days - 1);
    await save('repricer', 60, 2000);
    await save('releases', 60, 2000);
    expect((await pruned())['documents']).toBe(10);
    const subjects = await left('documents', 'subject');
    expect(subjects.filter((one) => one === 'rules')).toHaveLength(50);
    expect(subjects).toHaveLength(50 + 60 + 60 + 60);
  });

  it("runs go after 90 days, other jobs after 14, in batches; a subject's newest and those of a kept file stay", async () => {
    await database.company(company, (trx) =>
      pg`insert into jobs (company, id, kind, subject, state, payload, created_at, finished_at)
        select ${company}, 'Mail' || n, 'deliver', 'deliver:mail', 'done', '{}', ${ago(20)}::timestamptz + n * interval '1 second', ${ago(20)}
        from generate_series(1, 2500) n`.execute(trx),
    );
    await run({ id: 'Made', days: 400 });
    await run({ id: 'Blocked', subject: 'export:E2', days: 400, state: 'blocked' });
    await run({ id: 'Old', days: 91 });
    await run({ id: 'Young', days: 89 });
    for (let n = 0; n < 20; n++) await run({ id: `New${n}`, days: 1, state: 'failed' });
    await database.company(company, (trx) =>
      pg`insert into export_files (company, export, number, runid, name, bytes, items, etag, mime)
        values (${company}, 'E1', 1, 'Made', 'a', 1, 1, 'e', 'm')`.execute(trx),
    );
    expect((await pruned())['jobs']).toBe(2480 + 1);
    const ids = await left('jobs', 'id');
    expect(ids.filter((id) => id.startsWith('Mail'))).toHaveLength(20);
    expect(ids.filter((id) => !/^(Mail|New)/.test(id))).toEqual(['Blocked', 'Made', 'Young']);
  });

  it('a run waiting for a release is kept until a later one is accepted; one with a kept file stays', async () => {
    await run({ id: 'Accepted', days: 500 });
    for (const [id, subject] of [
      ['Passed', 'export:E1'],
      ['Kept', 'export:E1'],
      ['Waiting', 'export:E2'],
    ] as const)
      await run({ id, subject, days: 400, state: 'blocked' });
    for (const subject of ['export:E1', 'export:E2'])
      for (let n = 0; n < 20; n++) await run({ id: `${subject}${n}`, subject, days: 1, state: 'failed' });
    await run({ id: 'Later', days: 300 });
    await database.company(company, (trx) =>
      pg`insert into export_files (company, export, number, runid, name, bytes, items, etag, mime)
        values (${company}, 'E1', 1, 'Kept', 'a', 1, 1, 'e', 'm')`.execute(trx),
    );
    await pruned();
    const ids = await left('jobs', 'id');
    expect(ids.filter((id) => !id.startsWith('export:'))).toEqual(['Kept', 'Later', 'Waiting']);
  });

  it('the last success of a schedule stays, however many failures came after it', async () => {
    await run({ id: 'Success', days: 300 });
    for (let n = 0; n < 30; n++) await run({ id: `Failure${n}`, days: 200 - n, state: 'failed' });
    await pruned();
    expect(await left('jobs', 'id')).toContain('Success');
    expect(await left('jobs', 'id')).toHaveLength(21);
  });

  it('records of deleted snapshots and files are removed after a year, existing ones never', async () => {
    await database.company(company, async (trx) => {
      for (const [number, gone] of [
        [1, ago(terms.snapshots.days + 1)],
        [2, ago(terms.snapshots.days - 1)],
        [3, null],
      ] as const) {
        await pg`insert into snapshots (company, master, number, runid, items, fields, source, created_at, gone_at)
          values (${company}, 'M1', ${number}, 'R', 1, '[]', 's', ${ago(2000)}, ${gone})`.execute(trx);
        await pg`insert into export_files (company, export, number, runid, name, bytes, items, etag, mime, created_at, gone_at)
          values (${company}, 'E1', ${number}, 'R', 'a', 1, 1, 'e', 'm', ${ago(2000)}, ${gone})`.execute(trx);
      }
    });
    await pruned();
    expect(await left('snapshots', 'number')).toEqual(['2', '3']);
    expect(await left('export_files', 'number')).toEqual(['2', '3']);
  });

  it('deliveries go after 90 days, notifications after 180 (unread: two years), waiting ones stay', async () => {
    await database.company(company, async (trx) => {
      for (const [id, days, read] of [
        ['old', 181, ago(1)],
        ['young', 179, ago(1)],
        ['unread', 729, null],
        ['forgotten', 731, null],
      ] as const)
        await pg`insert into notifications (company, id, event, title, text, path, created_at, read_at)
          values (${company}, ${id}, 'failed', 't', 't', '/', ${ago(days)}, ${read})`.execute(trx);
      for (const [id, ended] of [
        ['old', ago(91)],
        ['young', ago(89)],
        ['waiting', null],
      ] as const)
        await pg`insert into deliveries (company, id, notification, channel, event, title, state, created_at, ended_at)
          values (${company}, ${id}, ${id}, 'mail', 'failed', 't', ${ended === null ? 'waiting' : 'sent'}, ${ago(300)}, ${ended})`.execute(
          trx,
        );
    });
    await pruned();
    expect(await left('notifications', 'id')).toEqual(['unread', 'young']);
    expect(await left('deliveries', 'id')).toEqual(['waiting', 'young']);
  });

  it('hourly ranks are deleted after three years', async () => {
    await database.company(company, async (trx) => {
      for (const [seller, days] of [
        ['old', 1097],
        ['young', 1095],
      ] as const)
        await pg`insert into rank_history (company, master, seller, hour, rank_1, rank_2, rank_3, box)
          values (${company}, 'M1', ${seller}, ${ago(days)}, 1, 0, 0, 1)`.execute(trx);
    });
    await pruned();
    expect(await left('rank_history', 'seller')).toEqual(['young']);
  });

  it("sellers' prices by the minute are deleted in batches after their days; newer offers stay", async () => {
    const minutes = (productId: string, days: number, count: number) =>
      database.company(company, async (trx) => {
        await pg`insert into article_offers (company, master, marketplace, product_id, condition, event_at, received_at, message, offers)
          values (${company}, 'M1', 'DE', ${productId}, 'new', ${ago(days)}, ${ago(days)}, 'm', '[]') on conflict do nothing`.execute(
          trx,
        );
        await pg`insert into offer_minutes (company, master, marketplace, product_id, condition, minute, sellers)
          select ${company}, 'M1', 'DE', ${productId}, 'new', ${ago(days)}::timestamptz - n * interval '1 minute', '{}'
          from generate_series(1, ${count}::int) n`.execute(trx);
      });
    await minutes('Both', 91, 12_000);
    await minutes('Both', 89, 3);
    await minutes('Old', 400, 2);
    for (let n = 0; n < 600; n++) await minutes(`P${n}`, n === 599 ? 91 : 1, 1);
    const forget = () =>
      deleteOfferMinutes({ database, clock, keptDays: { offerMinutes: 90 } }, company, new AbortController().signal);
    expect(await forget()).toBe(12_000 + 2 + 1);
    expect(await left('offer_minutes', 'product_id')).toHaveLength(3 + 599);
    expect(await left('article_offers', 'product_id')).toHaveLength(602);
    expect(await forget()).toBe(0);
  });

  it('rows of the same age in another company stay', async () => {
    await database.company('Firma2', (trx) =>
      pg`insert into notifications (company, id, event, title, text, path, created_at)
        values ('Firma2', 'old', 'failed', 't', 't', '/', ${ago(900)})`.execute(trx),
    );
    await pruned();
    const rows = await database.company('Firma2', (trx) => trx.selectFrom('notifications').select('id').execute());
    expect(rows).toHaveLength(1);
  });

  it('M2 uploads without an import are deleted after an hour; orphaned folders and rows are reported once and stay', async () => {
    const storagePaths = storagePathsIn(join(folder, 'items'));
    const put = async (path: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'x');
      return path;
    };
    await run({ id: 'Waits', days: 0, subject: 'master:M1', state: 'queued', kind: 'import' });
    const cancelled = await put(storagePaths.incoming(company, 'M1', 'Cancelled'));
    const waiting = await put(storagePaths.incoming(company, 'M1', 'Waits'));
    const strange = await put(storagePaths.snapshot(company, 'Nobody', 1));
    const archive = await put(join(storagePaths.company(company), 'work', 'A1.tar'));
    await database.company(company, (trx) =>
      pg`insert into snapshots (company, master, number, runid, items, fields, source)
        values (${company}, 'M1', 7, 'R', 1, '[]', 's')`.execute(trx),
    );
    const told: { id: string; text: string }[] = [];
    const look = (now: Date, paths = storagePaths) =>
      checkOrphans(
        {
          database,
          storagePaths: paths,
          clock: { now: () => now },
          log: makeLog('silent'),
          addNotification: async (_trx, _company, notice) => told.push(notice),
        },
        company,
      );
    await look(new Date());
    expect([existsSync(cancelled), existsSync(archive)]).toEqual([true, true]);
    told.length = 0;
    const later = new Date(Date.now() + 4 * DAY);
    await look(later);
    await look(later);
    expect([existsSync(cancelled), existsSync(waiting), existsSync(strange), existsSync(archive)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(told[0]?.text).toContain(
      'Es fehlt 1 Datei, von der die Datenbank weiß: M1/snapshots/7.parquet. 1 Ordner gehört zu nichts mehr: Nobody.',
    );
    expect(told[0]?.id).toBe(told[1]?.id);

    // An import ends right after the files were listed.
    await rm(strange);
    await put(storagePaths.snapshot(company, 'M1', 7));
    const { store } = storagePaths;
    const list = async (path: string) => {
      const files = await store.list(path);
      await put(storagePaths.snapshot(company, 'M1', 8));
      await database.company(company, (trx) =>
        pg`insert into snapshots (company, master, number, runid, items, fields, source)
          values (${company}, 'M1', 8, 'R8', 1, '[]', 's') on conflict do nothing`.execute(trx),
      );
      return files;
    };
    told.length = 0;
    await look(later, { ...storagePaths, store: { ...store, list } });
    expect(told).toEqual([]);
  });
});
