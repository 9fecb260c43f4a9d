import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { settled, testKontor, type TestKontor } from '../stages/kontor.ts';

/** Makes every sync of a file wait from `hold` until `release`. */
async function holdDisk(): Promise<{ hold: () => void; waiting: () => number; release: () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-disk-'));
  const path = join(folder, 'x');
  await writeFile(path, '');
  const handle = await open(path);
  // The class is not exported; every handle of this process shares its prototype.
  const methods = Object.getPrototypeOf(handle) as { sync: (this: unknown) => Promise<void> };
  await handle.close();
  await rm(folder, { recursive: true });
  const real = methods.sync;
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let [held, waiting] = [false, 0];
  methods.sync = async function sync() {
    if (!held) return real.call(this);
    waiting++;
    await gate;
    return real.call(this);
  };
  onTestFinished(() => {
    release();
    methods.sync = real;
  });
  return { hold: () => void (held = true), waiting: () => waiting, release: () => release() };
}

describe('a slow disk', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const csv = ['sku;titel;preis;bestand', 'A-1;Hammer;9,90;4', 'A-2;Zange;12,50;0', ''].join('\n');
  /** Starts a run, makes its end wait for the disk, and makes another request meanwhile. */
  const heldWhile = async (start: (hold: () => void) => Promise<string>) => {
    const disk = await holdDisk();
    const runid = await start(disk.hold);
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

  it('requests are answered while an import, an export and a stock and price file wait for the disk', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } });
    await heldWhile(async (hold) => {
      const form = new FormData();
      form.set('options', JSON.stringify({ key: 'sku' }));
      form.set('file', new Blob([csv]), 'artikel.csv');
      const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
      // An upload is answered once it is on the disk; the job that it creates takes longer than this line.
      hold();
      return ((await answer.json()) as { runid: string }).runid;
    });
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv' } },
    });
    for (const call of [api.runExport, api.runStock])
      await heldWhile(async (hold) => {
        hold();
        return (await kontor.ask(call, { params: { id } })).runid;
      });
  });
});
