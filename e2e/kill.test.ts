import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Duck } from '#platform/duck.ts';
import { api } from '#shared/api.ts';
import { pathOf, type AnswerOf, type Call } from '#shared/call.ts';
import type { Run } from '#shared/runs.ts';
import { catalogueCsv } from '../seed/catalogue.ts';
import { seeded } from '../seed/random.ts';
import { kill, startProgram, type Program } from './support/program.ts';
import { token } from './support/kontor.ts';

const rounds = 20;
const items = 8000;

/** kill -9 at random moments of imports and export runs (F1, F2): what was acknowledged stays, what was not is whole or absent. */
describe('kill -9', () => {
  let folder: string;
  let program: Program;
  const random = seeded(20261121);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-kill-'));
    program = await startProgram(folder);
  });
  afterAll(async () => {
    await kill(program);
    await rm(folder, { recursive: true, force: true });
  });

  const raw = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(program.url + path, { ...init, headers });
  };
  const ask = async <C extends Call>(
    call: C,
    params: Record<string, string> = {},
    body?: unknown,
  ): Promise<AnswerOf<C>> => {
    const answer = await raw(pathOf(call, params), {
      method: call.method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${call.path} -> ${answer.status} ${await answer.text()}`);
    return call.response?.parse(await answer.json()) as AnswerOf<C>;
  };
  const ended = async (runid: string): Promise<Run> => {
    for (;;) {
      const run = await ask(api.run, { runid });
      if (run.state !== 'queued' && run.state !== 'running') return run;
      await wait(50);
    }
  };
  const upload = async (masterid: string, csv: string): Promise<string> => {
    const form = new FormData();
    form.set('file', new Blob([csv]), 'artikel.csv');
    const answer = await raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { runid: string }).runid;
  };

  it(`${rounds} kills at random moments leave no half snapshot, no half file and lose no acknowledged save`, async () => {
    const small = [...catalogueCsv(items, 1)].join('');
    const large = [...catalogueCsv(items + 500, 2)].join('');
    const { masterid } = await ask(api.createMaster, {}, { name: 'Katalog' });
    expect((await ended(await upload(masterid, small))).state).toBe('done');
    const { id } = await ask(api.createExport, { masterid }, { name: 'Export', format: { kind: 'jsonl' } });
    let saves = 0;
    const states = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const importRun = await upload(masterid, round % 2 === 0 ? large : small);
      const { runid: exportRun } = await ask(api.runExport, { id });
      const saving = saveUntilKilled(masterid, saves);
      await wait(random.int(1500));
      await kill(program);
      saves = await saving;
      program = await startProgram(folder);

      const rules = await ask(api.rules, { masterid });
      // The save under way may have been written although its answer was never read; none that was answered is missing.
      expect([saves, saves + 1]).toContain(Number(rules[0]?.name ?? 0));
      saves = Number(rules[0]?.name ?? 0);
      for (const runid of [importRun, exportRun]) states.add((await ended(runid)).state);
      await checkMaster(masterid);
      await checkFile(id);
      expect(await temporaries()).toEqual([]);
    }
    // Killed runs are taken up again after the restart and end well.
    expect([...states]).toEqual(['done']);
    expect(saves).toBeGreaterThan(rounds);
  }, 400_000);

  /** Saves a rule whose name counts up, as fast as answers come, until the program dies; returns the last acknowledged one. */
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

  async function checkMaster(masterid: string): Promise<void> {
    const master = await ask(api.master, { masterid });
    expect([items, items + 500]).toContain(master.items);
    const duck = await Duck.open({ folder: join(folder, 'items'), memoryLimit: '500MB' });
    for (const { number, items: expected } of await ask(api.snapshots, { masterid })) {
      const [company] = (await readdir(join(folder, 'items'))).filter((name) => /^\w+$/.test(name));
      const file = join(folder, 'items', company ?? '', masterid, 'snapshots', `${number}.parquet`);
      const rows = await duck.all({
        sql: `select count(*)::int as n, count(distinct _id)::int as ids from read_parquet($1)`,
        values: [file],
      });
      expect(rows[0]).toEqual({ n: expected, ids: expected });
    }
    duck.close();
  }

  async function checkFile(id: string): Promise<void> {
    const text = await (await raw(pathOf(api.exportFile, { id }))).text();
    const lines = text.trimEnd().split('\n');
    expect([items, items + 500]).toContain(lines.length);
    expect(() => JSON.parse(lines.at(-1) ?? '') as unknown).not.toThrow();
    expect((await ask(api.export, { id })).file?.items).toBe(lines.length);
  }

  async function temporaries(): Promise<string[]> {
    const all = await readdir(join(folder, 'items'), { recursive: true });
    return all.filter((name) => name.endsWith('.tmp'));
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

  it('a wrong setting stops the start with the name of the setting', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-config-'));
    await expect(startProgram(folder, { PORT: 'achtzig' })).rejects.toThrow(/PORT/);
    await expect(startProgram(folder, { KONTOR_EGRESS_LOOPBACK: '1', NODE_ENV: 'production' })).rejects.toThrow(
      /nur für Tests/,
    );
    await rm(folder, { recursive: true, force: true });
  });
});
