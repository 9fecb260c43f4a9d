import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordTransferResults, type TransferResult } from '#catalogue/transfer-results.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import type { TransferView } from '#shared/transfer/schema.ts';
import {
  masterWith,
  openTestDatabase,
  runExport,
  settled,
  testDatabaseUrl,
  testKontor,
  type TestKontor,
} from '../../stages/kontor.ts';
import { fixed, googleRows, source } from '../../stages/export/google-export.ts';

const csv = [
  'sku;titel;preis;bild',
  'A-1;Hammer;12,50;https://b.de/1.jpg',
  'A-2;=1+1;9,99;https://b.de/2.jpg',
  'A-3;Zange;auf Anfrage;https://b.de/3.jpg',
  'A-4;;5,00;/4.jpg',
  ...Array.from({ length: 60 }, (_, index) => `B-${index};Feile ${index};1,00;https://b.de/f${index}.jpg`),
].join('\n');
const rows = googleRows({ brand: fixed('Nordkap') });

describe('transfer results', () => {
  let dataFolder: string;
  let databaseUrl: string | undefined;
  let kontor: TestKontor;
  let masterid: string;
  const start = () => testKontor({}, { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'kontor-transfer-'));
    databaseUrl = await testDatabaseUrl();
    kontor = await start();
    masterid = await masterWith(kontor, csv, { key: 'sku' });
  });
  afterAll(async () => {
    await kontor.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  const exportWith = async (more: object = {}, channel = 'google') => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal', channel } });
    if (channel === 'google') await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, ...more } });
    return id;
  };
  const views = { list: api.transferList, ready: api.transferReady, failure: api.transferFailure } as const;
  const counts = { list: api.transferListPages, ready: api.transferReadyPages, failure: api.transferFailurePages };
  const sum = (id: string, controller = 'transfer') =>
    kontor.ask(api.transferSum, { params: { controller }, body: { id } });
  const reasons = (id: string) => kontor.ask(api.transferReasons, { params: { id } });
  const grid = (view: TransferView, id: string, query: Record<string, number | string> = {}) =>
    kontor.ask(views[view], { params: { controller: 'transfer' }, query: { id, ...query } });
  const pages = (view: TransferView, id: string, limit?: number) =>
    kontor.ask(counts[view], {
      params: { controller: 'transfer' },
      body: limit === undefined ? { id } : { id, limit },
    });
  /** Returns the CSV with its byte order mark. */
  const csvOf = async (id: string, view: TransferView) => {
    const answer = await kontor.raw(`/api/exports/${id}/transfer/csv?view=${view}`);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
  };

  it("TRA-01 TRA-02 TRA-03 an export that never ran has zeros, no pages and a text; another channel's name gets 404", async () => {
    const id = await exportWith();
    expect(await sum(id)).toMatchObject({ SEND: 0, ACCEPTED: 0, INVALID: 0, source: 'none' });
    for (const view of ['list', 'ready', 'failure'] as const) {
      expect(await pages(view, id)).toBe(0);
      const page = await grid(view, id);
      expect(page).toMatchObject({ data: [], total: 0, pageCount: 0 });
      expect(page.message).toMatch(/^<p>.*lief noch nicht/);
    }
    expect(await sum(id, 'google')).toMatchObject({ SEND: 0 });
    expect(
      (await kontor.raw('/api/idealo/data/sum/', { method: 'POST', body: new URLSearchParams({ id }) })).status,
    ).toBe(404);
    const refused = await kontor.raw(`/api/exports/${id}/transfer/resend`, { method: 'POST' });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('kein Artikel abgelehnt')]);
    expect((await kontor.raw(`/api/transfer/data/list/?id=${id}&limit=7`)).status).toBe(422);
  });

  it('TRA-01 TRA-02 the items of the live file are counted and listed in three views, with reason and fix', async () => {
    const id = await exportWith();
    await runExport(kontor, id);
    const diagnosis = await kontor.ask(api.diagnosis, { params: { id } });
    const errors = diagnosis.readiness?.errors ?? 0;
    expect(await sum(id)).toMatchObject({ SEND: 64, ACCEPTED: 64 - errors, INVALID: errors, source: 'file' });
    expect(errors).toBe(2);
    const form = await kontor.raw('/api/google/data/sum/', { method: 'POST', body: new URLSearchParams({ id }) });
    expect(await form.json()).toMatchObject({ SEND: 64, ACCEPTED: 62, INVALID: 2 });
    expect([await pages('list', id), await pages('ready', id), await pages('failure', id)]).toEqual([2, 2, 1]);
    expect(await pages('list', id, 10)).toBe(7);
    const asked = (query: string) => kontor.raw(`/api/transfer/data/pagination/ready${query}`, { method: 'POST' });
    expect(await (await asked(`?id=${id}`)).json()).toBe(2);
    expect((await asked('')).status).toBe(422);
    const all = await grid('list', id);
    expect(all.columns.map(({ id }) => id)).toEqual(['_id', 'title', 'state', 'message']);
    expect([all.data.length, all.total, all.pageCount]).toEqual([50, 64, 2]);
    const second = await grid('list', id, { offset: 50 });
    expect(second.data.map(({ _id }) => _id)).toHaveLength(14);
    expect(new Set([...all.data, ...second.data].map(({ _id }) => _id)).size).toBe(64);
    const ready = await grid('ready', id, { limit: 10 });
    expect(ready).toMatchObject({ total: 62, pageCount: 7 });
    expect(ready.data[0]).toMatchObject({ _id: 'A-1', title: 'Hammer', state: 'accepted' });
    const failed = await grid('failure', id);
    expect(failed.data.map(({ _id, state }) => [_id, state])).toEqual([
      ['A-3', 'invalid'],
      ['A-4', 'invalid'],
    ]);
    expect(failed.data[0]?.message).toContain('ist kein Preis');
    expect(failed.data[0]?.problems.find(({ field }) => field === 'price')?.fix).toEqual({
      kind: 'explain',
      itemid: 'A-3',
      field: 'price',
    });
    expect(failed.data[1]?.message).toContain('ist keine vollständige Adresse');
    const past = await grid('failure', id, { offset: 50 });
    expect(past).toMatchObject({ data: [], total: 2 });
    expect(past.message).toContain('keine Artikel mehr');
  });

  it('TRA-02 a view is searched by item number, and its refused items are counted and filtered by reason', async () => {
    const id = await exportWith();
    expect(await reasons(id)).toEqual([]);
    await runExport(kontor, id);
    const found = await grid('list', id, { search: ' b-5', limit: 10 });
    expect([found.total, found.pageCount, found.data[0]?._id]).toEqual([11, 2, 'B-5']);
    const nothing = await grid('ready', id, { search: 'A-3' });
    expect(nothing).toMatchObject({ data: [], total: 0, message: expect.stringContaining('passt dazu') as string });
    const told = await reasons(id);
    const price = told.find(({ field }) => field === 'price');
    expect(price).toMatchObject({ items: 1, sentence: expect.stringContaining('ist kein Preis') as string });
    expect(told.every(({ sentence, items }) => sentence !== '' && items > 0)).toBe(true);
    const byReason = await grid('failure', id, { reason: price?.key ?? '' });
    expect(byReason.data.map(({ _id }) => _id)).toEqual(['A-3']);
    expect((await grid('failure', id, { reason: price?.key ?? '', search: 'A-4' })).total).toBe(0);
    expect((await grid('failure', id, { reason: 'gibt es nicht' })).total).toBe(0);
    const text = await (await kontor.raw(`/api/exports/${id}/transfer/csv?view=list&search=a-4`)).text();
    expect(text.split('\r\n')).toHaveLength(3);
  });

  it('TRA-02 a view as CSV is safe to open in a spreadsheet', async () => {
    const id = await exportWith();
    await runExport(kontor, id);
    const all = (await csvOf(id, 'list')).split('\r\n');
    expect(all[0]).toBe('\uFEFF"Artikelnummer";"Titel";"Zustand";"Meldung"');
    expect(all).toHaveLength(66);
    expect(all[2]).toMatch(/^"A-2";"'=1\+1";"Angenommen";/);
    const failed = await csvOf(id, 'failure');
    expect(failed.split('\r\n')).toHaveLength(4);
    expect(failed).toMatch(/"A-3";"Zange";"Abgelehnt";".*ist kein Preis\./);
  });

  it('left-out items count as refused, not as sent; a resend runs the export with the fixes made so far', async () => {
    const id = await exportWith({ omitInvalid: true });
    await runExport(kontor, id);
    expect(await sum(id)).toMatchObject({ SEND: 62, ACCEPTED: 62, INVALID: 2 });
    expect((await grid('failure', id)).data.map(({ _id }) => _id)).toEqual(['A-3', 'A-4']);
    const mended = rows.map((row) =>
      row.exportfield === 'price' || row.exportfield === 'image_link'
        ? ConstructionRow.parse({
            ...row,
            field: fixed(row.exportfield === 'price' ? '5.00 EUR' : 'https://b.de/x.jpg'),
          })
        : row.exportfield === 'title'
          ? ConstructionRow.parse({ ...row, field: source('sku') })
          : row,
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: mended });
    // Two simultaneous clicks in two windows start one run.
    const again = () => kontor.ask(api.resendFailed, { params: { id } });
    const [{ runid }, second] = await Promise.all([again(), again()]);
    expect(second.runid).toBe(runid);
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done', kind: 'export' });
    expect(await sum(id)).toMatchObject({ SEND: 64, ACCEPTED: 64, INVALID: 0 });
    expect((await grid('failure', id)).message).toContain('Kein Artikel wurde abgelehnt');
    expect(await kontor.ask(api.exportRuns, { params: { id } })).toHaveLength(2);
  });

  it('a channel without a template is reported as unchecked', async () => {
    const id = await exportWith({}, 'frei');
    await runExport(kontor, id);
    expect(await sum(id)).toMatchObject({ SEND: 64, ACCEPTED: 64, INVALID: 0, source: 'unchecked' });
    expect((await grid('list', id)).data).toHaveLength(50);
    expect((await csvOf(id, 'ready')).split('\r\n')).toHaveLength(66);
  });

  it('results of a connector replace the check in counts, views, reasons and CSV; the newest result wins', async () => {
    const id = await exportWith();
    await runExport(kontor, id);
    await kontor.close();
    const at = new Date('2026-03-01T10:00:00Z');
    const answer = (
      item: string,
      state: TransferResult['state'],
      more: Partial<TransferResult> = {},
    ): TransferResult => ({
      item,
      state,
      message: '',
      code: '',
      field: '',
      at,
      ...more,
    });
    const database = await openTestDatabase(dataFolder, databaseUrl);
    const company = await database.system(
      async (trx) =>
        (await pg<{ company: string }>`select company from exports where id = ${id}`.execute(trx)).rows[0]?.company ??
        '',
    );
    await database.company(company, async (trx) => {
      const place = { company, export: id, channel: 'google' };
      const many = Array.from({ length: 1200 }, (_, index) =>
        answer(`C-${String(index).padStart(4, '0')}`, 'accepted'),
      );
      await recordTransferResults(trx, place, [...many, answer('A-1', 'sent'), answer('A-2', 'sent')]);
      await recordTransferResults(trx, place, [
        answer('A-2', 'accepted', { at: new Date('2026-03-01T09:00:00Z') }),
        answer('A-3', 'sent', { at: new Date('2026-03-01T08:00:00Z') }),
        answer('A-3', 'invalid', { message: 'Preis fehlt.', code: '90220', field: 'price' }),
        answer('A-4', 'invalid', { message: '@SUM(A1)', field: 'unbekannt' }),
      ]);
      await recordTransferResults(trx, { ...place, channel: 'amazon' }, [answer('X', 'invalid')]);
    });
    await database.close();
    kontor = await start();
    expect(await sum(id)).toMatchObject({
      SEND: 1204,
      ACCEPTED: 1200,
      INVALID: 2,
      source: 'channel',
      at: at.toISOString(),
    });
    expect([await pages('list', id), await pages('ready', id), await pages('failure', id)]).toEqual([25, 24, 1]);
    const failed = (await grid('failure', id)).data;
    expect(failed.map(({ _id, message }) => [_id, message])).toEqual([
      ['A-3', 'Preis fehlt. (90220)'],
      ['A-4', '@SUM(A1)'],
    ]);
    expect(failed[0]?.problems[0]?.fix).toEqual({ kind: 'explain', itemid: 'A-3', field: 'price' });
    expect(failed[1]?.problems[0]?.fix).toEqual({ kind: 'construction', rowId: null, field: 'unbekannt' });
    expect((await grid('list', id, { limit: 10 })).data.slice(0, 2)).toMatchObject([
      { _id: 'A-1', state: 'sent' },
      { _id: 'A-2', state: 'sent' },
    ]);
    const told = await reasons(id);
    expect(told.map(({ field, sentence, items }) => [field, sentence, items])).toEqual([
      ['unbekannt', '@SUM(A1)', 1],
      ['price', 'Preis fehlt. (90220)', 1],
    ]);
    expect((await grid('failure', id, { reason: told[1]?.key ?? '' })).data.map(({ _id }) => _id)).toEqual(['A-3']);
    expect(await grid('list', id, { search: 'c-119' })).toMatchObject({ total: 10 });
    const text = await csvOf(id, 'list');
    expect(text.split('\r\n')).toHaveLength(1206);
    expect(text).toContain(`"A-4";"";"Abgelehnt";"'@SUM(A1)"`);
  });
});
