import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openServer } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { addNotification } from '#notifications/notifications.ts';
import { checkOrphans } from '#operations/pruning/orphans.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { hasObjectStore, type ObjectStore, objectStore, ownGateway } from '../../servers/object-store.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { accessTo, bucketStage, makeBucket } from '../../stages/bucket-stage.ts';
import { clientOf } from '../../stages/client.ts';
import { begin, sendRest } from '../../stages/feed/pieces.ts';
import { kill, type Program, startProgram } from '../../stages/program.ts';

const csvOf = (items: number, price: number) =>
  [
    'sku;titel;preis',
    ...Array.from({ length: items }, (_, n) => `A-${n};Tasse ${n};${price},00`),
    'Z-1;zu;viele;Felder',
    '',
  ].join('\n');
async function* single() {
  yield Buffer.from('x');
}
const storeOf = (server: ObjectStore, bucket: string) => ({
  KONTOR_STORE: `s3://${bucket}/kontor`,
  S3_ENDPOINT: server.endpoint,
  S3_ACCESS_KEY: server.accessKey,
  S3_SECRET_KEY: server.secretKey,
});

/** A web process on one machine and a worker on another one: they share a database and a bucket, but no folder. */
describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  'two machines without a shared folder (needs PostgreSQL and radosgw)',
  () => {
    let root: string;
    let bucket: string;
    let server: ObjectStore;
    let database: Database;
    let company: string;
    let web: Program;
    let worker: Program;
    let environment: Record<string, string>;
    const client = clientOf(() => web.url);
    const machine = (name: string) => join(root, name);
    const startWorker = (name: string) => startProgram(machine(name), { ...environment, KONTOR_ROLE: 'worker' });
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'kontor-machines-'));
      server = await objectStore();
      bucket = await makeBucket(server);
      const url = await createDatabase(
        process.env['KONTOR_TEST_POSTGRES'] ?? '',
        `machines_${randomIds.id().toLowerCase()}`,
        postgresTemplate,
      );
      database = openServer(url, () => {});
      environment = { ...storeOf(server, bucket), DATABASE_URL: url, KONTOR_SECRET: 'g'.repeat(40), NODE_ENV: 'test' };
      web = await startProgram(machine('A'), { ...environment, KONTOR_ROLE: 'web' });
      worker = await startWorker('B');
      const { id } = await database.kysely.selectFrom('organization').select('id').executeTakeFirstOrThrow();
      company = id;
    });
    afterAll(async () => {
      await Promise.all([web, worker].map((one) => kill(one)));
      await database.close();
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    /** Returns files on a machine that are neither copies nor made from copies. */
    const alone = async (name: string) => {
      const entries = await readdir(join(machine(name), 'items'), { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return paths.filter((path) => !/\.store-cache|\.duckdb-tmp|\.keys$|\/fields\//.test(path));
    };
    /** Returns rows whose objects are missing or wrong, however new they are. */
    const lost = async () => {
      const folder = machine('looker');
      const stage = await bucketStage(accessTo(server, bucket), { database, folder });
      onTestFinished(() => stage.close());
      return (await stage.store.tidy(company, new Date(Date.now() + 60_000))).lost;
    };
    const madeExport = async (masterid: string) => {
      const { id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
      const rows = ['sku', 'titel', 'preis'].map((value) =>
        ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: '' }] }),
      );
      await client.ask(api.saveConstruction, { projectId: id }, rows);
      return id;
    };

    it('an upload to one is imported and exported by the other, and the first serves the file', async () => {
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Tassen' });
      const run = await client.ended(await client.upload(masterid, csvOf(2000, 5)));
      expect(run).toMatchObject({ state: 'done', accepted: 2000, rejected: 1 });
      const rejected = await client.ask(api.rejected, { runid: run.runid });
      expect(rejected.total).toBe(1);
      const items = await client.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=1&search=Tasse%201999`);
      const listed = await items.text();
      expect(listed).toContain('A-1999');
      const field = api.items.response.parse(JSON.parse(listed)).fields.find(({ name }) => name === 'preis')?.id ?? '';
      const facet = await client.raw(`${pathOf(api.itemFacet)}?masterid=${masterid}&field=${field}`);
      expect(api.itemFacet.response.parse(await facet.json()).values).toMatchObject([{ value: '5,00', items: 2000 }]);
      const row = {
        id: '1',
        field: [{ type: '_field', value: 'titel' }],
        filter: 'contains',
        value: 'tasse',
        target: 'Tassen',
      };
      const counted = await client.ask(api.countRows, { id: masterid }, { table: 'mapping', rows: [row] });
      expect(counted).toMatchObject({ total: 2000, assigned: 2000 });
      const next = await client.ended(await client.upload(masterid, csvOf(2000, 6)));
      const difference = await client.ask(api.runDifference, { runid: next.runid });
      expect(difference).toMatchObject({ removed: 0, added: 0, changed: 2000 });
      const id = await madeExport(masterid);
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      const { pullPath } = await client.ask(api.export, { id });
      const answer = await fetch(web.url + pullPath, { headers: { 'accept-encoding': 'identity' } });
      const text = await answer.text();
      expect([answer.status, text.trim().split('\n').length]).toEqual([200, 2001]);
      const etag = answer.headers.get('etag') ?? '';
      const ask = (headers: Record<string, string>) => fetch(web.url + pullPath, { headers });
      expect((await ask({ 'if-none-match': etag })).status).toBe(304);
      const part = await ask({ range: 'bytes=3-9', 'if-range': etag });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 3-9/${Buffer.byteLength(text)}`]);
      expect(await part.text()).toBe(text.slice(3, 10));
      expect((await ask({ range: 'bytes=3-9', 'if-range': '"anders"' })).status).toBe(200);
      expect((await ask({ range: `bytes=${10 ** 9}-` })).status).toBe(416);
      expect([await alone('A'), await alone('B'), await lost()]).toEqual([[], [], []]);
    });

    it('I10 a worker killed midway is replaced by one on a third machine, and nothing is lost', async () => {
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Teller' });
      expect(await client.ended(await client.upload(masterid, csvOf(100, 5)))).toMatchObject({ state: 'done' });
      const id = await madeExport(masterid);
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      const { pullPath } = await client.ask(api.export, { id });
      const served = async () => (await (await fetch(web.url + pullPath)).text()).trim().split('\n').length;
      const runid = await client.upload(masterid, csvOf(150_000, 7));
      await expect.poll(async () => (await client.ask(api.run, { runid })).state).toBe('running');
      await kill(worker);
      expect(await served()).toBe(101);
      worker = await startWorker('C');
      expect(await client.ended(runid, 90)).toMatchObject({ state: 'done', accepted: 150_000 });
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      expect(await served()).toBe(150_001);
      expect([await alone('A'), await lost()]).toEqual([[], []]);
    });

    it('a run in parts is continued by a third machine, and the file equals that of a single run', async () => {
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Gläser' });
      expect(await client.ended(await client.upload(masterid, csvOf(110_000, 5)), 90)).toMatchObject({ state: 'done' });
      const id = await madeExport(masterid);
      const { pullPath } = await client.ask(api.export, { id });
      const fetched = async () => (await fetch(web.url + pullPath)).text();
      expect(await client.ended((await client.ask(api.runExport, { id })).runid, 90)).toMatchObject({ state: 'done' });
      const whole = await fetched();
      await kill(worker);
      const parted = { ...environment, KONTOR_PARTS_ABOVE: '1000', KONTOR_ROLE: 'worker' };
      worker = await startProgram(machine('G'), parted);
      const { runid } = await client.ask(api.runExport, { id });
      const parts = (state?: 'done') =>
        database.system(async (trx) => {
          const rows = await trx.selectFrom('jobs').select('state').where('kind', '=', 'export-part').execute();
          return rows.filter((one) => state === undefined || one.state === state).length;
        });
      await expect.poll(() => parts(), { timeout: 60_000, interval: 20 }).toBe(7);
      const { processes } = await client.ask(api.installationUse);
      const beginner = processes.find(({ name }) => name.endsWith(`/${worker.process.pid}`))?.name ?? '';
      await client.ask(api.drainProcess, {}, { name: beginner, drained: true });
      // It finishes the parts that it has, and then waits for others.
      await wait(3000);
      const byOne = await parts('done');
      expect(byOne).toBeLessThan(7);
      expect(await client.ask(api.run, { runid })).toMatchObject({ state: 'running' });
      const third = await startProgram(machine('H'), parted);
      onTestFinished(() => void third.process.kill('SIGKILL'));
      expect(await client.ended(runid, 120)).toMatchObject({ state: 'done', accepted: 110_000 });
      expect((await fetched()) === whole).toBe(true);
      await client.ask(api.drainProcess, {}, { name: beginner, drained: false });
      await kill(third);
      expect(await lost()).toEqual([]);
    }, 300_000);

    it('an import in parts is continued by a third machine, and the items equal those of the whole file', async () => {
      const file = Buffer.from(csvOf(200_000, 5));
      const imported = async () => {
        const { masterid } = await client.ask(api.createMaster, {}, { name: 'Besteck' });
        const { id } = await begin(client, masterid, file, { options: { key: 'sku' } });
        await sendRest(client, id, file, 1024 ** 2);
        return { masterid, runid: (await client.ask(api.finishImportUpload, { uploadid: id })).runid };
      };
      const itemsOf = async (masterid: string) =>
        (await client.raw(`${pathOf(api.itemsCsv, {})}?masterid=${masterid}`)).text();
      const whole = await imported();
      expect(await client.ended(whole.runid, 90)).toMatchObject({ state: 'done', accepted: 200_000, rejected: 1 });
      await kill(worker);
      const parted = { ...environment, KONTOR_IMPORT_PARTS_ABOVE_GB: '0.0009', KONTOR_ROLE: 'worker' };
      worker = await startProgram(machine('I'), parted);
      const { masterid, runid } = await imported();
      const parts = (state?: 'done') =>
        database.system(async (trx) => {
          const rows = await trx.selectFrom('jobs').select('state').where('kind', '=', 'import-part').execute();
          return rows.filter((one) => state === undefined || one.state === state).length;
        });
      await expect.poll(() => parts('done'), { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
      expect(await parts()).toBeGreaterThan(2);
      await kill(worker);
      expect(await client.ask(api.run, { runid })).toMatchObject({ state: 'running' });
      worker = await startProgram(machine('J'), parted);
      expect(await client.ended(runid, 120)).toMatchObject({ state: 'done', accepted: 200_000, rejected: 1 });
      expect((await itemsOf(masterid)) === (await itemsOf(whole.masterid))).toBe(true);
      expect(await lost()).toEqual([]);
    }, 300_000);

    it('without the store an upload is refused, files are served from the cache, and a process still starts', async () => {
      const gateway = await ownGateway();
      onTestFinished(() => gateway.kill());
      const { process: child, url } = await startProgram(machine('D'), {
        ...environment,
        ...storeOf(gateway, bucket),
        KONTOR_ROLE: 'web',
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const there = clientOf(() => url);
      const { masterid } = await there.ask(api.createMaster, {}, { name: 'Schalen' });
      expect(await client.ended(await there.upload(masterid, csvOf(10, 5)))).toMatchObject({ state: 'done' });
      const items = () => there.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=1`);
      expect((await items()).status).toBe(200);
      await gateway.kill();
      expect((await items()).status).toBe(200);
      await expect(there.upload(masterid, csvOf(10, 6))).rejects.toThrow(/503.*store_away.*nicht erreichbar/s);
      // A process that starts meanwhile answers what needs no file.
      const later = await startProgram(machine('F'), {
        ...environment,
        ...storeOf(gateway, bucket),
        KONTOR_ROLE: 'web',
      });
      onTestFinished(() => void later.process.kill('SIGKILL'));
      expect((await fetch(`${later.url}/readyz`)).status).toBe(200);
      const fresh = clientOf(() => later.url);
      expect((await fresh.ask(api.masters)).map(({ name }) => name)).toContain('Schalen');
      await gateway.revive();
      expect((await fresh.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=1`)).status).toBe(200);
      expect(await client.ended(await there.upload(masterid, csvOf(10, 6)))).toMatchObject({ state: 'done' });
    });

    it('a wrong key, a missing bucket or a local folder aborts the start with a message', async () => {
      const start = (settings: Record<string, string>) =>
        startProgram(machine('E'), { ...environment, ...settings, KONTOR_ROLE: 'worker' });
      await expect(start({ S3_SECRET_KEY: 'falsch' })).rejects.toThrow(/nicht zu gebrauchen.*weist den Zugang ab/s);
      await expect(start({ KONTOR_STORE: 's3://gibt-es-nicht' })).rejects.toThrow(
        /s3:\/\/gibt-es-nicht.*KONTOR_STORE/s,
      );
      const { DATABASE_URL: url = '', KONTOR_SECRET: secret = '' } = environment;
      const inFolder = startProgram(machine('E'), { DATABASE_URL: url, KONTOR_SECRET: secret, KONTOR_ROLE: 'worker' });
      await expect(inFolder).rejects.toThrow(/liegen in s3:\/\/.*lägen sie im Datenordner/s);
    });

    it('orphaned objects are deleted after a day, and missing ones are reported', async () => {
      const objects = new Bucket(accessTo(server, bucket));
      onTestFinished(() => objects.close());
      const stage = await bucketStage(accessTo(server, bucket), { database, folder: machine('nightly') });
      onTestFinished(() => stage.close());
      await objects.putStream(`${company}/M1/incoming/verwaist`, single());
      const DAY_MS = 24 * 60 * 60 * 1000;
      expect((await stage.store.tidy(company, new Date(Date.now() - DAY_MS))).removed).toBe(0);
      const first = await database.company(company, (trx) =>
        trx.selectFrom('stored_files').select(['path', 'object']).limit(1).executeTakeFirstOrThrow(),
      );
      await objects.delete(first.object);
      const tidied = await stage.store.tidy(company, new Date(Date.now() + 60_000));
      expect(tidied.removed).toBeGreaterThan(0);
      expect(tidied.lost).toEqual([first.path]);
      // As in the nightly maintenance: users are notified.
      const night = { now: () => new Date(Date.now() + DAY_MS + 60_000) };
      const storagePaths = storagePathsIn(machine('nightly'), stage.store);
      await checkOrphans({ database, storagePaths, clock: night, log: makeLog('silent'), addNotification }, company);
      const told = (await client.ask(api.notifications)).notifications.map(({ title, text }) => `${title}: ${text}`);
      expect(told.filter((one) => one.startsWith('Dateien und Datenbank passen nicht zusammen'))).toEqual([
        expect.stringContaining(first.path),
      ]);
    });
  },
);
