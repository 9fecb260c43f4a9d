import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bucketSource, type HeldFile } from '#operations/backup/file-source.ts';
import { type Database, openServer } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { withRemovalsHeld } from '#platform/storage/removal-hold.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { hasObjectStore, type ObjectStore, objectStore } from '../../servers/object-store.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { accessTo, bucketStage, makeBucket } from '../../stages/bucket-stage.ts';
import { clientOf } from '../../stages/client.ts';
import { kill, type Program, startProgram } from '../../stages/program.ts';
import { runScript } from '../../stages/scripts.ts';

const csvOf = (items: number) =>
  `sku;titel\n${Array.from({ length: items }, (_, n) => `A-${n};Tasse ${n}\n`).join('')}`;

/** Each test starts several processes, one after the other, on a shared machine. */
const whole = { timeout: 180_000 };

/** A program whose files are in a bucket is backed up while it works, and restored elsewhere. */
describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  'backup and restore of a bucket (needs PostgreSQL and radosgw)',
  () => {
    let root: string;
    let bucket: string;
    let server: ObjectStore;
    let database: Database;
    let program: Program;
    let settings: Record<string, string>;
    let pullPath: string;
    let backup: string;
    const client = clientOf(() => program.url);
    const freshDatabase = (template?: string) =>
      createDatabase(
        process.env['KONTOR_TEST_POSTGRES'] ?? '',
        `bucket_${randomIds.id().toLowerCase()}`,
        ...(template === undefined ? [] : [template]),
      );
    const storeAt = (folder: string) => ({
      KONTOR_STORE: `s3://${bucket}/${folder}`,
      S3_ENDPOINT: server.endpoint,
      S3_ACCESS_KEY: server.accessKey,
      S3_SECRET_KEY: server.secretKey,
    });
    const secret = { KONTOR_SECRET: 'g'.repeat(40), NODE_ENV: 'test' };
    const environment = (data: string, own: Record<string, string>) => ({
      ...process.env,
      ...secret,
      KONTOR_DATA: join(root, data),
      ...own,
    });
    const source = () => environment('A', settings);
    const objectsIn = (folder: string) => {
      const objects = new Bucket({ ...accessTo(server, bucket), prefix: `${folder}/` });
      onTestFinished(() => objects.close());
      return objects;
    };
    const keysIn = async (folder: string) => {
      const keys: string[] = [];
      for await (const { key } of objectsIn(folder).list('')) keys.push(key);
      return keys;
    };
    const served = async (url: string) => {
      const answer = await fetch(url + pullPath, { headers: { 'accept-encoding': 'identity' } });
      return [answer.status, (await answer.text()).trim().split('\n').length];
    };
    /** Returns the archive's files, as its manifest lists them. */
    const manifestOf = async (file: string) => {
      const read = spawnSync('tar', ['-xOf', file, 'manifest.json'], { encoding: 'utf8', maxBuffer: 1e8 });
      return JSON.parse(read.stdout) as {
        files: { path: string; bytes: number; object?: string }[];
        missing: unknown[];
      };
    };

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'kontor-bucket-backup-'));
      server = await objectStore();
      bucket = await makeBucket(server);
      const url = await freshDatabase(postgresTemplate);
      database = openServer(url, () => {});
      settings = { ...storeAt('kontor'), DATABASE_URL: url };
      program = await startProgram(join(root, 'A'), { ...secret, ...settings });
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Tassen' });
      expect(await client.ended(await client.upload(masterid, csvOf(2000)))).toMatchObject({ state: 'done' });
      const { id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
      const rows = ['sku', 'titel'].map((value) =>
        ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: '' }] }),
      );
      await client.ask(api.saveConstruction, { projectId: id }, rows);
      expect(await client.ended((await client.ask(api.runExport, { id })).runid)).toMatchObject({ state: 'done' });
      pullPath = (await client.ask(api.export, { id })).pullPath;
    });
    afterAll(async () => {
      await kill(program);
      await database.close();
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    it(
      'the command copies rows and objects while the program runs; the check needs neither database nor bucket',
      whole,
      async () => {
        const { masterid } = (await client.ask(api.masters))[0] ?? { masterid: '' };
        const more = client.upload(masterid, csvOf(3000));
        await mkdir(join(root, 'backups'), { recursive: true });
        const made = await runScript('backup', [join(root, 'backups')], source());
        expect(made).toMatchObject({ code: 0, text: expect.stringContaining('Gesichert:') });
        expect(made.text).not.toMatch(/Nicht dabei|Verloren/);
        expect(await client.ended(await more)).toMatchObject({ state: 'done' });
        const [name = ''] = await readdir(join(root, 'backups'));
        backup = join(root, 'backups', name);
        const { files } = await manifestOf(backup);
        expect(files.length).toBeGreaterThan(1);
        const keys = await keysIn('kontor');
        // An upload in progress is deleted once it was imported.
        const lasting = files.filter(({ path }) => !path.includes('/incoming/'));
        expect(lasting.filter(({ object = '' }) => !keys.includes(object))).toEqual([]);
        const checked = await runScript('restore', [backup, '--verify'], source());
        expect(checked).toMatchObject({ code: 0, text: expect.stringContaining('passt zu dieser Sicherung') });
        expect(checked.text).toMatch(/, [1-9]\d* Dateien, 1 Kataloge geöffnet/);
      },
    );

    it(
      'is restored into an empty database and bucket folder, and the program serves the same file',
      whole,
      async () => {
        const target = { ...storeAt('zurueck'), DATABASE_URL: await freshDatabase() };
        const restored = await runScript('restore', [backup], environment('B', target));
        expect(restored).toMatchObject({ code: 0, text: expect.stringContaining(target.KONTOR_STORE) });
        const { files } = await manifestOf(backup);
        expect(await keysIn('zurueck')).toEqual(expect.arrayContaining(files.map(({ object }) => object)));
        expect(await keysIn('zurueck')).toHaveLength(files.length);
        const again = await startProgram(join(root, 'B'), { ...secret, ...target });
        onTestFinished(async () => void (await kill(again)));
        expect(await served(again.url)).toEqual([200, 2001]);
        const there = clientOf(() => again.url);
        expect((await there.ask(api.installation)).hold).not.toBeNull();
        const { masterid } = (await there.ask(api.masters))[0] ?? { masterid: '' };
        expect(await there.ended(await there.upload(masterid, csvOf(2500)))).toMatchObject({ state: 'done' });
        // A second restore over the first one is refused.
        const occupied = await runScript('restore', [backup], environment('C', { ...target }));
        expect(occupied).toMatchObject({
          code: 1,
          text: expect.stringMatching(/zurueck ist nicht leer.*überschreibt/s),
        });
        const other = { ...storeAt('leer'), DATABASE_URL: target.DATABASE_URL };
        const full = await runScript('restore', [backup], environment('C', other));
        expect(full).toMatchObject({ code: 1, text: expect.stringContaining('enthält schon Tabellen') });
        expect(await keysIn('leer')).toEqual([]);
      },
    );

    it('is restored into a data folder, and from there into a bucket', whole, async () => {
      const folder = { KONTOR_SECRET: secret.KONTOR_SECRET };
      expect(await runScript('restore', [backup], environment('D', folder))).toMatchObject({ code: 0 });
      const inFolder = await startProgram(join(root, 'D'), { ...secret });
      expect(await served(inFolder.url)).toEqual([200, 2001]);
      const second = join(root, 'second.tar');
      expect(await runScript('backup', [second], environment('D', folder))).toMatchObject({ code: 0 });
      await kill(inFolder);
      const target = { ...storeAt('aus-ordner'), DATABASE_URL: await freshDatabase() };
      expect(await runScript('restore', [second], environment('E', target))).toMatchObject({ code: 0 });
      const again = await startProgram(join(root, 'E'), { ...secret, ...target });
      onTestFinished(async () => void (await kill(again)));
      expect(await served(again.url)).toEqual([200, 2001]);
    });

    it('a backup with a changed or missing file is refused before anything is written', whole, async () => {
      const target = async () => environment('F', { ...storeAt('kaputt'), DATABASE_URL: await freshDatabase() });
      const bytes = await readFile(backup);
      const broken = join(root, 'broken.tar');
      const { files } = await manifestOf(backup);
      const { path } = files.find((one) => one.bytes > 100) ?? { path: '' };
      const at = bytes.indexOf(`files/${path}`) + 512 + 5;
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      await writeFile(broken, bytes);
      const changed = await runScript('restore', [broken], await target());
      expect(changed).toMatchObject({ code: 1, text: expect.stringMatching(/beschädigt.*files\/.*verändert/s) });
      spawnSync('tar', ['--delete', '-f', broken, `files/${path}`]);
      const cut = await runScript('restore', [broken], await target());
      expect(cut).toMatchObject({ code: 1, text: expect.stringContaining('beschädigt oder unvollständig') });
      expect(await keysIn('kaputt')).toEqual([]);
    });

    it("with other storage settings than the program's the backup is refused", whole, async () => {
      const { DATABASE_URL: url = '' } = settings;
      const file = join(root, 'other.tar');
      for (const own of [{ DATABASE_URL: url }, { ...storeAt('anders'), DATABASE_URL: url }]) {
        const refused = await runScript('backup', [file], environment('A', own));
        expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(/liegen in s3:.*KONTOR_STORE/s) });
      }
    });

    it(
      'a lost or changed object aborts the backup and is named; a lost one can be skipped and is reported',
      whole,
      async () => {
        const { path, object } = await database.system((trx) =>
          trx
            .selectFrom('stored_files')
            .select(['path', 'object'])
            .where('path', 'like', '%.csv')
            .executeTakeFirstOrThrow(),
        );
        const objects = objectsIn('kontor');
        await objects.delete(object);
        const file = join(root, 'lost.tar');
        const refused = await runScript('backup', [file], source());
        expect(refused.code).toBe(1);
        expect(refused.text).toContain(`${path} fehlt im Dateispeicher`);
        const left = await runScript('backup', [file, '--skip-lost'], source());
        expect(left).toMatchObject({ code: 0, text: expect.stringContaining('Verloren:   1 Datei,') });
        expect((await manifestOf(file)).missing).toEqual([{ path, why: 'lost' }]);
        const checked = await runScript('restore', [file, '--verify'], source());
        expect(checked).toMatchObject({ code: 0, text: expect.stringContaining(path) });
        const wrong = Buffer.from('andere Bytes');
        await objects.putStream(
          object,
          (async function* () {
            yield wrong;
          })(),
        );
        const changed = await runScript('backup', [join(root, 'changed.tar')], source());
        expect(changed).toMatchObject({ code: 1, text: expect.stringContaining(`(${path}, Prüfsumme)`) });
        expect(await readdir(root)).not.toContain('changed.tar');
      },
    );

    it(
      'the bucket keeps objects of pruned rows during a backup; permanently deleted ones are removed and reported',
      whole,
      async () => {
        const folder = join(root, 'nightly', 'items');
        const stage = await bucketStage(accessTo(server, bucket), { database, folder });
        onTestFinished(() => stage.close());
        const at = (path: string) => join(folder, path);
        for (const path of ['C7/E1/runs/1.csv', 'C7/E2/runs/1.csv', 'C7/E3/runs/1.csv']) {
          await mkdir(dirname(at(path)), { recursive: true });
          await writeFile(at(`${path}.tmp`), randomBytes(100));
          await stage.store.keep(at(`${path}.tmp`), at(path));
        }
        const held = bucketSource(database, stage.bucket);
        const night = () => stage.store.tidy('C7', new Date(Date.now() + 60_000));
        const objects = () => keysIn('kontor').then((keys) => keys.filter((key) => key.startsWith('C7/')).length);
        await withRemovalsHeld(database, 'test', async () => {
          const files = (await database.system((trx) => held.hold(trx))).filter(({ path }) => path.startsWith('C7/'));
          const [pruned, purged, lost] = files as [HeldFile, HeldFile, HeldFile];
          await stage.store.remove([at(pruned.path)]);
          await stage.store.removeBelow(at('C7/E2'));
          expect((await night()).removed).toBe(0);
          expect(await held.open(pruned)).toMatchObject({ bytes: 100 });
          expect(await held.open(purged)).toEqual({ why: 'deleted' });
          await stage.bucket.delete(lost.stored?.object ?? '');
          expect(await held.open(lost)).toEqual({ why: 'lost' });
        });
        expect([await objects(), (await night()).removed, await objects()]).toEqual([1, 1, 0]);
      },
    );
  },
);
