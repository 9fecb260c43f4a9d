import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '#platform/ids.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { hasObjectStore, type ObjectStore, objectStore } from '../../servers/object-store.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { accessTo, makeBucket } from '../../stages/bucket-stage.ts';
import { clientOf } from '../../stages/client.ts';
import { kill, type Program, startProgram } from '../../stages/program.ts';
import { runScript, startScript } from '../../stages/scripts.ts';

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** More files than a move has sent when it is killed. */
const FILES = 60;

/** Each test starts several processes, one after the other, on a shared machine. */
const whole = { timeout: 180_000 };

describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  "moving an installation's files (needs PostgreSQL and radosgw)",
  () => {
    let root: string;
    let bucket: string;
    let server: ObjectStore;
    let objects: Bucket;
    let plain: Record<string, string>;
    let store: Record<string, string>;
    let pullPath: string;
    const data = () => join(root, 'A');
    const items = () => join(data(), 'items');
    const environment = (more: Record<string, string> = {}) => ({
      ...process.env,
      ...plain,
      ...store,
      KONTOR_DATA: data(),
      ...more,
    });
    const move = (to: string, more: Record<string, string> = {}) =>
      runScript('move-store', [`--to=${to}`], environment(more));
    const to = (folder: string) => `s3://${bucket}/${folder}`;
    const listed = async () => {
      const all = new Map<string, number>();
      for await (const { key, modified } of objects.list('')) all.set(key, modified.getTime());
      return all;
    };
    const serves = async (program: Program) => {
      const answer = await fetch(program.url + pullPath, { headers: { 'accept-encoding': 'identity' } });
      return [answer.status, await answer.text()];
    };
    const file = 'sku;titel\nA-1;Tasse\nA-2;Teller\n';

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'kontor-move-'));
      server = await objectStore();
      bucket = await makeBucket(server);
      objects = new Bucket({ ...accessTo(server, bucket), prefix: 'neu/' });
      const url = await createDatabase(
        process.env['KONTOR_TEST_POSTGRES'] ?? '',
        `move_${randomIds.id().toLowerCase()}`,
        postgresTemplate,
      );
      plain = { DATABASE_URL: url, KONTOR_SECRET: 'g'.repeat(40), NODE_ENV: 'test' };
      store = { S3_ENDPOINT: server.endpoint, S3_ACCESS_KEY: server.accessKey, S3_SECRET_KEY: server.secretKey };
    });
    afterAll(async () => {
      await objects.close();
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    it('is refused while a program runs, and into a place that holds anything else', whole, async () => {
      const program = await startProgram(data(), plain);
      const client = clientOf(() => program.url);
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Tassen' });
      expect(await client.ended(await client.upload(masterid, file))).toMatchObject({ state: 'done' });
      const { id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
      const rows = ['sku', 'titel'].map((value) =>
        ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: '' }] }),
      );
      await client.ask(api.saveConstruction, { projectId: id }, rows);
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      pullPath = (await client.ask(api.export, { id })).pullPath;
      const early = await move(to('neu'));
      expect(early).toMatchObject({ code: 1, text: expect.stringContaining('arbeitet noch ein Kontor') });
      await kill(program, 'SIGTERM');
      const elsewhere = { KONTOR_DATA: join(root, 'B') };
      const other = await move(to('neu'), elsewhere);
      expect(other).toMatchObject({ code: 1, text: expect.stringMatching(/B\/items ist nicht der.*KONTOR_DATA/) });
      const own = { ...process.env, ...plain, ...elsewhere };
      const backup = await runScript('backup', [join(root, 'backup.tar')], own);
      expect(backup).toMatchObject({ code: 1, text: expect.stringMatching(/B\/items ist nicht der.*KONTOR_DATA/) });
      await objects.putStream('fremd', bytesOf('x'));
      const foreign = await move(to('neu'));
      expect(foreign).toMatchObject({ code: 1, text: expect.stringMatching(/nicht leer.*fremd/) });
      await objects.delete('fremd');
      expect(await move('irgendwo')).toMatchObject({ code: 1, text: expect.stringContaining('Aufruf:') });
      const embedded = { ...process.env, ...store, KONTOR_DATA: data() };
      const without = await runScript('move-store', [`--to=${to('neu')}`], embedded);
      expect(without).toMatchObject({ code: 1, text: expect.stringMatching(/DATABASE_URL.*npm run restore/s) });
    });

    it('continues after a kill and resends only objects that were changed', whole, async () => {
      for (let n = 0; n < FILES; n++) {
        const path = join(items(), `C9/M1/snapshots/${n}.parquet`);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, randomBytes(400_000));
      }
      const first = startScript('move-store', [`--to=${to('neu')}`], environment());
      const gone = once(first, 'exit');
      await expect.poll(async () => (await listed()).size, { interval: 20 }).toBeGreaterThan(8);
      first.kill('SIGKILL');
      await gone;
      const before = await listed();
      expect(before.size).toBeLessThan(FILES);
      const [changed = ''] = before.keys();
      await objects.delete(changed);
      await objects.putStream(changed, bytesOf('andere Bytes'));
      // A bucket's list gives dates in whole seconds.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const second = await move(to('neu'));
      expect(second).toMatchObject({ code: 0, text: expect.stringContaining(`KONTOR_STORE=${to('neu')}`) });
      expect(second.text).toContain(`; ${before.size - 1} davon lagen schon dort`);
      const after = await listed();
      expect([...before].filter(([key, at]) => after.get(key) !== at).map(([key]) => key)).toEqual([changed]);
      expect(after.size).toBeGreaterThan(FILES);
    });

    it('leaves the source, serves from the bucket, and refuses the former settings', whole, async () => {
      const names = await readdir(data());
      const aside = names.find((name) => name.startsWith('items-')) ?? '';
      expect(await readdir(join(data(), aside, 'C9/M1/snapshots'))).toHaveLength(FILES);
      await rename(join(data(), aside), join(root, 'aside'));
      await expect(startProgram(data(), plain)).rejects.toThrow(/lägen sie im Datenordner.*move-store/s);
      const program = await startProgram(data(), { ...plain, ...store, KONTOR_STORE: to('neu') });
      expect(await serves(program)).toEqual([200, expect.stringContaining('A-2')]);
      await kill(program, 'SIGTERM');
      expect(await move(to('neu'))).toMatchObject({ code: 0, text: expect.stringContaining('nichts zu tun') });
    });

    it('moves on to another folder of the bucket, and back into the data folder', whole, async () => {
      expect(await move(to('weiter'))).toMatchObject({ code: 0, text: expect.stringContaining(to('weiter')) });
      const back = await move('folder');
      expect(back).toMatchObject({ code: 0, text: expect.stringContaining('wurde nicht angerührt') });
      expect((await listed()).size).toBeGreaterThan(FILES);
      expect(existsSync(join(items(), 'C9/M1/snapshots/7.parquet'))).toBe(true);
      const program = await startProgram(data(), plain);
      expect(await serves(program)).toEqual([200, expect.stringContaining('A-2')]);
      await kill(program, 'SIGTERM');
    });
  },
);
