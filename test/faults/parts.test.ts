import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { act, rule, when } from '#engine/testing/case.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { clientOf } from '../stages/client.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';

const ITEMS = 66_000;
const csv = [
  'sku;titel;preis',
  ...Array.from({ length: ITEMS }, (_, n) => `A-${n};Tasse ${n};${(n * 7919) % 1009},00`),
  '',
].join('\n');

describe('kill -9 in an export run in parts', () => {
  let folder: string;
  let program: Program;
  const parted = { KONTOR_PARTS_ABOVE: '1000' };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-kill-parts-'));
    program = await startProgram(folder);
  });
  afterAll(async () => {
    await kill(program);
    await rm(folder, { recursive: true, force: true });
  });
  const client = clientOf(() => program.url);
  const parts = async () => {
    const entries = await readdir(join(folder, 'items'), { recursive: true, withFileTypes: true });
    return entries.filter(({ name, parentPath }) => /\/parts\/\w+$/.test(parentPath) && /^\d+\.parquet$/.test(name));
  };

  it('I3 the next process reuses the finished parts, and the file equals that of a single run', async () => {
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    expect((await client.ended(await client.upload(masterid, csv))).state).toBe('done');
    const { id } = await client.ask(api.createExport, { masterid }, { name: 'Export', format: { kind: 'csv' } });
    const file = async () => (await client.raw(pathOf(api.exportFile, { id }))).text();
    await client.ask(api.saveRules, { masterid }, [
      rule([when('preis', 'is_in_highest', '70')], [act('titel', 'append', ' teuer')]),
    ]);
    const whole = await client.ended((await client.ask(api.runExport, { id })).runid);
    const text = await file();
    await kill(program);
    program = await startProgram(folder, parted);
    const { runid } = await client.ask(api.runExport, { id });
    await expect.poll(async () => (await parts()).length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    await kill(program);
    const there = (await parts()).length;
    expect(await file().catch(() => text)).toBe(text);
    program = await startProgram(folder, parted);
    const run = await client.ended(runid);
    expect(run).toMatchObject({ state: 'done', accepted: whole.accepted });
    expect((await file()) === text).toBe(true);
    expect(there).toBeGreaterThan(0);
    expect(await parts()).toEqual([]);
  }, 400_000);
});
