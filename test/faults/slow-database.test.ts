import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { clientOf } from '../stages/client.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';

const programs = postgresPrograms();
/** Two seconds, and the time of the answer itself on a busy machine. */
const PATIENCE_MS = 2500;

describe.skipIf(programs === undefined)('a database that has stopped answering', () => {
  let folder: string;
  let postgres: TestPostgres;
  let program: Program;
  let url = '';
  const client = clientOf(() => program.url);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-slow-'));
    postgres = await startPostgres(programs ?? '');
    url = await createDatabase(postgres.url, 'slow');
    program = await startProgram(folder, { DATABASE_URL: url, KONTOR_ROLE: 'web' });
  }, 120_000);
  afterAll(async () => {
    await kill(program);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const timed = async (path: string, body?: object) => {
    const started = performance.now();
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await client.raw(path, { ...(body && json), signal: AbortSignal.timeout(20_000) });
    return { status: answer.status, text: await answer.text(), ms: performance.now() - started };
  };

  it('F12 a request without a free connection gets 503 within two seconds; the program lives and recovers', async () => {
    await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table masters in access exclusive mode');
    // Ten requests hold a connection each and wait for the table; the others get none.
    const waiting = Array.from({ length: 30 }, () => timed(pathOf(api.masters)));
    await expect.poll(async () => (await timed('/readyz')).status).toBe(503);
    const alive = await timed('/livez');
    expect([alive.status, alive.ms < 1000]).toEqual([200, true]);
    const refused = await timed(pathOf(api.masters));
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('Zurzeit nicht möglich');
    expect(refused.ms).toBeLessThan(PATIENCE_MS);
    // A page makes several requests, and a save has a body: all of them share the two seconds.
    const page = await timed('/');
    expect([page.status, page.ms < PATIENCE_MS]).toEqual([503, true]);
    const save = await timed(pathOf(api.createMaster), { name: 'Anderer' });
    expect([save.status, save.ms < PATIENCE_MS]).toEqual([503, true]);
    await holder.query('rollback');
    await holder.end();
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    await expect.poll(async () => (await timed('/readyz')).status, { timeout: 10_000 }).toBe(200);
    expect((await timed(pathOf(api.masters))).status).toBe(200);
  }, 60_000);

  it('T22 a query ends on the server as soon as its client disconnects, and its slot is freed', async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table documents in access exclusive mode');
    // Within a transaction the server shows the state of one moment only.
    const looker = new pg.Client({ connectionString: url });
    await looker.connect();
    const waiting = async () => {
      const { rows } = await looker.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0]?.n;
    };
    // More than may run at a time: the third is admitted only when one of the first two has ended.
    for (let round = 0; round < 3; round++) {
      const gone = new AbortController();
      const asked = Array.from({ length: 2 }, () =>
        client.raw(pathOf(api.activity), { signal: gone.signal }).catch(() => 'gone'),
      );
      await expect.poll(waiting).toBe(2);
      gone.abort();
      expect(await Promise.all(asked)).toEqual(['gone', 'gone']);
      await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    }
    await holder.query('rollback');
    await Promise.all([holder.end(), looker.end()]);
    expect((await timed(pathOf(api.activity))).status).toBe(200);
  }, 60_000);
});
