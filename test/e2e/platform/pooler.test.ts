import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '#platform/http/error-body.ts';
import { openServer } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { startPgbouncer, type Pooler } from '../../servers/pgbouncer.ts';
import { tools } from '../../servers/servers.ts';
import { clientOf } from '../../stages/client.ts';
import { testDatabaseUrl } from '../../stages/kontor.ts';
import { kill, startProgram, type Program } from '../../stages/program.ts';

const here = process.env['KONTOR_TEST_DATABASE'] === 'postgres' && existsSync(tools.pgbouncer);
/** Fewer than one process would open: transactions share connections. */
const SERVERS = 4;

/** A web process and a worker, each with ten connections to pgbouncer, which has four to PostgreSQL. */
describe.skipIf(!here)('behind pgbouncer in transaction mode (needs PostgreSQL and pgbouncer)', () => {
  let folder: string;
  let direct: string;
  let pooler: Pooler;
  let web: Program;
  let worker: Program;
  const client = clientOf(() => web.url);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-pooler-'));
    direct = (await testDatabaseUrl()) ?? '';
    pooler = await startPgbouncer(direct, SERVERS);
    const start = (role: string) =>
      startProgram(folder, {
        DATABASE_URL: pooler.url,
        KONTOR_ROLE: role,
        KONTOR_EGRESS_LOOPBACK: '1',
        NODE_ENV: 'test',
      });
    [web, worker] = await Promise.all([start('web'), start('worker')]);
  });
  afterAll(async () => {
    await Promise.all([web, worker].map((program) => kill(program)));
    await pooler.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it('a web and a worker process start, import, export and serve the file', async () => {
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Gepoolt' });
    expect(await client.ended(await client.upload(masterid, 'sku;titel\nA-1;Hammer\nA-2;Säge\n'))).toMatchObject({
      state: 'done',
      accepted: 2,
    });
    const { id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal' });
    const { runid } = await client.ask(api.runExport, { id });
    expect(await client.ended(runid)).toMatchObject({ state: 'done' });
    expect(await (await client.raw(pathOf(api.exportFile, { id }))).text()).toContain('Hammer');
    expect(pooler.output()).not.toMatch(/unsupported|error/i);
  });

  it("many concurrent requests share the few connections, and none sees another company's rows", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.raw(pathOf(api.masters))));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const database = openServer(pooler.url, () => {});
    const seen = (company: string) =>
      database.company(company, (trx) => trx.selectFrom('masters').select('id').execute()).then((rows) => rows.length);
    const counts = await Promise.all(Array.from({ length: 40 }, (_, n) => seen(n % 2 === 0 ? '*' : 'niemand')));
    expect(new Set(counts.filter((_, n) => n % 2 === 0))).toEqual(new Set([1]));
    expect(new Set(counts.filter((_, n) => n % 2 === 1))).toEqual(new Set([0]));
    // A transaction's settings end with it.
    const { rows } = await pg<{
      company: string | null;
    }>`select nullif(current_setting('kontor.company', true), '') as company`.execute(database.kysely);
    expect(rows).toEqual([{ company: null }]);
    await database.close();
  });

  it('F12 a statement of a transaction ends after 30 s on any connection', async () => {
    const database = openServer(pooler.url, () => {});
    const limit = (trx: typeof database.kysely) =>
      pg<{ limit: string }>`select current_setting('statement_timeout') as limit`
        .execute(trx)
        .then(({ rows }) => rows[0]?.limit);
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => database.company('niemand', limit)))).toEqual(
      Array(5).fill('30s'),
    );
    expect(await database.accounts('niemand', limit)).toBe('30s');
    const tooLong = database.company('niemand', async (trx) => {
      await pg`set local statement_timeout = '20ms'`.execute(trx);
      await pg`select pg_sleep(20)`.execute(trx);
    });
    const error: unknown = await tooLong.catch((cause: unknown) => cause);
    expect(errorBody(error, 'x')).toMatchObject({ status: 503, body: { error: { code: 'too_slow' } } });
    await database.close();
    const straight = openServer(direct, () => {});
    expect(await limit(straight.kysely)).toBe('30s');
    await straight.close();
  });

  it('a worker that is killed leaves nothing locked: the next one takes its place', async () => {
    await kill(worker);
    worker = await startProgram(folder, { DATABASE_URL: pooler.url, KONTOR_ROLE: 'worker' });
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Danach' });
    expect(await client.ended(await client.upload(masterid, 'sku;titel\nA-1;Hammer\n'))).toMatchObject({
      state: 'done',
    });
  });
});
