import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { act, exclude, rule, when } from '#engine/testing/case.ts';
import { repeatMaintenance } from '#feed/runs/maintenance-job.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';

/** More than two parts, at the smallest size of a part. */
const ITEMS = 40_000;
const csv = [
  'sku;titel;preis;marke',
  ...Array.from({ length: ITEMS }, (_, n) => `A-${n};Tasse ${n % 977};${(n * 7919) % 1009},${n % 10}0;Marke ${n % 31}`),
  '',
].join('\n');
const masterRules = [
  rule([when('preis', 'is_in_highest', '50')], [act('marke', 'set', 'Spitze')]),
  rule([when('titel', 'contains', 'tasse 13')], [exclude()]),
  rule([when('marke', 'contains', 'marke 1')], [act('gruppe', 'group', { field: 'titel' })]),
];
const exportRules = [rule([when('preis', 'is_in_lowest', '20')], [act('titel', 'append', ' billig')])];
const rows = ['sku', 'titel', 'preis', 'marke', 'gruppe', 'index'].map((value) =>
  ConstructionRow.parse({
    id: value,
    exportfield: value,
    field: [{ type: value === 'index' ? '_intern' : '_field', value, caption: '' }],
  }),
);

describe('exports that are computed in parts', () => {
  let whole: TestKontor;
  let parted: TestKontor;
  const exportOf = new Map<TestKontor, string>();
  beforeAll(async () => {
    [whole, parted] = [await testKontor(), await testKontor({ KONTOR_PARTS_ABOVE: '10000' })];
    for (const kontor of [whole, parted]) {
      const masterid = await masterWith(kontor, csv, { key: 'sku' });
      const { id } = await kontor.ask(api.createExport, {
        params: { masterid },
        body: { name: 'Probe', channel: 'frei', format: { kind: 'csv' } },
      });
      await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
      await kontor.ask(api.saveRules, { params: { masterid }, body: masterRules });
      await kontor.ask(api.saveRules, { params: { masterid: id }, body: exportRules });
      exportOf.set(kontor, id);
    }
  }, 120_000);
  afterAll(async () => {
    await whole.close();
    await parted.close();
  });
  const id = (kontor = parted) => exportOf.get(kontor) ?? '';
  const parts = async () => {
    const { rows: found } = await parted.database.system((trx) =>
      pg<{ state: string }>`select state from jobs where kind = 'export-part' order by created_at`.execute(trx),
    );
    return found.map(({ state }) => state);
  };
  const forget = () => parted.database.system((trx) => pg`delete from jobs where kind = 'export-part'`.execute(trx));
  const served = async () => (await parted.raw(pathOf(api.exportFile, { id: id() }))).text();
  /** Returns the files of parts that still exist. */
  const left = async () => {
    const entries = await readdir(join(parted.dataFolder, 'items'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && /\/parts\//.test(entry.parentPath)).map(({ name }) => name);
  };

  it('file, warnings and counts equal those of a single run, with ranks and groups over all items', async () => {
    const [one, several] = [await runExport(whole, id(whole)), await runExport(parted, id())];
    expect(several.run).toMatchObject({ state: 'done', rowsIn: ITEMS, accepted: one.run.accepted });
    expect(several.run.warnings).toEqual(one.run.warnings);
    expect(several.text === one.text).toBe(true);
    expect(await parts()).toEqual(['done', 'done', 'done']);
    expect(await left()).toEqual([]);
  }, 120_000);

  it('a failed part fails the run with its cause, cancels the others, and the last file stays', async () => {
    const before = await served();
    await forget();
    const { runid } = await parted.ask(api.runExport, { params: { id: id() } });
    await expect.poll(parts, { timeout: 60_000 }).not.toEqual([]);
    // As the worker that had it would store it.
    await parted.database.system((trx) =>
      pg`update jobs set state = 'failed', message = 'Der Speicherplatz ist erschöpft.', finished_at = now()
        where kind = 'export-part' and subject like '%:2'`.execute(trx),
    );
    const run = await settled(parted, runid, 100);
    expect(run.state).toBe('failed');
    expect(run.message).toMatch(/^Teil 3 von 3 .*der bisherige Stand gilt weiter. Der Speicherplatz ist erschöpft.$/);
    expect(await parts()).not.toContain('queued');
    const after = await served();
    expect(after === before).toBe(true);
  }, 120_000);

  it('a cancelled run cancels its parts', async () => {
    await forget();
    const { runid } = await parted.ask(api.runExport, { params: { id: id() } });
    await expect.poll(parts, { timeout: 60_000 }).not.toEqual([]);
    await parted.ask(api.cancelRun, { params: { runid } });
    expect((await settled(parted, runid, 60)).state).toBe('cancelled');
    await expect
      .poll(async () => (await parts()).some((state) => state === 'queued' || state === 'running'), { timeout: 60_000 })
      .toBe(false);
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  }, 120_000);

  it('leftover part files are deleted at night, after two days', async () => {
    const { company } = await parted.ask(api.session);
    const folder = join(parted.dataFolder, 'items', company.id, id(), 'parts', 'Run0000001');
    await mkdir(folder, { recursive: true });
    const days = (number: number) => new Date(Date.now() - number * 24 * 3600 * 1000);
    for (const [name, age] of [
      ['0.parquet', 3],
      ['1.parquet', 1],
    ] as const) {
      await writeFile(join(folder, name), '');
      await utimes(join(folder, name), days(age), days(age));
    }
    await parted.database.company(company.id, (trx) => repeatMaintenance(trx, randomIds, company.id));
    await expect.poll(left, { timeout: 60_000 }).toEqual(['1.parquet']);
  });
});
