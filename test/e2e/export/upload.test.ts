import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveDocument } from '#platform/db/documents.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { minutesToNextTry } from '../../stages/next-try.ts';
import { namesIn, sftpServer, textOf, type SftpServer } from '../../servers/sftp-server.ts';
import { csv, uploadsOf } from '../../stages/export/uploads.ts';

describe('upload', () => {
  let kontor: TestKontor;
  let masterid: string;
  let server: SftpServer;
  /** Moves the clock a minute per test: ten checks are allowed per minute. */
  let minutes = 0;
  beforeEach(() => {
    minutes += 1;
  });
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(Date.now() + minutes * 60_000) } });
    masterid = await masterWith(kontor, csv, { key: 'sku' });
    server = await sftpServer();
  });
  afterAll(async () => {
    await kontor.close();
    await server.close();
  });

  const { newExport, settings, save, check, uploaded } = uploadsOf(() => ({ kontor, masterid, server }));
  const confirmed = async () => (await check(server.port)).fingerprint;

  it('FTP-03 a check shows the host key before any password is sent, and the folders once the key is confirmed', async () => {
    server.tried.length = 0;
    const first = await check(server.port);
    expect(first).toMatchObject({ success: false, protocol: null, directories: [] });
    expect(first.error).toContain('noch nicht bestätigt');
    expect(first.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/);
    expect(server.tried).toEqual([]);
    const second = await check(server.port, { fingerprint: first.fingerprint });
    expect(second).toEqual({
      success: true,
      directories: ['eingang'],
      error: '',
      protocol: 'sftp',
      fingerprint: first.fingerprint,
      field: null,
    });
    const wrong = await check(server.port, { fingerprint: first.fingerprint, password: 'falsch' });
    expect(wrong).toMatchObject({
      success: false,
      error: expect.stringContaining('lehnt die Anmeldung ab') as string,
      field: 'password',
    });
  });

  it('FTP-03 a missing or invalid host is reported at its field; the documented short answer is accepted too', async () => {
    expect(await check(22, { host: ' ' })).toMatchObject({ error: 'Bitte geben Sie „Host“ an.', field: 'host' });
    expect(await check(22, { host: 'sftp://kanal.de/x' })).toMatchObject({
      error: expect.stringContaining('ohne Protokoll') as string,
      field: 'host',
    });
    expect(api.checkUpload.response.parse({ success: true, directories: ['a'], error: '' })).toEqual({
      success: true,
      directories: ['a'],
      error: '',
      protocol: null,
      fingerprint: '',
      field: null,
    });
  });

  it('FTP-04 a finished export is uploaded completely under its name, without leftovers', async () => {
    const id = await newExport();
    await save(id, settings({ fingerprint: await confirmed() }));
    const { text } = await runExport(kontor, id);
    const { runs } = await kontor.ask(api.upload, { params: { id } });
    const [run] = runs;
    expect(await settled(kontor, run?.runid ?? '')).toMatchObject({
      kind: 'upload',
      state: 'done',
      message: expect.stringContaining('übertragen nach 127.0.0.1/eingang/datei.csv') as string,
    });
    expect(await textOf(join(server.folder, 'eingang', 'datei.csv'))).toBe(text);
    expect(await namesIn(join(server.folder, 'eingang'))).toEqual(['datei.csv']);
  });

  it('FTP-04 a connection cut midway keeps the old file, announces the retry, and leaves no temporary file', async () => {
    const id = await newExport();
    await save(id, settings({ fingerprint: await confirmed(), filename: 'geschnitten.csv' }));
    const { text } = await runExport(kontor, id);
    expect((await uploaded(id)).state).toBe('done');
    server.cutAfter = 40_000;
    const { runid } = await kontor.ask(api.uploadNow, { params: { id } });
    const nextTry = async () => minutesToNextTry((await kontor.ask(api.run, { params: { runid } })).message);
    await expect.poll(nextTry, { timeout: 30_000 }).toBeDefined();
    expect([0, 1]).toContain(await nextTry());
    server.cutAfter = undefined;
    expect((await kontor.ask(api.run, { params: { runid } })).state).toBe('queued');
    expect(await textOf(join(server.folder, 'eingang', 'geschnitten.csv'))).toBe(text);
    await kontor.ask(api.cancelRun, { params: { runid } });
    expect((await uploaded(id)).state).toBe('done');
    expect((await readdir(join(server.folder, 'eingang'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('FTP-04 a server that cannot rename over an existing file still gets the new file', async () => {
    const id = await newExport();
    server.plainRename = true;
    await save(id, settings({ fingerprint: await confirmed(), filename: 'alt.csv' }));
    const { text } = await runExport(kontor, id);
    expect((await uploaded(id)).state).toBe('done');
    expect((await uploaded(id)).state).toBe('done');
    server.plainRename = false;
    expect(await textOf(join(server.folder, 'eingang', 'alt.csv'))).toBe(text);
  });

  it.each([0, 1])(
    'FTP-04 a connection cut during the renaming is retried, and the file is complete afterwards (after %s renames)',
    async (after) => {
      const id = await newExport();
      const filename = `umbenannt-${after}.csv`;
      await save(id, settings({ fingerprint: await confirmed(), filename }));
      const { text } = await runExport(kontor, id);
      expect((await uploaded(id)).state).toBe('done');
      server.atRename = { how: 'cut', after };
      const { runid } = await kontor.ask(api.uploadNow, { params: { id } });
      await expect
        .poll(async () => (await kontor.ask(api.run, { params: { runid } })).message, { timeout: 30_000 })
        .toMatch(/brach ab.*Nächster Versuch: .*\.$/);
      if (after === 0) expect(await textOf(join(server.folder, 'eingang', filename))).toBe(text);
      server.atRename = undefined;
      await kontor.ask(api.cancelRun, { params: { runid } });
      expect((await uploaded(id)).state).toBe('done');
      expect(await textOf(join(server.folder, 'eingang', filename))).toBe(text);
      expect((await namesIn(join(server.folder, 'eingang'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('FTP-04 with another host key than the confirmed one nothing is sent, and the failure is shown', async () => {
    const other = await sftpServer();
    const id = await newExport();
    await runExport(kontor, id);
    const { fingerprint } = await check(other.port);
    await save(id, settings({ port: other.port, fingerprint }));
    other.changeKey();
    expect(await uploaded(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('mit einem anderen Schlüssel') as string,
    });
    expect(other.tried).toEqual([]);
    const failure = async () => (await kontor.ask(api.export, { params: { id } })).uploadFailure;
    expect(await failure()).toContain('mit einem anderen Schlüssel');
    await save(id, { active: 'false', host: '', port: '', user: '', pass: '', dir: '', filename: '' });
    expect(await failure()).toBeNull();
    await other.close();
  });

  it('T17 the stored password goes to no other server, port or user: not by a check, a save or an older state', async () => {
    const other = await sftpServer();
    const id = await newExport();
    const fingerprint = await confirmed();
    const elsewhere = { host: '127.0.0.1', port: other.port, user: 'kanal', password: '' };
    const there = (await check(other.port)).fingerprint;
    await save(id, settings({ port: other.port, fingerprint: there }));
    await save(id, settings({ pass: 'geheim', fingerprint }));
    await runExport(kontor, id);
    other.tried.length = 0;
    const post = async (path: string, body: object) => {
      const answer = await kontor.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { error } = (await answer.json()) as { error?: { message: string; fields?: { field: string }[] } };
      return { status: answer.status, message: error?.message ?? '', fields: error?.fields?.map(({ field }) => field) };
    };
    const again = (field: string) => ({
      status: 422,
      message: expect.stringContaining('neu ein') as string,
      fields: [field],
    });
    const asked = { ...elsewhere, username: 'kanal', id, fingerprint: there };
    expect(await post('/notify/check-ftps', asked)).toEqual(again('password'));
    expect(await post('/notify/check-ftps', { ...asked, port: server.port, host: 'localhost' })).toEqual(
      again('password'),
    );
    expect(await post('/notify/check-ftps', { ...asked, port: server.port, username: 'x' })).toEqual(again('password'));
    for (const more of [{ port: other.port, fingerprint: there }, { host: 'localhost' }, { user: 'x' }])
      expect(await post(pathOf(api.saveUpload, { id }), settings({ pass: '', ...more }))).toEqual(again('pass'));
    // A save with the transfer switched off needs no password, but switching it on with another server does.
    await save(id, { active: 'false', host: '', port: '', user: '', pass: '', dir: '', filename: '' });
    expect(await post(pathOf(api.saveUpload, { id }), settings({ pass: '', port: other.port }))).toEqual(again('pass'));
    // Restoring an older revision with another server does not restore its password.
    const { message } = await kontor.ask(api.restore, {
      params: { subject: 'upload', scope: `export:${id}` },
      body: { revision: 1 },
    });
    expect(message).toContain('Passwort');
    expect(await kontor.ask(api.upload, { params: { id } })).toMatchObject({ passSet: false });
    expect(await uploaded(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('neu ein') as string,
    });
    expect(other.tried).toEqual([]);
    // Unchanged settings need nothing to be entered again.
    await save(id, settings({ pass: '', fingerprint, dir: '/eingang' }));
    expect(await uploaded(id)).toMatchObject({ state: 'done' });
    expect(await kontor.ask(api.upload, { params: { id } })).toMatchObject({ passSet: true });
    await other.close();
  });

  it('FTP-02 switching off keeps the settings; the password is never shown, not even in the history', async () => {
    const id = await newExport();
    await save(id, settings({ pass: 'Kanarienvogel-7' }));
    await save(id, { active: 'false', host: '', port: '', user: '', pass: '', dir: '', filename: '' });
    const off = await kontor.ask(api.upload, { params: { id } });
    expect(off).toMatchObject({ passSet: true, settings: { active: false, host: '127.0.0.1', filename: 'datei.csv' } });
    const seen = JSON.stringify([
      off,
      await kontor.ask(api.revisions, { params: { subject: 'upload', scope: `export:${id}` } }),
      await kontor.ask(api.revision, { params: { subject: 'upload', scope: `export:${id}`, revision: '1' } }),
    ]);
    expect(seen).not.toContain('Kanarienvogel');
    const again = await kontor.raw(pathOf(api.uploadNow, { id }), { method: 'POST' });
    expect(again.status).toBe(409);
  });

  it('FTP-01 missing or unsafe values are refused in German: no host, a climbing path, a slash in the name', async () => {
    const id = await newExport();
    for (const [wrong, text] of [
      [{ host: '' }, 'Bitte geben Sie „Host“ an.'],
      [{ pass: '' }, 'Bitte geben Sie „Passwort“ an.'],
      [{ dir: ' ' }, 'Bitte geben Sie „Zielverzeichniss Server“ an'],
      [{ dir: '../fremd' }, 'kein „..“'],
      [{ filename: 'a/b.csv' }, 'Im Dateinamen erlaubt'],
      [{ host: 'sftp://kanal.de/x' }, 'ohne Protokoll'],
    ] as const) {
      const answer = await kontor.raw(pathOf(api.saveUpload, { id }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings(wrong)),
      });
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain(text);
    }
  });

  it('FTP-01 an upload stored without a folder keeps it; once it has one, it cannot lose it', async () => {
    const id = await newExport();
    const { pass: _, ...older } = settings({ dir: '' });
    const { id: company } = (await kontor.ask(api.session)).company;
    const place = { company, subject: 'upload', scope: `export:${id}` };
    // As older versions allowed it.
    await kontor.database.company(company, (trx) =>
      saveDocument(trx, place, {
        body: JSON.stringify({ ...older, fingerprint: '' }),
        author: 'Test',
        expected: undefined,
      }),
    );
    await save(id, settings({ dir: '', filename: 'neu.csv' }));
    await save(id, settings({ pass: '' }));
    const answer = await kontor.raw(pathOf(api.saveUpload, { id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings({ pass: '', dir: '' })),
    });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Zielverzeichniss Server')]);
  });

  // These wait for seconds by design, so they run concurrently.
});
