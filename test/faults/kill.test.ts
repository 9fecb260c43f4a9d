import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { seeded } from '../../seed/random.ts';
import { clientOf } from '../stages/client.ts';
import { checkInvariants } from '../stages/invariants.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';
import { sftpServer, type SftpServer } from '../servers/sftp-server.ts';

/** The shared CI machines have half an hour for everything. */
const rounds = process.env['CI'] === undefined ? 20 : 6;
const items = 8000;

/**
 * kill -9 at random moments of imports, export runs and uploads (F1, F2, F3): acknowledged changes stay, others are complete or
 * absent, and the channel never sees half a file.
 */
describe('kill -9', () => {
  let folder: string;
  let program: Program;
  let channel: SftpServer;
  const random = seeded(20261121);
  const loopback = { KONTOR_EGRESS_LOOPBACK: '1', NODE_ENV: 'test' };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-kill-'));
    program = await startProgram(folder, loopback);
    channel = await sftpServer();
  });
  afterAll(async () => {
    await kill(program);
    await channel.close();
    await rm(folder, { recursive: true, force: true });
  });
  const client = clientOf(() => program.url);
  const { ask } = client;

  it(`${rounds} kills at random moments leave no half snapshot, no half file and lose no acknowledged save`, async () => {
    const small = [...catalogueCsv(items, 1)].join('');
    const large = [...catalogueCsv(items + 500, 2)].join('');
    const { masterid } = await ask(api.createMaster, {}, { name: 'Katalog' });
    expect((await client.ended(await client.upload(masterid, small))).state).toBe('done');
    const { id } = await ask(api.createExport, { masterid }, { name: 'Export', format: { kind: 'jsonl' } });
    await uploadTo(id);
    let [saves, cut] = [0, 0];
    const states = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const importRun = await client.upload(masterid, round % 2 === 0 ? large : small);
      const { runid: exportRun } = await ask(api.runExport, { id });
      const saving = saveUntilKilled(masterid, saves);
      // Every other kill waits until the file is on its way to the channel.
      if (round % 2 === 0) await wait(random.int(1500));
      else cut += await receiving();
      await kill(program);
      saves = await saving;
      program = await startProgram(folder, loopback);

      const rules = await ask(api.rules, { masterid });
      // The save in progress may have been stored although its answer was never read; no acknowledged one is missing.
      expect([saves, saves + 1]).toContain(Number(rules[0]?.name ?? 0));
      saves = Number(rules[0]?.name ?? 0);
      for (const runid of [importRun, exportRun]) states.add((await client.ended(runid)).state);
      await checkInvariants({
        client,
        items: join(folder, 'items'),
        masterid,
        exportId: id,
        channel: { folder: join(channel.folder, 'eingang'), filename: 'datei.jsonl' },
      });
    }
    // Killed runs are resumed after the restart and succeed.
    expect([...states]).toEqual(['done']);
    expect(saves).toBeGreaterThan(rounds);
    expect(cut).toBeGreaterThan(0);
  }, 400_000);

  async function uploadTo(id: string): Promise<void> {
    const place = { host: '127.0.0.1', port: channel.port };
    const { fingerprint } = await ask(api.checkUpload, {}, { ...place, username: 'kanal', password: 'geheim' });
    const settings = {
      active: true,
      ...place,
      user: 'kanal',
      pass: 'geheim',
      dir: '/eingang',
      filename: 'datei.jsonl',
    };
    await ask(api.saveUpload, { id }, { ...settings, fingerprint });
  }

  /** Waits (10 s at most) until the channel receives bytes; returns 1 if it did. */
  async function receiving(): Promise<number> {
    const [from, until] = [channel.received, performance.now() + 10_000];
    while (channel.received === from && performance.now() < until) await wait(5);
    return channel.received > from ? 1 : 0;
  }

  /** Saves a rule whose name counts up, as fast as answers come, until the program is killed; returns the last acknowledged. */
  async function saveUntilKilled(masterid: string, from: number): Promise<number> {
    let acknowledged = from;
    for (;;) {
      const rule = {
        id: 'AAAAAAAAAA',
        name: String(acknowledged + 1),
        description: '',
        active: false,
        querys: [],
        actions: [],
      };
      try {
        await ask(api.saveRules, { masterid }, [rule]);
      } catch {
        return acknowledged;
      }
      acknowledged++;
    }
  }
});

describe('starting and stopping', () => {
  it('a second start on the same folder is refused in German, and works once the first is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-lock-'));
    const first = await startProgram(folder);
    await expect(startProgram(folder)).rejects.toThrow(/wird bereits von einem laufenden Kontor benutzt/);
    expect(await kill(first, 'SIGTERM')).toBe(0);
    const second = await startProgram(folder);
    await kill(second);
    const third = await startProgram(folder);
    expect(await kill(third, 'SIGTERM')).toBe(0);
    await rm(folder, { recursive: true, force: true });
  });

  it('an invalid setting aborts the start and is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-config-'));
    await expect(startProgram(folder, { PORT: 'achtzig' })).rejects.toThrow(/PORT/);
    await expect(startProgram(folder, { KONTOR_EGRESS_LOOPBACK: '1', NODE_ENV: 'production' })).rejects.toThrow(
      /nur für Tests/,
    );
    await rm(folder, { recursive: true, force: true });
  });
});
