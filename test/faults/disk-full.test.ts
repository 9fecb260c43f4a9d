import { closeSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { clientOf } from '../stages/client.ts';
import { checkInvariants } from '../stages/invariants.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';
import { removeDisk, smallDisk } from '../stages/small-disk.ts';

const disk = await smallDisk(260);
if (disk === undefined) console.warn('disk-full.test.ts is skipped: no file system may be mounted here.');

/** F10: nothing acknowledged is lost, failed writes are reported, and work continues when there is space again. */
describe.skipIf(disk === undefined)('a full disk', () => {
  const folder = disk ?? '';
  let program: Program;
  const client = clientOf(() => program.url);
  const ballast = join(folder, 'ballast');
  beforeAll(async () => {
    program = await startProgram(join(folder, 'data'));
  });
  afterAll(async () => {
    await kill(program);
    await removeDisk(folder);
  });

  function fill(): void {
    const file = openSync(ballast, 'a');
    const block = Buffer.alloc(64 * 1024);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    } finally {
      closeSync(file);
    }
  }

  it('keeps acknowledged saves, still answers reads, reports the cause in German, and recovers with free space', async () => {
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const small = [...catalogueCsv(2000, 1)].join('');
    expect(await client.ended(await client.upload(masterid, small))).toMatchObject({ state: 'done' });
    const { id } = await client.ask(api.createExport, { masterid }, { name: 'Export', format: { kind: 'csv' } });
    expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });

    const save = async (name: number) => {
      const rule = { id: 'AAAAAAAAAA', name: String(name), description: '', active: false, querys: [], actions: [] };
      const answer = await client.raw(pathOf(api.saveRules, { masterid }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([rule]),
      });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await save(1)).status).toBe(200);
    let acknowledged = 1;
    fill();
    const form = new FormData();
    form.set('file', new Blob([[...catalogueCsv(4000, 2)].join('')]), 'artikel.csv');
    const refused = await client.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
    const answer = await refused.text();
    if (refused.ok) {
      const { runid } = JSON.parse(answer) as { runid: string };
      expect(await client.ended(runid)).toMatchObject({
        state: 'failed',
        message: expect.stringMatching(/Speicher/) as string,
      });
    } else {
      expect([503, 507]).toContain(refused.status);
      expect(answer).toMatch(/Speicher/);
    }
    for (let next = 2; next < 40; next++) {
      const { status, text } = await save(next);
      if (status === 200) acknowledged = next;
      else {
        expect([503, 507]).toContain(status);
        expect(text).toMatch(/Speicher/);
      }
    }
    expect((await client.ask(api.master, { masterid })).items).toBe(2000);
    expect((await client.raw(pathOf(api.exportFile, { id }))).status).toBe(200);
    expect((await client.ask(api.rules, { masterid }))[0]?.name).toBe(String(acknowledged));

    await rm(ballast);
    await expect.poll(async () => (await save(100)).status, { timeout: 60_000 }).toBe(200);
    const large = [...catalogueCsv(2500, 3)].join('');
    expect(await client.ended(await client.upload(masterid, large))).toMatchObject({ state: 'done' });
    expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
    await kill(program);
    program = await startProgram(join(folder, 'data'));
    expect((await client.ask(api.rules, { masterid }))[0]?.name).toBe('100');
    await checkInvariants({ client, items: join(folder, 'data', 'items'), masterid, exportId: id });
  }, 180_000);
});
