import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openServer } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { folderStore } from '#platform/storage/folder-store.ts';
import { S3Client, defaultRetryPolicy } from '#platform/storage/s3/client.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { hasObjectStore, type ObjectStore, objectStore } from '../../servers/object-store.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { accessTo, bucketStage, makeBucket } from '../../stages/bucket-stage.ts';
import { clientOf } from '../../stages/client.ts';
import { kill, type Program, startProgram } from '../../stages/program.ts';

it('a data folder has no signed addresses', async () => {
  expect(await folderStore.addressOf('/items/C1/E1/runs/1.csv', { mime: 'text/csv', name: 'a.csv' })).toBeUndefined();
});

describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  'signed addresses of the bucket (needs PostgreSQL and radosgw)',
  () => {
    let root: string;
    let bucket: string;
    let server: ObjectStore;
    let database: Database;
    let program: Program;
    let plain: Program;
    let pullPath: string;
    let id: string;
    const client = clientOf(() => program.url);
    const fetched = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(program.url + pullPath, { method, headers, redirect: 'manual' });
    const location = async () => new URL((await fetched()).headers.get('location') ?? '');
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'kontor-redirects-'));
      server = await objectStore();
      bucket = await makeBucket(server);
      const url = await createDatabase(
        process.env['KONTOR_TEST_POSTGRES'] ?? '',
        `redirects_${randomIds.id().toLowerCase()}`,
        postgresTemplate,
      );
      database = openServer(url, () => {});
      const settings = {
        KONTOR_STORE: `s3://${bucket}/kontor`,
        S3_ENDPOINT: server.endpoint,
        S3_ACCESS_KEY: server.accessKey,
        S3_SECRET_KEY: server.secretKey,
        DATABASE_URL: url,
        KONTOR_SECRET: 'g'.repeat(40),
        NODE_ENV: 'test',
      };
      program = await startProgram(join(root, 'A'), { ...settings, KONTOR_STORE_REDIRECTS: '1' });
      plain = await startProgram(join(root, 'B'), { ...settings, KONTOR_ROLE: 'web' });
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Tassen' });
      expect(await client.ended(await client.upload(masterid, 'sku;titel\nA-1;Tasse\n'))).toMatchObject({
        state: 'done',
      });
      ({ id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } }));
      const rows = ['sku', 'titel'].map((value) =>
        ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: '' }] }),
      );
      await client.ask(api.saveConstruction, { projectId: id }, rows);
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      pullPath = (await client.ask(api.export, { id })).pullPath;
    });
    afterAll(async () => {
      await Promise.all([program, plain].map((one) => kill(one)));
      await database.close();
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    it('a pull address redirects to a signed address with the same file and headers', async () => {
      const before = await fetch(plain.url + pullPath, { redirect: 'manual' });
      expect(before.status).toBe(200);
      const file = await before.text();
      const answer = await fetched();
      const address = new URL(answer.headers.get('location') ?? '');
      expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
        302,
        'no-store',
        null,
      ]);
      expect(address.href.startsWith(`${server.endpoint}/${bucket}/kontor/`)).toBe(true);
      expect(address.searchParams.get('X-Amz-Expires')).toBe('300');
      const sent = await fetch(address);
      expect(await sent.text()).toBe(file);
      expect(sent.headers.get('content-type')).toBe(before.headers.get('content-type'));
      expect(sent.headers.get('content-disposition')).toBe(
        `inline; filename*=UTF-8''${pullPath.split('/').at(-1) ?? ''}`,
      );
      // Like a channel's program, which follows redirects and sends the ETag that it received.
      const tag = sent.headers.get('etag') ?? '';
      expect((await fetch(program.url + pullPath, { headers: { 'if-none-match': tag } })).status).toBe(304);
    });

    it('HEAD, range and conditional requests are answered by Kontor itself', async () => {
      const whole = await (await fetch(plain.url + pullPath)).text();
      const head = await fetched({}, 'HEAD');
      const etag = head.headers.get('etag') ?? '';
      expect([head.status, etag.length > 10]).toEqual([200, true]);
      expect((await fetched({ 'if-none-match': etag })).status).toBe(304);
      expect((await fetched({ 'if-none-match': '"anders"' })).status).toBe(302);
      const part = await fetched({ range: 'bytes=3-9' });
      expect([part.status, await part.text()]).toEqual([206, whole.slice(3, 10)]);
      const same = await fetched({ range: 'bytes=3-9', 'if-range': etag });
      expect([same.status, await same.text()]).toEqual([206, whole.slice(3, 10)]);
      const other = await fetched({ range: 'bytes=3-9', 'if-range': '"anders"' });
      expect([other.status, await other.text()]).toEqual([200, whole]);
      const since = await fetched({ 'if-modified-since': head.headers.get('last-modified') ?? '' });
      expect([since.status, await since.text()]).toEqual([304, '']);
      const older = await fetched({ 'if-modified-since': new Date(0).toUTCString() });
      expect([older.status, await older.text()]).toEqual([200, whole]);
      expect((await fetch(`${program.url}/feeds/${'x'.repeat(30)}/a.csv`, { redirect: 'manual' })).status).toBe(404);
    });

    it('each fetch is counted', async () => {
      const fetches = async () => {
        const { company } = await client.ask(api.session);
        const file = await database.company(company.id, (trx) =>
          trx.selectFrom('export_files').select('fetches').where('export', '=', id).executeTakeFirstOrThrow(),
        );
        return file.fetches;
      };
      const before = await fetches();
      await fetched();
      expect(await fetches()).toBe(before + 1);
    });

    it('a signed address serves only its object as described, and expires', async () => {
      const address = await location();
      const status = async (change: (url: URL) => void) => {
        const url = new URL(address);
        change(url);
        return (await fetch(url)).status;
      };
      expect(await status(() => {})).toBe(200);
      expect(await status((url) => url.searchParams.set('response-content-type', 'text/html'))).toBe(403);
      expect(await status((url) => url.searchParams.set('X-Amz-Expires', '600000'))).toBe(403);
      expect(await status((url) => (url.pathname = url.pathname.replace(/.$/, 'x')))).toBe(403);
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
      const earlier = new S3Client(accessTo(server, bucket), defaultRetryPolicy, () => Date.now() - 301_000);
      onTestFinished(() => earlier.close());
      const key = decodeURIComponent(address.pathname).slice(`/${bucket}/`.length);
      expect((await fetch(earlier.addressOf(key, {}, 300))).status).toBe(403);
      expect((await fetch(earlier.addressOf(key, {}, 600))).status).toBe(200);
    });

    it('a company archive gets no address, and no file gets one without the setting', async () => {
      const folder = join(root, 'stage', 'items');
      const stage = await bucketStage(accessTo(server, bucket), { database, folder, redirects: true });
      const usual = await bucketStage(accessTo(server, bucket), { database, folder: join(root, 'usual', 'items') });
      onTestFinished(() => stage.close());
      onTestFinished(() => usual.close());
      for (const path of ['C1/work/A1.tar', 'C1/E1/runs/1.csv']) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, `${path}.tmp`), 'Erika Mustermann');
        await stage.store.keep(join(folder, `${path}.tmp`), join(folder, path));
      }
      const as = { mime: 'text/plain', name: 'a' };
      expect(await stage.store.addressOf(join(folder, 'C1/work/A1.tar'), as)).toBeUndefined();
      expect(await stage.store.addressOf(join(folder, 'C1/E1/runs/1.csv'), as)).toContain('X-Amz-Signature=');
      expect(await usual.store.addressOf(join(root, 'usual/items/C1/E1/runs/1.csv'), as)).toBeUndefined();
    });

    it('a missing or changed object is answered with 503, without a redirect', async () => {
      const key = decodeURIComponent((await location()).pathname).slice(`/${bucket}/`.length);
      const objects = new S3Client(accessTo(server, bucket));
      onTestFinished(() => objects.close());
      await objects.text({ method: 'DELETE', key });
      const lost = await fetched();
      expect([lost.status, await lost.text()]).toEqual([503, expect.stringContaining('file_lost')]);
      await objects.text({ method: 'PUT', key });
      const changed = await fetched();
      expect([changed.status, await changed.text()]).toEqual([503, expect.stringContaining('file_changed')]);
    });
  },
);
