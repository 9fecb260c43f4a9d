import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { clientOf } from '../stages/client.ts';
import { checkInvariants } from '../stages/invariants.ts';
import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';

const programs = postgresPrograms();
const csv = [...catalogueCsv(6000, 1)].join('');

/** Several processes on one database server that goes down (F11), or while one of them is suspended (F15). */
describe.skipIf(programs === undefined)('a database server', () => {
  let folder: string;
  let postgres: TestPostgres;
  let web: Program;
  const others: Program[] = [];
  let environment: Record<string, string>;
  let [masterid, exportId] = ['', ''];
  const client = clientOf(() => web.url);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-outage-'));
    postgres = await startPostgres(programs ?? '');
    environment = { DATABASE_URL: await createDatabase(postgres.url, 'outage') };
    web = await startProgram(folder, { ...environment, KONTOR_ROLE: 'web' });
    others.push(await startProgram(folder, { ...environment, KONTOR_ROLE: 'worker' }));
    ({ masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' }));
    expect(await client.ended(await client.upload(masterid, csv))).toMatchObject({ state: 'done' });
    const body = { name: 'Export', format: { kind: 'csv' as const } };
    ({ id: exportId } = await client.ask(api.createExport, { masterid }, body));
  }, 120_000);
  afterAll(async () => {
    for (const program of [web, ...others]) await kill(program);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const checked = () => checkInvariants({ client, items: join(folder, 'items'), masterid, exportId });

  it('restarted under load fails requests for seconds, but loses no acknowledged save and no run', async () => {
    let acknowledged = 0;
    const until = new AbortController();
    const answers = new Set<number>();
    const saving = (async () => {
      for (let next = 1; !until.signal.aborted; next++) {
        const rule = { id: 'AAAAAAAAAA', name: String(next), description: '', active: false, querys: [], actions: [] };
        const answer = await client.raw(pathOf(api.saveRules, { masterid }), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify([rule]),
        });
        answers.add(answer.status);
        if (answer.ok) acknowledged = next;
        else expect(await answer.text()).toContain('"message":"');
      }
    })();
    const runs = [
      await client.upload(masterid, [...catalogueCsv(6500, 2)].join('')),
      (await client.ask(api.runExport, { id: exportId })).runid,
    ];
    for (let round = 0; round < 3; round++) {
      await wait(300);
      await postgres.restart();
      const back = performance.now();
      await expect.poll(async () => (await client.raw(pathOf(api.masters))).status, { timeout: 10_000 }).toBe(200);
      expect(performance.now() - back).toBeLessThan(10_000);
    }
    until.abort();
    await saving;
    expect([...answers].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(acknowledged).toBeGreaterThan(3);
    expect((await client.ask(api.rules, { masterid }))[0]?.name).toBe(String(acknowledged));
    for (const runid of runs) expect(await client.ended(runid, 90)).toMatchObject({ state: 'done' });
    await checked();
    for (const program of [web, ...others]) expect(program.process.exitCode).toBeNull();
  }, 180_000);

  it('lets another worker take over a job of a suspended one, whose late result changes nothing', async () => {
    const runid = await client.upload(masterid, [...catalogueCsv(15_000, 3)].join(''));
    await expect
      .poll(async () => (await client.ask(api.run, { runid })).state, { interval: 10, timeout: 20_000 })
      .toBe('running');
    const [sleeper] = others;
    sleeper?.process.kill('SIGSTOP');
    // It is suspended for longer than its lease of 30 s.
    const database = openServer(environment['DATABASE_URL'] ?? '', () => {});
    const ended = await database.system((trx) =>
      pg`update jobs set lease_until = now() - interval '1 second' where id = ${runid} and state = 'running'`.execute(
        trx,
      ),
    );
    await database.close();
    expect(ended.numAffectedRows).toBe(1n);
    others.push(await startProgram(folder, { ...environment, KONTOR_ROLE: 'worker' }));
    const run = await client.ended(runid, 90);
    expect(run).toMatchObject({ state: 'done', accepted: 15_000 });
    sleeper?.process.kill('SIGCONT');
    await wait(1500);
    expect(await client.ask(api.run, { runid })).toEqual(run);
    expect((await client.ask(api.master, { masterid })).items).toBe(15_000);
    await checked();
  }, 180_000);
});
