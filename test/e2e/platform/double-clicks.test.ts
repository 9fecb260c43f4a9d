import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { type Call, pathOf } from '#shared/http/call.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

/** What a call is sent with; or a sentence: why its double click is tested elsewhere, or does no harm. */
type Sample = { params: Record<string, string>; body?: object } | string;

const starts = (call: Call): boolean =>
  call.method === 'POST' &&
  call.response !== undefined &&
  'shape' in call.response &&
  'runid' in Object(call.response.shape);

describe('calls that start a run', () => {
  let folder: string;
  let kontor: TestKontor;
  let samples: Readonly<Record<string, Sample>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-clicks-'));
    const first = await testKontor({}, { dataFolder: folder });
    const masterid = await masterWith(first, 'sku;titel;preis;bestand\nA-1;Ware;9,99;5', { key: 'sku' });
    const body = { name: 'Export', format: { kind: 'csv' as const } };
    const { id } = await first.ask(api.createExport, { params: { masterid }, body });
    await runExport(first, id);
    const place = { host: '127.0.0.1', port: 22, user: 'kanal', pass: 'x', dir: '/', filename: 'a.csv' };
    await first.ask(api.saveUpload, { params: { id }, body: { active: true, ...place } });
    const source = { on: false, address: 'http://127.0.0.1:9/a.csv' };
    await first.raw(pathOf(api.saveImportSchedule, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(source),
    });
    await first.close();
    // No worker runs here, so that the first click's job still waits when the second one comes.
    kontor = await testKontor({}, { dataFolder: folder, role: 'web' });
    samples = {
      import: { params: { masterid }, body: { url: 'http://127.0.0.1:9/b.csv' } },
      runImportSchedule: { params: { masterid } },
      runExport: { params: { id } },
      runStock: { params: { id } },
      updateChannel: { params: { channel: id } },
      uploadNow: { params: { id } },
      checkImages: 'checks the images of a run only once at a time, by its row',
      resendFailed: 'test/e2e/marketplaces/marketplace-accounts.test.ts: simultaneous requests get the same run',
      beginImportUpload: 'starts only an upload, of which a company may have ten',
      finishImportUpload: 'test/e2e/import/import-pieces.test.ts: finishing twice starts one import',
      releaseRun: 'a released run cannot be released again',
      cancelRun: 'ends a run',
      retryRun: 'starts the jobs of the calls above, in the same way',
    };
  });
  afterAll(async () => {
    await kontor.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('F18 every call that starts a run is in the list of samples', () => {
    const calls = Object.entries(api).flatMap(([name, call]) => (starts(call) ? [name] : []));
    expect(calls.toSorted()).toEqual(Object.keys(samples).toSorted());
  });

  it('F18 two clicks at the same moment start one run and get the same run id', async () => {
    for (const [name, call] of Object.entries(api)) {
      const sample = samples[name];
      if (sample === undefined || typeof sample === 'string') continue;
      const click = async () => {
        const answer = await kontor.raw(pathOf(call, sample.params), {
          method: 'POST',
          ...(sample.body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sample.body) }),
        });
        return answer.text();
      };
      const [one, other] = await Promise.all([click(), click()]);
      expect([name, one]).toEqual([name, expect.stringMatching(/^\{"runid":"\w+"\}$/)]);
      expect([name, other]).toEqual([name, one]);
    }
  });

  it('F18 the same file uploaded twice at once makes one run, until it has ended', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Hochgeladen' } });
    const upload = async (text: string, options?: object, name = 'artikel.csv') => {
      const form = new FormData();
      if (options !== undefined) form.set('options', JSON.stringify(options));
      form.set('file', new Blob([text]), name);
      const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
      const { runid } = api.import.response.parse(await answer.json());
      return runid;
    };
    const files = async () => {
      const names = await readdir(folder, { recursive: true });
      return names.filter((name) => name.includes(masterid) && /incoming.*\/\w+$/.test(name)).length;
    };
    const csv = 'sku;titel\nA-1;Ware';
    const [one, other] = await Promise.all([upload(csv), upload(csv)]);
    expect(other).toBe(one);
    // The second file is not needed.
    expect(await files()).toBe(1);
    // Other content, another name or other reading options make another file.
    const others = [await upload(`${csv}n`), await upload(csv, { key: 'sku' }), await upload(csv, undefined, 'b.csv')];
    expect(new Set([one, ...others]).size).toBe(4);
    expect(await upload(csv, { key: 'sku' })).toBe(others[1]);
    const become = (state: 'running' | 'done') =>
      kontor.database.system((trx) => trx.updateTable('jobs').set({ state }).where('id', '=', one).execute());
    await become('running');
    expect(await upload(csv)).toBe(one);
    await become('done');
    expect(await upload(csv)).not.toBe(one);
    expect(await files()).toBe(5);
  });
});
