import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openServer } from '#platform/db/database.ts';
import { secondsFromNow } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { hasObjectStore, type ObjectStore, objectStore, ownGateway } from '../servers/object-store.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../servers/postgres.ts';
import { accessTo, makeBucket } from '../stages/bucket-stage.ts';
import { clientOf } from '../stages/client.ts';
import { kill, type Program, startProgram } from '../stages/program.ts';

const csvOf = (items: number, price: number) =>
  ['sku;preis', ...Array.from({ length: items }, (_, n) => `A-${n};${price},00`), ''].join('\n');

/** The web process can always reach the store; the worker has a gateway of its own, which can be taken down. */
describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  'runs while the store fails (needs PostgreSQL and radosgw)',
  () => {
    let root: string;
    let bucket: string;
    let server: ObjectStore;
    let gateway: Awaited<ReturnType<typeof ownGateway>>;
    let database: Database;
    let web: Program;
    let worker: Program;
    let environment: Record<string, string>;
    const client = clientOf(() => web.url);
    const storeOf = ({ endpoint, accessKey, secretKey }: ObjectStore) => ({
      KONTOR_STORE: `s3://${bucket}/kontor`,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    });
    const startWorker = (name: string) =>
      startProgram(join(root, name), { ...environment, ...storeOf(gateway), KONTOR_ROLE: 'worker' });
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'kontor-trouble-'));
      server = await objectStore();
      gateway = await ownGateway();
      bucket = await makeBucket(server);
      const url = await createDatabase(
        process.env['KONTOR_TEST_POSTGRES'] ?? '',
        `trouble_${randomIds.id().toLowerCase()}`,
        postgresTemplate,
      );
      database = openServer(url, () => {});
      environment = { DATABASE_URL: url, KONTOR_SECRET: 'g'.repeat(40), NODE_ENV: 'test' };
      web = await startProgram(join(root, 'A'), { ...environment, ...storeOf(server), KONTOR_ROLE: 'web' });
      worker = await startWorker('B');
    });
    afterAll(async () => {
      await Promise.all([web, worker].map((one) => kill(one)));
      await gateway.kill();
      await database.close();
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    /** Creates a catalogue with an export whose file is served. */
    const served = async (name: string) => {
      const { masterid } = await client.ask(api.createMaster, {}, { name });
      expect(await client.ended(await client.upload(masterid, csvOf(10, 5)))).toMatchObject({ state: 'done' });
      const { id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
      const rows = ['sku', 'preis'].map((value) =>
        ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: '' }] }),
      );
      await client.ask(api.saveConstruction, { projectId: id }, rows);
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      const { pullPath } = await client.ask(api.export, { id });
      const fetched = async () => (await client.raw(pullPath)).text();
      expect(await fetched()).toContain('A-9;5,00');
      return { masterid, id, fetched };
    };

    it('a run that cannot reach the store waits with a reason, the last file is served, and the run ends well later', async () => {
      const { id, fetched } = await served('Wartend');
      await gateway.kill();
      const { runid } = await client.ask(api.runExport, { id });
      await expect
        .poll(() => client.ask(api.run, { runid }), { timeout: 90_000 })
        .toMatchObject({
          state: 'queued',
          message: expect.stringMatching(/Dateispeicher ist zurzeit nicht erreichbar/),
        });
      expect(await fetched()).toContain('A-9;5,00');
      await gateway.revive();
      // Without waiting a minute for the next try.
      await database.system((trx) =>
        trx
          .updateTable('jobs')
          .set({ not_before: secondsFromNow(0) })
          .where('id', '=', runid)
          .execute(),
      );
      expect(await client.ended(runid)).toMatchObject({ state: 'done' });
    }, 180_000);

    it('a snapshot changed in the bucket is not used: the run says so, and the last file is served', async () => {
      const { masterid, id, fetched } = await served('Verändert');
      const objects = new Bucket(accessTo(server, bucket));
      const state = await database.system((trx) =>
        trx
          .selectFrom('stored_files')
          .select(['object', 'bytes'])
          .where('path', 'like', `%/${masterid}/snapshots/%.parquet`)
          .executeTakeFirstOrThrow(),
      );
      const held: Buffer[] = [];
      for await (const part of objects.read(state.object)) held.push(part);
      const bytes = Buffer.concat(held);
      const middle = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle);
      await objects.delete(state.object);
      await objects.putStream(
        state.object,
        (async function* changed() {
          yield bytes;
        })(),
      );
      await objects.close();
      expect(bytes.length).toBe(Number(state.bytes));
      // A worker with a cached copy continues; a new one has none.
      await kill(worker);
      worker = await startWorker('C');
      const failed = await client.ended((await client.ask(api.runExport, { id })).runid, 90);
      expect(failed).toMatchObject({ state: 'failed', message: expect.stringMatching(/nicht mehr die.*Prüfsumme/) });
      expect(await fetched()).toContain('A-9;5,00');
      // The next import has nothing to compare with: it waits for a user's release, and is then live.
      const waits = await client.ended(await client.upload(masterid, csvOf(10, 6)));
      expect(waits).toMatchObject({ state: 'blocked', message: expect.stringContaining('nicht mit ihm verglichen') });
      await client.ask(api.releaseRun, { runid: waits.runid }, { reason: 'angesehen' });
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      expect(await fetched()).toContain('A-9;6,00');
    }, 180_000);
  },
);
