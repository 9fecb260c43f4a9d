import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { Run } from '#shared/runs/schema.ts';
import { importFile, masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { namesIn, sftpServer, textOf, type SftpServer } from '../../servers/sftp-server.ts';

const csvOf = (prices: ReadonlyMap<string, string>) =>
  ['sku;titel;preis', ...[...prices].map(([sku, price]) => `${sku};Ware ${sku};${price}`), ''].join('\n');

describe('FTP-04 uploads of changes to a channel', { timeout: 180_000 }, () => {
  let kontor: TestKontor;
  let channel: SftpServer;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());
  beforeEach(async () => {
    channel = await sftpServer();
  });
  afterEach(() => channel.close());

  /** Creates an export of changes whose full file is on the channel's server. */
  const exported = async () => {
    const prices = new Map(Array.from({ length: 40 }, (_, index) => [`A-${index}`, `${10 + index},50`]));
    const masterid = await masterWith(kontor, csvOf(prices), { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv' } },
    });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, {
      params: { id },
      body: { ...settings, delta: { ...settings.delta, active: true } },
    });
    const place = { host: '127.0.0.1', port: channel.port };
    const { fingerprint } = await kontor.ask(api.checkUpload, {
      body: { ...place, username: 'kanal', password: 'geheim' },
    });
    const save = (more: object = {}) =>
      kontor.ask(api.saveUpload, {
        params: { id },
        body: {
          active: true,
          ...place,
          user: 'kanal',
          pass: '',
          dir: '/eingang',
          filename: 'datei.csv',
          fingerprint,
          ...more,
        },
      });
    await save({ pass: 'geheim' });
    await runExport(kontor, id);
    const uploads = async () => (await kontor.ask(api.upload, { params: { id } })).runs;
    /** Returns the newest upload once it has ended. */
    const ended = async () => settled(kontor, (await uploads())[0]?.runid ?? '');
    expect(await ended()).toMatchObject({ state: 'done' });
    const run = async (query = {}): Promise<Run> =>
      settled(kontor, (await kontor.ask(api.runExport, { params: { id }, query })).runid);
    return {
      id,
      save,
      uploads,
      ended,
      run,
      now: async () => settled(kontor, (await kontor.ask(api.uploadNow, { params: { id } })).runid),
      again: async ({ runid }: { runid: string }) =>
        settled(kontor, (await kontor.ask(api.retryRun, { params: { runid } })).runid),
      changed: async (sku: string, price: string) => {
        prices.set(sku, price);
        await importFile(kontor, masterid, { name: 'a.csv', bytes: csvOf(prices) });
        return run();
      },
    };
  };
  const seen = (name: string) => textOf(join(channel.folder, 'eingang', name));
  /** Without files that an aborted attempt left, which the next one removes. */
  const files = async () => (await namesIn(join(channel.folder, 'eingang'))).filter((name) => !name.endsWith('.tmp'));
  const waits = (runid: string) =>
    expect
      .poll(async () => (await kontor.ask(api.run, { params: { runid } })).message, { timeout: 30_000 })
      .toMatch(/Nächster Versuch: /);

  it('changes waiting for a retry are sent before newer ones, and other exports are not delayed', async () => {
    const { changed, uploads, now } = await exported();
    const other = await exported();
    channel.cutAfter = 5;
    await changed('A-1', '1,00');
    const [older] = await uploads();
    await waits(older?.runid ?? '');
    channel.cutAfter = undefined;
    await changed('A-2', '2,00');
    expect(await other.now()).toMatchObject({ state: 'done' });
    const [newer] = await uploads();
    expect([newer?.state, await files()]).toEqual(['queued', ['datei.csv']]);
    // Starting it by hand tries all waiting uploads at once, the newest last.
    expect(await now()).toMatchObject({ runid: newer?.runid, state: 'done' });
    const first = await kontor.ask(api.run, { params: { runid: older?.runid ?? '' } });
    expect(first.state).toBe('done');
    expect(await seen('datei-aenderungen.csv')).toContain('A-2;Ware A-2;2,00');
    // With everything uploaded, the last changes are sent again, never an older full file.
    expect(await now()).toMatchObject({
      state: 'done',
      message: expect.stringContaining('datei-aenderungen') as string,
    });
  });

  it('a retry sends the failed changes, not an older whole file, and all missing ones in order', async () => {
    const { changed, save, ended, again } = await exported();
    const whole = await seen('datei.csv');
    await save({ fingerprint: 'SHA256:anders' });
    await changed('A-1', '1,00');
    const failed = await ended();
    expect(failed).toMatchObject({ state: 'failed' });
    await save();
    expect(await again(failed)).toMatchObject({ state: 'done', accepted: 1 });
    expect(await seen('datei-aenderungen.csv')).toContain('A-1;Ware A-1;1,00');
    expect(await seen('datei.csv')).toBe(whole);
    await changed('A-2', '2,00');
    expect(await ended()).toMatchObject({ state: 'done' });
    // Retrying the first upload sends the newest file, because the first is older than what the channel has.
    expect(await again({ runid: failed.runid })).toMatchObject({ state: 'done' });
    expect(await seen('datei-aenderungen.csv')).toContain('A-2;Ware A-2;2,00');
  });

  it('after lost changes the next run sends the whole file, and changes after a gap are not sent', async () => {
    const { id, changed, save, ended, run, uploads } = await exported();
    await save({ fingerprint: 'SHA256:anders' });
    await changed('A-1', '1,00');
    expect(await ended()).toMatchObject({ state: 'failed' });
    await save();
    expect(await changed('A-2', '2,00')).toMatchObject({ state: 'done', accepted: 40, message: null });
    expect(await ended()).toMatchObject({ state: 'done' });
    for (const line of ['A-1;Ware A-1;1,00', 'A-2;Ware A-2;2,00']) expect(await seen('datei.csv')).toContain(line);
    // Created after changes that are cancelled while they wait.
    channel.cutAfter = 5;
    await changed('A-3', '3,00');
    const [third] = await uploads();
    await waits(third?.runid ?? '');
    channel.cutAfter = undefined;
    expect(await changed('A-4', '4,00')).toMatchObject({ accepted: 1 });
    await kontor.ask(api.cancelRun, { params: { runid: third?.runid ?? '' } });
    await kontor.ask(api.uploadNow, { params: { id } });
    await expect
      .poll(async () => (await uploads()).find(({ message }) => message?.includes('davor kam'))?.state)
      .toBe('failed');
    expect(await run({ full: 1 })).toMatchObject({ state: 'done' });
  });

  it('a newer whole file is sent at once, and waiting changes end as superseded', async () => {
    const { id, changed, run, ended, uploads } = await exported();
    channel.cutAfter = 5;
    await changed('A-1', '1,00');
    const [older] = await uploads();
    await waits(older?.runid ?? '');
    channel.cutAfter = undefined;
    expect(await run({ full: 1 })).toMatchObject({ state: 'done' });
    expect(await ended()).toMatchObject({ state: 'done' });
    await kontor.ask(api.uploadNow, { params: { id } });
    expect(await settled(kontor, older?.runid ?? '')).toMatchObject({
      state: 'cancelled',
      message: expect.stringContaining('ohne sie auskommt') as string,
    });
    expect(await files()).toEqual(['datei.csv']);
  });

  it('a retry of a failed full run is a full run', async () => {
    const { run, again } = await exported();
    const failed = await run({ full: 1 });
    await kontor.database.system((trx) => pg`update jobs set state = 'failed' where id = ${failed.runid}`.execute(trx));
    expect(await again(failed)).toMatchObject({ state: 'done', accepted: 40, message: null });
  });

  it('a file of changes cannot be put in force by itself: 409 in German, and nothing is sent', async () => {
    const { id, changed, ended, uploads } = await exported();
    await changed('A-1', '1,00');
    await ended();
    const before = (await uploads()).length;
    const refused = await kontor.raw(pathOf(api.publishFile, { id, number: 2 }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'war besser' }),
    });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('nur Änderungen')]);
    expect((await uploads()).length).toBe(before);
  });

  it('a manual upload creates a whole file when the new file name has no base for changes', async () => {
    const { changed, save, now, ended } = await exported();
    await changed('A-1', '1,00');
    await ended();
    await save({ filename: 'anders.csv' });
    expect(await now()).toMatchObject({ kind: 'export', state: 'done', message: null });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(await seen('anders.csv')).toContain('A-1;Ware A-1;1,00');
  });
});
