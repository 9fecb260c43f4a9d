import { get, type IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { Run } from '#shared/runs/schema.ts';
import { heldFileServer } from '../../servers/held-file-server.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { clientOf, type Client } from '../../stages/client.ts';
import { admin, token } from '../../stages/kontor.ts';
import { kill, startProgram, type Program } from '../../stages/program.ts';

const csvOf = (...brands: string[]) =>
  ['sku;marke', ...brands.map((brand, n) => `A-${n};${brand}`)].join('\n').concat('\n');
const loopback = { KONTOR_EGRESS_LOOPBACK: '1', NODE_ENV: 'test' };

/** Two web processes and two workers share only PostgreSQL and the folder: what one learns, the others must know. */
describe.skipIf(postgresPrograms() === undefined)('several processes on one database (needs PostgreSQL)', () => {
  let folder: string;
  let database: Database;
  let webs: [Program, Program];
  let workers: [Program, Program];
  let settings: Record<string, string>;
  const one = clientOf(() => webs[0].url);
  const other = clientOf(() => webs[1].url);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-several-'));
    const server = process.env['KONTOR_TEST_POSTGRES'] ?? '';
    const url = await createDatabase(server, `several_${randomIds.id().toLowerCase()}`, postgresTemplate);
    database = openServer(url, () => {});
    settings = { ...loopback, DATABASE_URL: url, KONTOR_QUOTA_CATALOGUES: '4' };
    const start = (role: string) => startProgram(folder, { ...settings, KONTOR_ROLE: role });
    const programs = await Promise.all(['web', 'web', 'worker', 'worker'].map(start));
    const [a, b, c, d] = programs;
    if (!a || !b || !c || !d) throw new Error('four programs were started');
    [webs, workers] = [
      [a, b],
      [c, d],
    ];
  });
  afterAll(async () => {
    await Promise.all([...webs, ...workers].map((program) => kill(program)));
    await database.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const signIn = (program: Program, body: { email: string; password: string }) =>
    fetch(program.url + pathOf(api.signIn), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: program.url },
      body: JSON.stringify(body),
    });
  const masterWith = async (name: string, csv: string) => {
    const { masterid } = await one.ask(api.createMaster, {}, { name });
    expect(await one.ended(await one.upload(masterid, csv))).toMatchObject({ state: 'done' });
    return masterid;
  };

  it('T16 wrong passwords are counted across processes', async () => {
    const tries = Array.from({ length: 20 }, (_, n) =>
      signIn(webs[n % 2 === 0 ? 0 : 1], { ...admin, password: `falsch-${n}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    await database.kysely.deleteFrom('sign_in_tries').execute();
  });

  it('T15 a session started at one process works at the other, and a sign-out ends it at both', async () => {
    const cookie = (await signIn(webs[0], admin)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const ask = async (program: Program, method: 'GET' | 'DELETE' | 'POST', path: string) =>
      (await fetch(program.url + path, { method, headers: { cookie, origin: program.url } })).status;
    expect(await ask(webs[1], 'GET', pathOf(api.session))).toBe(200);
    expect(await ask(webs[1], api.signOut.method, pathOf(api.signOut))).toBe(200);
    expect(await Promise.all(webs.map((web) => ask(web, 'GET', pathOf(api.session))))).toEqual([401, 401]);
  });

  it('LIV-01 an upload to one process runs in a worker, and the streams of both report it', async () => {
    const { masterid } = await one.ask(api.createMaster, {}, { name: 'Strom' });
    const streams = await Promise.all(webs.map((web) => listen(web, masterid)));
    expect(await other.ended(await one.upload(masterid, csvOf('Kübler')))).toMatchObject({ state: 'done' });
    for (const { text } of streams) await expect.poll(text).toMatch(/"state":"run".*"state":"idle"/s);
    for (const { close } of streams) close();
  });

  it('a result cached by one process is not shown by the other once a new snapshot is live', async () => {
    const masterid = await masterWith('Facetten', csvOf('Kübler', 'Kübler'));
    const brands = async (client: Client) => {
      const asked = await client.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=1`);
      const field = api.items.response.parse(await asked.json()).fields.find(({ name }) => name === 'marke')?.id ?? '';
      const answer = await client.raw(`${pathOf(api.itemFacet)}?masterid=${masterid}&field=${field}`);
      return api.itemFacet.response.parse(await answer.json()).values.map(({ value, items }) => [value, items]);
    };
    for (const client of [one, other]) expect(await brands(client)).toEqual([['Kübler', 2]]);
    expect(await other.ended(await other.upload(masterid, csvOf('Nordkap', 'Nordkap', 'Bosch')))).toMatchObject({
      state: 'done',
    });
    for (const client of [one, other]) {
      expect(await brands(client)).toEqual([
        ['Nordkap', 2],
        ['Bosch', 1],
      ]);
    }
  });

  it('F18 a rule saved by one process is read at once by the other, which refuses an older revision', async () => {
    const masterid = await masterWith('Regeln', csvOf('Kübler'));
    const save = (client: Client, name: string, revision: number) =>
      client.raw(pathOf(api.saveRules, { masterid }), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'if-match': String(revision) },
        body: JSON.stringify([{ id: 'AAAAAAAAAA', name, description: '', active: false, querys: [], actions: [] }]),
      });
    expect((await save(one, 'erste', 0)).status).toBe(200);
    expect((await other.ask(api.rules, { masterid })).map(({ name }) => name)).toEqual(['erste']);
    expect((await save(other, 'veraltet', 0)).status).toBe(409);
    expect((await save(other, 'zweite', 1)).status).toBe(200);
    expect((await one.ask(api.rules, { masterid })).map(({ name }) => name)).toEqual(['zweite']);
  });

  it('T3 connection checks are counted across processes: of 24 at the same moment ten connect', async () => {
    // An internal address: refused without a connection, but counted anyway.
    const body = JSON.stringify({ host: '10.0.0.1', port: 22, username: 'x', password: 'x' });
    const begin = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        (n % 2 === 0 ? one : other).raw(pathOf(api.checkUpload), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      ),
    );
    // One more for every twelve seconds that a busy machine took.
    const seconds = (performance.now() - begin) / 1000;
    const connected = answers.filter(({ status }) => status !== 429).length;
    expect(connected).toBeGreaterThanOrEqual(10);
    expect(connected).toBeLessThanOrEqual(10 + Math.floor(seconds / 12));
  });

  it('a quota counts across processes: ten simultaneous requests fill exactly the free places', async () => {
    const before = (await one.ask(api.masters)).length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? one : other).raw(pathOf(api.createMaster), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Noch ${n}` }),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4 - before);
    expect((await other.ask(api.masters)).length).toBe(4);
  });

  it('I10 a job of a killed worker is taken over within a minute; any process can cancel a run', async () => {
    const [first] = await one.ask(api.masters);
    const masterid = first?.masterid ?? '';
    const held = await heldFileServer(csvOf('Kübler'));
    const importing = async () => {
      const answer = await one.raw(pathOf(api.import, { masterid }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: held.url }),
      });
      return api.import.response.parse(await answer.json()).runid;
    };
    const run = (runid: string): Promise<Run> => other.ask(api.run, { runid });
    const workerOf = async (runid: string) =>
      await database.system((trx) =>
        trx.selectFrom('jobs').select(['worker', 'attempts']).where('id', '=', runid).executeTakeFirst(),
      );
    const cancelled = await importing();
    await expect.poll(async () => (await run(cancelled)).state).toBe('running');
    await other.ask(api.cancelRun, { runid: cancelled });
    expect(await one.ended(cancelled)).toMatchObject({ state: 'cancelled' });

    const runid = await importing();
    await expect.poll(async () => (await run(runid)).state).toBe('running');
    const before = await workerOf(runid);
    const victim = workers.find((program) => before?.worker?.endsWith(`/${program.process.pid}`));
    if (victim === undefined) throw new Error(`no process of this test runs the job: ${before?.worker}`);
    const killed = performance.now();
    await kill(victim);
    await expect.poll(async () => (await workerOf(runid))?.attempts, { timeout: 60_000 }).toBe(2);
    const seconds = (performance.now() - killed) / 1000;
    expect(seconds).toBeLessThan(60);
    held.release();
    expect(await one.ended(runid)).toMatchObject({ state: 'done', accepted: 1 });
    held.close();
  }, 150_000);
});

/** Programs of their own, because a drained process starts no jobs for other tests. */
describe.skipIf(postgresPrograms() === undefined)("processes on the operator's page (needs PostgreSQL)", () => {
  let folder: string;
  let programs: Program[];
  const client = clientOf(() => programs[0]?.url ?? '');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-drained-'));
    const server = process.env['KONTOR_TEST_POSTGRES'] ?? '';
    const url = await createDatabase(server, `drained_${randomIds.id().toLowerCase()}`, postgresTemplate);
    const start = (role: string) => startProgram(folder, { DATABASE_URL: url, KONTOR_ROLE: role, NODE_ENV: 'test' });
    programs = await Promise.all(['web', 'worker', 'worker'].map(start));
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => kill(program)));
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const shown = async () => (await client.ask(api.installationUse)).processes;
  const named = async (program: Program | undefined) => {
    const found = (await shown()).find(({ name }) => name.endsWith(`/${program?.process.pid}`));
    if (found === undefined) throw new Error('this process is not shown');
    return found;
  };
  const drain = async (program: Program | undefined, drained: boolean) =>
    client.ask(api.drainProcess, {}, { name: (await named(program)).name, drained });

  it('idle processes are listed, and one without jobs cannot be drained', async () => {
    const told = (await shown()).map(({ role, answers, running }) => `${role} ${answers} ${running}`);
    expect(told.toSorted()).toEqual(['web true 0', 'worker true 0', 'worker true 0']);
    await drain(programs[0], true).then(
      () => expect.fail('a process that begins no jobs was drained'),
      (error: unknown) => expect(String(error)).toContain('404'),
    );
  });

  it('a drained process starts no job until it is resumed, and leaves jobs to others', async () => {
    const [, first, second] = programs;
    await drain(first, true);
    await drain(second, true);
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Wartet' });
    const runid = await client.upload(masterid, csvOf('Kübler'));
    // Longer than a worker's pause while jobs are waiting.
    await wait(4000);
    expect(await client.ask(api.run, { runid })).toMatchObject({ state: 'queued' });
    await drain(second, false);
    expect(await client.ended(runid)).toMatchObject({ state: 'done', accepted: 1 });
    expect([(await named(first)).drained?.by, (await named(second)).drained]).toEqual([expect.any(String), null]);
    if (second !== undefined) await kill(second, 'SIGTERM');
    await expect.poll(async () => (await shown()).length).toBe(2);
  });
});

/** Listens to what one process sends to a page of a catalogue. */
async function listen({ url }: Program, projectId: string): Promise<{ text: () => string; close: () => void }> {
  const asked = get(url + pathOf(api.live, { projectId }), {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
  });
  let heard = '';
  asked.on('error', () => undefined);
  answer
    .on('error', () => undefined)
    .setEncoding('utf8')
    .on('data', (chunk: string) => (heard += chunk));
  return { text: () => heard, close: () => void asked.destroy() };
}
