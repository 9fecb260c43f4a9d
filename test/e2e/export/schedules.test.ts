import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { minutesToNextTry } from '../../stages/next-try.ts';

const csv = 'sku;titel\nA-1;Hammer\nA-2;Zange\n';
/** A Wednesday in summer: 08:00 in Berlin. */
const START = Date.parse('2027-06-09T06:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('schedules', () => {
  let kontor: TestKontor;
  let server: Server;
  let answer: { status: number; headers?: Record<string, string> };
  let masterid: string;
  let time = START;
  beforeAll(async () => {
    server = createServer((_request, reply) => {
      reply.writeHead(answer.status, { 'content-type': 'text/csv', ...answer.headers });
      reply.end(answer.status === 200 ? csv : 'nein');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve());
    });
    kontor = await testKontor({}, { clock: { now: () => new Date(time) }, lookEveryMs: 40 });
    ({ masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } }));
  });
  afterAll(async () => {
    await kontor.close();
    server.close();
  });

  const address = () =>
    `http://user:geheim@127.0.0.1:${(server.address() as AddressInfo).port}/artikel.csv?schluessel=1`;
  const runs = () => kontor.ask(api.masterRuns, { params: { masterid } });
  const schedule = () => kontor.ask(api.importSchedule, { params: { masterid } });
  const save = (body: object) =>
    kontor.ask(api.saveImportSchedule, { params: { masterid }, body: { active: true, ...body } });
  /** Waits until the dispatcher has checked: it does so every 40 ms. */
  const looked = () => new Promise((resolve) => setTimeout(resolve, 250));
  const runCount = async (count: number) => {
    await expect.poll(async () => (await runs()).length, { timeout: 15_000 }).toBe(count);
    const [run] = await runs();
    return settled(kontor, run?.runid ?? '');
  };

  it('an invalid schedule is refused in German with the name of the field', async () => {
    const refused = async (body: object) => {
      const got = await kontor.raw(pathOf(api.saveImportSchedule, { masterid }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ active: true, ...body }),
      });
      const { error } = (await got.json()) as { error: { message: string; fields?: { field: string }[] } };
      return [got.status, error.fields?.[0]?.field];
    };
    expect(await refused({})).toEqual([422, 'address']);
    expect(await refused({ address: 'ftp://x.de/a.csv' })).toEqual([422, 'address']);
    expect(await refused({ times: ['24:00'] })).toEqual([422, 'times.0']);
    expect(await refused({ kind: 'interval', minutes: 4 })).toEqual([422, 'minutes']);
    expect(await refused({ weekdays: [] })).toEqual([422, 'weekdays']);
    expect((await kontor.raw(pathOf(api.runImportSchedule, { masterid }), { method: 'POST' })).status).toBe(409);
  });

  it('a due import is fetched once, names the schedule as its origin, and hides the secrets of its address', async () => {
    answer = { status: 200 };
    await save({ address: address(), times: ['09:00', '18:00'] });
    const seen = await schedule();
    expect(seen.nextAt).toBe('2027-06-09T07:00:00.000Z');
    expect(JSON.stringify(seen)).not.toMatch(/geheim|schluessel/);
    const history = await kontor.ask(api.revisions, { params: { subject: 'schedule', scope: `master:${masterid}` } });
    expect(JSON.stringify(history)).toContain('um 09:00, 18:00 Uhr');
    expect(JSON.stringify(history)).not.toMatch(/geheim|schluessel/);
    await looked();
    time = START + HOUR - 1;
    await looked();
    expect(await runs()).toEqual([]);
    time = START + HOUR;
    expect(await runCount(1)).toMatchObject({ state: 'done', accepted: 2, startedBy: 'Zeitplan' });
    expect((await schedule()).nextAt).toBe('2027-06-09T16:00:00.000Z');
  });

  it('F16 after clock jumps of an hour nothing runs twice, and a leap of three days makes up for one run', async () => {
    time = START;
    await looked();
    time = START + HOUR;
    await looked();
    time = START + 2 * HOUR;
    await looked();
    expect(await runs()).toHaveLength(1);
    time = START + 3 * 24 * HOUR;
    expect(await runCount(2)).toMatchObject({ state: 'done', startedBy: 'Zeitplan (nachgeholt)' });
    await looked();
    expect(await runs()).toHaveLength(2);
    expect((await schedule()).nextAt).toBe('2027-06-12T07:00:00.000Z');
  });

  it('a busy server is retried while a due run is skipped with a note; a permanent error is not retried', async () => {
    answer = { status: 503, headers: { 'retry-after': '120' } };
    time = START + 3 * 24 * HOUR + HOUR;
    const nextTry = async () => minutesToNextTry((await runs())[0]?.message);
    await expect.poll(nextTry, { timeout: 15_000 }).toBeDefined();
    expect([1, 2]).toContain(await nextTry());
    const [waiting] = await runs();
    expect(waiting).toMatchObject({ state: 'queued', retryable: false });
    time += 9 * HOUR;
    await expect
      .poll(async () => (await schedule()).note, { timeout: 15_000 })
      .toMatch(/wartete noch auf seinen nächsten Versuch/);
    expect(await runs()).toHaveLength(3);
    await kontor.ask(api.cancelRun, { params: { runid: waiting?.runid ?? '' } });
    answer = { status: 404 };
    time += 15 * HOUR;
    const failed = await runCount(4);
    expect(failed).toMatchObject({
      state: 'failed',
      retryable: true,
      message: expect.stringContaining('404') as string,
    });
    expect((await schedule()).note).toBeNull();
    answer = { status: 200 };
    const { runid } = await kontor.ask(api.retryRun, { params: { runid: failed.runid } });
    const again = await settled(kontor, runid);
    expect(again).toMatchObject({ state: 'done', retryable: false });
    expect(again.startedBy).not.toMatch(/Zeitplan/);
    const refused = await kontor.raw(pathOf(api.retryRun, { runid }), { method: 'POST' });
    expect(refused.status).toBe(409);
  });

  it('too long a time without success is notified once, and the next success marks it read', async () => {
    answer = { status: 404 };
    const overdue = async () => {
      const { notifications } = await kontor.ask(api.notifications, {});
      return notifications.filter(({ event }) => event === 'overdue');
    };
    const { notifications: before } = await kontor.ask(api.notifications, {});
    await looked();
    expect(await overdue()).toEqual([]);
    const count = (await runs()).length;
    time += 24 * HOUR;
    await runCount(count + 1);
    time += 3 * HOUR;
    await expect.poll(async () => (await overdue()).length, { timeout: 15_000 }).toBe(1);
    expect((await overdue())[0]).toMatchObject({
      read: false,
      title: expect.stringMatching(/26 Stunden.*Katalog/) as string,
    });
    expect((await schedule()).overdueSince).not.toBeNull();
    time += 24 * HOUR;
    await runCount(count + 2);
    await looked();
    expect(await overdue()).toHaveLength(1);
    // Failures in a row are one notification.
    const { notifications: after } = await kontor.ask(api.notifications, {});
    expect(after.filter(({ event }) => event === 'failed').length).toBe(
      before.filter(({ event }) => event === 'failed').length + 1,
    );
    answer = { status: 200 };
    await settled(kontor, (await kontor.ask(api.runImportSchedule, { params: { masterid } })).runid);
    await expect.poll(async () => (await overdue())[0]?.read, { timeout: 15_000 }).toBe(true);
    expect((await schedule()).overdueSince).toBeNull();
  });

  it('an export runs by interval, and not once its schedule is switched off', async () => {
    await save({ active: false });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } });
    const exportRuns = () => kontor.ask(api.exportRuns, { params: { id } });
    const set = (active: boolean) =>
      kontor.ask(api.saveExportSchedule, { params: { id }, body: { active, kind: 'interval', minutes: 5 } });
    await set(true);
    await looked();
    time += 5 * MINUTE;
    await expect.poll(async () => (await exportRuns())[0]?.state, { timeout: 15_000 }).toBe('done');
    await set(false);
    await looked();
    time += HOUR;
    await looked();
    expect(await exportRuns()).toHaveLength(1);
    expect(await kontor.ask(api.exportSchedule, { params: { id } })).toMatchObject({ nextAt: null });
  });

  it('restoring an older schedule restores its times, and says that the address stays the current one', async () => {
    const other = (await kontor.ask(api.createMaster, { body: { name: 'Zweiter' } })).masterid;
    const saved = (file: string, times: string[]) =>
      kontor.ask(api.saveImportSchedule, {
        params: { masterid: other },
        body: { active: false, kind: 'times', times, address: `http://127.0.0.1/${file}` },
      });
    const { revision } = await saved('alt.csv', ['05:00']);
    await saved('neu.csv', ['06:00']);
    const place = { subject: 'schedule' as const, scope: `master:${other}` };
    const { back, newest } = await kontor.ask(api.revision, { params: { ...place, revision } });
    expect(back).toEqual(['Läufe: vorher „täglich um 06:00 Uhr“, jetzt „täglich um 05:00 Uhr“.']);
    expect(newest).toBe(2);
    const told = await kontor.ask(api.restore, { params: place, body: { revision } });
    expect(told.message).toContain('die Adresse blieb die heutige');
    const { settings } = await kontor.ask(api.importSchedule, { params: { masterid: other } });
    expect([settings.times, settings.source]).toEqual([['05:00'], 'http://127.0.0.1/neu.csv']);
  });

  it('old files go after 30 days, except the last ten accepted, the live one and those held for release; lists say so', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Alt' } });
    for (let run = 0; run < 14; run++) await runExport(kontor, id);
    // The second was held back and is obsolete, because later ones were accepted; the last waits for a user.
    await kontor.database.system((trx) =>
      trx
        .updateTable('jobs')
        .set({ state: 'blocked' })
        .where('id', 'in', (eb) =>
          eb.selectFrom('export_files').select('runid').where('export', '=', id).where('number', 'in', [2, 14]),
        )
        .execute(),
    );
    const files = () => kontor.ask(api.exportFiles, { params: { id } });
    const publish = (number: number) =>
      kontor.raw(pathOf(api.publishFile, { id, number }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'Test' }),
      });
    expect((await publish(1)).status).toBe(200);
    // The database's times are today's; the program's clock is ahead of them.
    time = Math.max(time, Date.now()) + 60 * 24 * HOUR;
    await expect
      .poll(async () => (await files()).filter(({ gone }) => gone).map(({ number }) => number), { timeout: 15_000 })
      .toEqual([3, 2]);
    const filesOf = async (number: number) =>
      (await readdir(join(kontor.dataFolder, 'items'), { recursive: true })).filter(
        (name) => name.includes(id) && new RegExp(`/${number}\\.\\w+$`).test(name),
      );
    // The files are deleted after their row says so.
    await expect.poll(async () => [...(await filesOf(2)), ...(await filesOf(3))]).toEqual([]);
    expect((await filesOf(14)).length).toBeGreaterThan(1);
    expect((await filesOf(1)).length).toBeGreaterThan(1);
    expect((await publish(3)).status).toBe(404);
    expect((await kontor.ask(api.exportRuns, { params: { id } })).length).toBe(14);
  });
});
