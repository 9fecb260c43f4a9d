import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { removeExpired } from '#operations/backup/target-file.ts';
import { randomIds } from '#platform/ids.ts';
import { createDatabase } from '../../servers/postgres.ts';
import { sftpServer, type SftpServer } from '../../servers/sftp-server.ts';
import {
  admin,
  importFile,
  masterWith,
  runExport,
  settled,
  testDatabaseUrl,
  testKontor,
  type TestKontor,
} from '../../stages/kontor.ts';
import { runScript, startScript } from '../../stages/scripts.ts';

const csv = (from: number, to: number) =>
  `sku;titel;preis\n${Array.from({ length: to - from }, (_, n) => `A-${from + n};Ware „${from + n}“ \\ \t;1${n % 10},50\n`).join('')}`;
const onServer = process.env['KONTOR_TEST_DATABASE'] === 'postgres';

describe('backup and restore', () => {
  let kontor: TestKontor;
  let folder: string;
  let url: string | undefined;
  let channel: SftpServer;
  let masterid: string;
  let exportid: string;
  let backup: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-backup-'));
    url = await testDatabaseUrl();
    channel = await sftpServer();
    kontor = await testKontor(
      {},
      { dataFolder: join(folder, 'data'), ...(url === undefined ? {} : { databaseUrl: url }) },
    );
    masterid = await masterWith(kontor, csv(0, 2000), { key: 'sku' });
    exportid = (
      await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal', format: { kind: 'csv' } } })
    ).id;
    await runExport(kontor, exportid);
    const server = { host: '127.0.0.1', port: channel.port, username: 'kanal', password: 'geheim' };
    const { fingerprint } = await kontor.ask(api.checkUpload, { body: server });
    await kontor.ask(api.saveUpload, {
      params: { id: exportid },
      body: {
        active: true,
        host: '127.0.0.1',
        port: channel.port,
        user: 'kanal',
        pass: 'geheim',
        dir: '/eingang',
        filename: 'datei.csv',
        ...(fingerprint === undefined ? {} : { fingerprint }),
      },
    });
  });
  afterAll(async () => {
    await kontor.close();
    await channel.close();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = (data: string, database?: string) => ({
    ...process.env,
    KONTOR_DATA: data,
    ...(database === undefined ? {} : { DATABASE_URL: database }),
  });
  const source = () => environment(join(folder, 'data'), url);
  const emptyDatabase = async () => {
    const server = process.env['KONTOR_TEST_POSTGRES'];
    return onServer && server !== undefined
      ? createDatabase(server, `kontor_${randomIds.id().toLowerCase()}`)
      : undefined;
  };

  it('the command backs up a running program while it is written to, and the check passes', async () => {
    const stop = new AbortController();
    const writing = (async () => {
      let saves = 0;
      while (!stop.signal.aborted) {
        await importFile(kontor, masterid, { name: 'b.csv', bytes: csv(0, 2000 + saves) }, { key: 'sku' });
        await runExport(kontor, exportid);
        saves++;
      }
      return saves;
    })();
    await mkdir(join(folder, 'backups'));
    const made = await runScript('backup', [join(folder, 'backups')], source());
    stop.abort();
    expect(await writing).toBeGreaterThan(0);
    expect(made).toMatchObject({ code: 0 });
    expect(made.text).toContain('Nicht enthalten ist das Geheimnis');
    const names = await readdir(join(folder, 'backups'));
    expect(names).toEqual([expect.stringMatching(/^kontor-.*Z\.tar$/)]);
    backup = join(folder, 'backups', names[0] ?? '');
    // Any tar program can list it.
    const listed = spawnSync('tar', ['-tf', backup], { encoding: 'utf8' });
    expect(listed.stdout).toContain('database/jobs.jsonl.gz');
    expect(listed.stdout).toContain('manifest.json');
    expect(listed.stdout).not.toContain('geheimnis');
    expect(listed.stdout).not.toContain('database/session');
    const secret = await readFile(join(folder, 'data', 'geheimnis'), 'utf8');
    expect((await readFile(backup)).includes(secret.trim())).toBe(false);
    const checked = await runScript('restore', [backup, '--verify'], source());
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.text).toContain('vollständig wiederherstellen');
    expect(checked.text).toContain('passt zu dieser Sicherung');
    expect((await kontor.ask(api.installation)).lastBackup).toMatchObject({ file: backup });
  });

  it('a restored system has every row and file, sends nothing until it is released, then works on', async () => {
    const target = join(folder, 'restored');
    const database = await emptyDatabase();
    const restored = await runScript(
      'restore',
      [backup, '--into', target],
      environment(join(folder, 'data'), database),
    );
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.text).toContain(`Geheimnis:  fehlt. Legen Sie es als ${join(target, 'geheimnis')} ab`);
    // A check restores into a folder that it removes: it does not ask for the secret there.
    const checked = await runScript('restore', [backup, '--verify'], environment(join(folder, 'elsewhere')));
    expect(checked.text).toContain(`Geheimnis:  nicht geprüft: ${join(folder, 'elsewhere', 'geheimnis')}`);
    await copyFile(join(folder, 'data', 'geheimnis'), join(target, 'geheimnis'));
    const again = await testKontor(
      {},
      { dataFolder: target, ...(database === undefined ? {} : { databaseUrl: database }) },
    );
    try {
      const signIn = await again.raw(pathOf(api.signIn), {
        method: 'POST',
        as: null,
        headers: { 'content-type': 'application/json', 'x-kontor': '1' },
        body: JSON.stringify(admin),
      });
      expect(signIn.status).toBe(200);
      const before = await kontor.ask(api.masters);
      expect((await again.ask(api.masters)).map(({ masterid }) => masterid)).toEqual(
        before.map(({ masterid }) => masterid),
      );
      const file = await again.raw(pathOf(api.exportFile, { id: exportid }));
      expect((await file.text()).split('\n').length).toBeGreaterThan(2000);
      expect((await importFile(again, masterid, { name: 'c.csv', bytes: csv(0, 2100) }, { key: 'sku' })).state).toBe(
        'done',
      );
      // Its password can be decrypted, because the secret is the same; but nothing is sent to the channel.
      const uploads = () => channel.received;
      const had = uploads();
      expect((await again.ask(api.installation)).hold).toMatchObject({ backupAt: expect.any(String) });
      const { runid } = await again.ask(api.uploadNow, { params: { id: exportid } });
      await wait(1500);
      expect((await again.ask(api.run, { params: { runid } })).state).toBe('queued');
      expect(uploads()).toBe(had);
      await again.ask(api.releaseOutgoing);
      expect((await again.ask(api.installation)).hold).toBeNull();
      expect((await settled(again, runid)).state).toBe('done');
      expect(uploads()).toBeGreaterThan(had);
    } finally {
      await again.close();
    }
  });

  it('a restore refuses a non-empty target and a damaged, cut or newer file; a backup overwrites nothing', async () => {
    const into = (file: string, target = 'fresh') =>
      runScript('restore', [file, '--into', join(folder, target)], environment(join(folder, 'data'), undefined));
    expect(await into(backup, 'data')).toMatchObject({ code: 1, text: expect.stringContaining('überschreibt nichts') });
    const bytes = await readFile(backup);
    const broken = join(folder, 'broken.tar');
    // Inside the entries, each after its header of 512 bytes: the padding after an entry is not verified.
    const inside = (entry: string) => bytes.indexOf(entry) + 512 + 5;
    for (const at of [inside('database/masters.jsonl.gz'), inside('files/'), inside('manifest.json')]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await writeFile(broken, changed);
      expect(await into(broken)).toMatchObject({ code: 1, text: expect.stringContaining('beschädigt') });
    }
    await writeFile(broken, bytes);
    await truncate(broken, bytes.length - 4096);
    expect(await into(broken)).toMatchObject({ code: 1, text: expect.stringContaining('endet zu früh') });
    const future = { number: 9999, name: '9999_future.sql', checksum: '' };
    await kontor.database.kysely.insertInto('migrations').values(future).execute();
    await rm(broken);
    expect(await runScript('backup', [broken], source())).toMatchObject({ code: 0 });
    await kontor.database.kysely.deleteFrom('migrations').where('number', '=', future.number).execute();
    expect(await into(broken)).toMatchObject({ code: 1, text: expect.stringContaining('neueren Fassung') });
    expect(existsSync(join(folder, 'fresh'))).toBe(false);
    expect(await runScript('backup', [backup], source())).toMatchObject({
      code: 1,
      text: expect.stringContaining('gibt es schon'),
    });
  });

  it('with a key the backup is encrypted and opens only with it; without one the command warns', async () => {
    const keyed = (key: string) => ({ ...source(), KONTOR_BACKUP_KEY: key });
    await mkdir(join(folder, 'sealed'));
    const made = await runScript('backup', [join(folder, 'sealed')], keyed('eine lange Passphrase'));
    expect(made).toMatchObject({ code: 0, text: expect.stringContaining('verschlüsselt mit KONTOR_BACKUP_KEY') });
    const [name = ''] = await readdir(join(folder, 'sealed'));
    expect(name).toMatch(/\.tar\.sealed$/);
    const file = join(folder, 'sealed', name);
    const verify = (environment: NodeJS.ProcessEnv) => runScript('restore', [file, '--verify'], environment);
    expect(await verify(keyed('eine lange Passphrase'))).toMatchObject({
      code: 0,
      text: expect.stringContaining(', verschlüsselt gesichert'),
    });
    expect(await verify(source())).toMatchObject({ code: 1, text: expect.stringContaining('KONTOR_BACKUP_KEY') });
    expect(await verify(keyed('eine andere Passphrase'))).toMatchObject({
      code: 1,
      text: expect.stringContaining('ein anderer'),
    });
    const plain = await runScript('backup', [join(folder, 'plain.tar')], source());
    expect(plain.text).toContain('NICHT VERSCHLÜSSELT');
  });

  it('a backup in an older format is refused with a hint how to restore it', async () => {
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    const tar = (...parameters: string[]) => spawnSync('tar', parameters, { encoding: 'utf8' }).stdout;
    tar('-xf', backup, '-C', unpacked);
    const manifest = join(unpacked, 'manifest.json');
    const text = (await readFile(manifest, 'utf8')).replace('"format":2', '"format":1');
    await writeFile(manifest, text);
    await writeFile(`${manifest}.sha256`, createHash('sha256').update(text).digest('hex'));
    const older = join(folder, 'older.tar');
    tar('--format=ustar', '-cf', older, '-C', unpacked, ...tar('-tf', backup).trim().split('\n'));
    const refused = await runScript('restore', [older, '--verify'], source());
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('ältere Form') });
  });

  it('the program refuses to start on an unfinished restore', async () => {
    const half = join(folder, 'half');
    await mkdir(half);
    await writeFile(join(half, 'restore-unfinished'), '');
    await expect(testKontor({}, { dataFolder: half })).rejects.toThrow(/nicht zu Ende kam/);
  });

  it('a killed backup leaves no broken file under its final name, and the next one works', async () => {
    await kontor.close();
    const file = join(folder, 'killed.tar');
    for (const ms of [300, 600, 900]) {
      const child = startScript('backup', [file], source());
      const gone = once(child, 'exit');
      await wait(ms);
      child.kill('SIGKILL');
      await gone;
      if (!existsSync(file)) continue;
      expect(await runScript('restore', [file, '--verify'], source())).toMatchObject({ code: 0 });
      await rm(file);
    }
    const next = await runScript('backup', [file], source());
    expect(next.code, next.text).toBe(0);
    expect(await runScript('restore', [file, '--verify'], source())).toMatchObject({ code: 0 });
    kontor = await testKontor(
      {},
      { dataFolder: join(folder, 'data'), ...(url === undefined ? {} : { databaseUrl: url }) },
    );
  });

  it('backups older than thirty days are deleted, newer ones and other files stay', async () => {
    const old = join(folder, 'old');
    await mkdir(old);
    const names = ['kontor-2026-01-01T000000Z.tar', 'kontor-2026-02-20T000000Z.tar', 'kontor-2026-01-31T235959Z.tar'];
    for (const name of [
      ...names,
      'kontor-2026-02-20T000000Z.tar.tmp',
      'kontor-2026-02-21T000000Z.tar.B1x.tmp',
      'fremd.tar',
    ])
      await writeFile(join(old, name), '');
    expect(await removeExpired(old, 30, new Date('2026-03-03T00:00:00Z'))).toEqual([
      'kontor-2026-01-01T000000Z.tar',
      'kontor-2026-01-31T235959Z.tar',
      'kontor-2026-02-20T000000Z.tar.tmp',
      'kontor-2026-02-21T000000Z.tar.B1x.tmp',
    ]);
    expect(await readdir(old)).toEqual(['fremd.tar', 'kontor-2026-02-20T000000Z.tar']);
  });
});
