import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { storagePathsIn, type StoragePaths } from '#catalogue/storage-paths.ts';
import { offeredStock } from '#catalogue/offered-stock.ts';
import { useFile } from '#platform/storage/store.ts';
import { api } from '#shared/http/api.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { type Gateway, hasObjectStore, ownGateway } from '../../servers/object-store.ts';
import { accessTo, bucketStage, makeBucket } from '../../stages/bucket-stage.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const csv = ['sku;titel;bestand', ...Array.from({ length: 30 }, (_, index) => `A-${index};Ware;${index}`), ''];

describe.skipIf(!hasObjectStore)('stock files in a bucket (needs root and radosgw)', () => {
  let kontor: TestKontor;
  let gateway: Gateway;
  let stage: Awaited<ReturnType<typeof bucketStage>>;
  let paths: StoragePaths;
  let channel: { company: string; masterid: string; id: string };
  beforeAll(async () => {
    kontor = await testKontor();
    const masterid = await masterWith(kontor, csv.join('\n'), { key: 'sku' });
    const made = { name: 'Laden', format: { kind: 'csv' as const } };
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: made });
    const channels = [{ id, active: true, floor: 0, cap: null, share: 100 }];
    await kontor.ask(api.saveStockSettings, {
      params: { masterid },
      body: StockSettings.parse({ field: 'bestand', channels }),
    });
    const computed = async () => (await kontor.ask(api.stock, { params: { masterid } })).rows.length;
    await vi.waitFor(async () => expect(await computed()).toBe(30), { timeout: 60_000, interval: 200 });
    const { company } = await kontor.database.system((trx) =>
      trx.selectFrom('masters').select('company').where('id', '=', masterid).executeTakeFirstOrThrow(),
    );
    channel = { company, masterid, id };
    gateway = await ownGateway();
    const folder = join(kontor.dataFolder, 'bucket-items');
    await mkdir(folder, { recursive: true });
    const patience = { connectMs: 1000, silentMs: 60_000, attempts: 3, pauseMs: 50 };
    const access = accessTo(gateway, await makeBucket(gateway));
    stage = await bucketStage(access, { database: kontor.database, folder, patience });
    paths = storagePathsIn(folder, stage.store);
  }, 300_000);
  afterAll(async () => {
    gateway?.resume();
    await stage?.close();
    await gateway?.kill();
    await kontor?.close();
  });

  const asked = () => kontor.database.company(channel.company, (trx) => offeredStock(trx, paths, channel));
  /** Changes the numbers as an order does, which needs a lock on the row that readers use. */
  const change = (columns: { feed_revision?: number; snapshot?: number }) =>
    kontor.database.company(channel.company, (trx) =>
      trx
        .updateTable('stock_states')
        .set((eb) => ({ feed_revision: eb('feed_revision', '+', 1), ...columns }))
        .where((eb) => eb.and({ company: channel.company, master: channel.masterid }))
        .execute(),
    );
  const objects = async () => {
    const keys: string[] = [];
    for await (const { key } of stage.bucket.list(`${channel.company}/`)) keys.push(key);
    return keys;
  };
  /** Runs work while the store holds an answer back. */
  const whileSilent = async <T>(work: () => Promise<T>) => {
    gateway.stop();
    const answer = asked();
    answer.catch(() => {});
    await wait(1500);
    const late = wait(10_000).then(() => {
      throw new Error('others wait for the store as well');
    });
    const done = await Promise.race([work(), late]).finally(() => gateway.resume());
    return { answer: await answer, done };
  };

  it('a silent store keeps no transaction open, and orders continue', async () => {
    const { answer, done } = await whileSilent(async () => {
      const began = performance.now();
      await change({});
      return performance.now() - began;
    });
    expect(done).toBeLessThan(1000);
    // The numbers at the time of the request: it did not wait again.
    expect(answer).toMatchObject({ computing: false, held: '' });
    const text = await useFile(paths.store, answer?.path ?? '', (local) => readFile(local, 'utf8'));
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(30);
    const newer = await asked();
    expect(newer?.revision).toBe((answer?.revision ?? 0) + 1);
    expect(await asked()).toEqual(newer);
  });

  it('numbers computed from an outdated state are reported as still computing', async () => {
    await change({});
    const { answer } = await whileSilent(() => change({ snapshot: 99 }));
    expect(answer).toMatchObject({ computing: true });
  });

  it('an object uploaded for a rolled back transaction is deleted at night', async () => {
    await change({});
    const before = await objects();
    const lost = kontor.database.company(channel.company, async (trx) => {
      await offeredStock(trx, paths, channel);
      throw new Error('given up');
    });
    await expect(lost).rejects.toThrow('given up');
    const [kept, ...more] = (await objects()).filter((key) => !before.includes(key));
    expect(more).toEqual([]);
    // Its row exists as well, so the next request uses it; without a row the file would be unused.
    await kontor.database.company(channel.company, (trx) =>
      trx
        .deleteFrom('stored_files')
        .where('object', '=', kept ?? '')
        .execute(),
    );
    expect(await paths.store.tidy(channel.company, new Date(Date.now() - 60_000))).toEqual({ removed: 0, lost: [] });
    const tidied = await paths.store.tidy(channel.company, new Date(Date.now() + 60_000));
    expect(tidied).toEqual({ removed: 1, lost: [] });
    expect(await objects()).toEqual(before);
  });
});
