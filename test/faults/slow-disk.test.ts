import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { settled, testKontor, type TestKontor } from '../stages/kontor.ts';

/** The disk takes its time from now on: whatever waits for it does so until it is let go. */
async function holdDisk(): Promise<{ waiting: () => number; release: () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-disk-'));
  const path = join(folder, 'x');
  await writeFile(path, '');
  const handle = await open(path);
  // The class has no name to import it by; every handle of this process has it.
  const methods = Object.getPrototypeOf(handle) as { sync: (this: unknown) => Promise<void> };
  await handle.close();
  await rm(folder, { recursive: true });
  const real = methods.sync;
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  methods.sync = async function sync() {
    waiting++;
    await gate;
    return real.call(this);
  };
  onTestFinished(() => {
    release();
    methods.sync = real;
  });
  return { waiting: () => waiting, release: () => release() };
}

describe('a slow disk', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const csv = ['sku;titel;preis;bestand', 'A-1;Hammer;9,90;4', 'A-2;Zange;12,50;0', ''].join('\n');
  /** Starts a run, has its end wait for the disk, and asks something else meanwhile. */
  const heldWhile = async (start: () => Promise<string>) => {
    const disk = await holdDisk();
    const runid = await start();
    await expect.poll(disk.waiting).toBeGreaterThan(0);
    const answered = await Promise.race([
      kontor.ask(api.masters).then(() => 'answered'),
      wait(5000).then(() => 'the request waits for the disk'),
    ]);
    const during = answered === 'answered' ? (await kontor.ask(api.run, { params: { runid } })).state : 'unknown';
    disk.release();
    expect(answered).toBe('answered');
    expect(during).toBe('running');
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done' });
  };

  it('requests are answered while the end of an import, an export and a file of stock and price waits for it', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } });
    await heldWhile(async () => {
      const form = new FormData();
      form.set('options', JSON.stringify({ key: 'sku' }));
      form.set('file', new Blob([csv]), 'artikel.csv');
      const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
      return ((await answer.json()) as { runid: string }).runid;
    });
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv' } },
    });
    await heldWhile(async () => (await kontor.ask(api.runExport, { params: { id } })).runid);
    await heldWhile(async () => (await kontor.ask(api.runStock, { params: { id } })).runid);
  });
});
