import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { uploadJob } from '#feed/delivery/upload-job.ts';
import { deliver } from './deliver.ts';
import { lineCut, type Remote } from './remote.ts';

/** A server whose folder is a local folder; `cutAfter`: the connection breaks after this number of bytes of a file. */
const remoteIn = (
  folder: string,
  { cutAfter, silent = false }: { cutAfter?: number; silent?: boolean } = {},
): Remote => {
  const at = (path: string) => join(folder, path);
  return {
    protocol: 'sftp',
    folders: async () => [],
    names: async () => readdirSync(at('eingang')),
    put: async (file, path) => {
      if (cutAfter === undefined) return copyFileSync(file, at(path));
      writeFileSync(at(path), readFileSync(file).subarray(0, cutAfter));
      if (!silent) throw new Error('the connection broke');
    },
    size: async (path) => (existsSync(at(path)) ? statSync(at(path)).size : undefined),
    replace: async (from, to) => renameSync(at(from), at(to)),
    remove: async (path) => rmSync(at(path)),
    close: () => undefined,
  };
};

describe('the upload of a file to a channel', () => {
  const home = mkdtempSync(join(tmpdir(), 'kontor-deliver-'));
  const [file, folder] = [join(home, 'neu.csv'), mkdtempSync(join(home, 'kanal-'))];
  const seen = () => readFileSync(join(folder, 'eingang', 'datei.csv'), 'utf8');
  const sent = (remote: Remote, mark: string) =>
    deliver(remote, { file, bytes: 9, folder: 'eingang', name: 'datei.csv', mark });
  writeFileSync(file, 'neu;neu;n');
  beforeEach(() => {
    rmSync(folder, { recursive: true });
    mkdirSync(join(folder, 'eingang'), { recursive: true });
    writeFileSync(join(folder, 'eingang', 'datei.csv'), 'alt;alt');
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('a file for the root of the server is put there, not into the folder of the sign-in', async () => {
    const put: string[] = [];
    const root: Remote = {
      ...remoteIn(folder),
      names: async () => [],
      put: async (_file, path) => void put.push(path),
      size: async () => 9,
      replace: async (from, to) => void put.push(from, to),
    };
    await deliver(root, { file, bytes: 9, folder: '/', name: 'datei.csv', mark: 'j1' });
    expect(put).toEqual(['/.datei.csv.j1.tmp', '/.datei.csv.j1.tmp', '/datei.csv']);
  });

  it('an error in reading our own file is not told as one of the server', async () => {
    const missing = { file: join(home, 'fehlt.csv'), bytes: 9, folder: 'eingang', name: 'datei.csv', mark: 'j1' };
    const overTls: Remote = {
      ...remoteIn(folder),
      put: (path) => Promise.reject(lineCut(Object.assign(new Error(path), { code: 'EIO', syscall: 'read' }))),
    };
    for (const remote of [remoteIn(folder), overTls])
      await expect(deliver(remote, missing)).rejects.toMatchObject({
        code: 'local',
        message: expect.stringContaining('seine eigene Datei nicht lesen'),
      });
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    const broken: Remote = { ...remoteIn(folder), put: () => Promise.reject(lineCut(reset)) };
    await expect(deliver(broken, missing)).rejects.toMatchObject({ code: 'cut' });
    expect(seen()).toBe('alt;alt');
  });

  it('F4 keeps the old file complete when the server fails midway or silently stores only a part', async () => {
    await expect(sent(remoteIn(folder, { cutAfter: 4 }), 'j1')).rejects.toMatchObject({ code: 'refused' });
    expect(seen()).toBe('alt;alt');
    await expect(sent(remoteIn(folder, { cutAfter: 4, silent: true }), 'j2')).rejects.toMatchObject({ code: 'cut' });
    expect(seen()).toBe('alt;alt');
  });

  it('F3 removes the temporary files that a killed attempt left for this file, and no others', async () => {
    for (const name of ['.datei.csv.j1.tmp', '.andere.csv.j1.tmp', 'datei.csv.tmp'])
      writeFileSync(join(folder, 'eingang', name), 'halb');
    // Belongs to another export, whose file name begins with this one's.
    writeFileSync(join(folder, 'eingang', '.datei.csv.gz.j3.tmp'), 'halb');
    await sent(remoteIn(folder), 'j2');
    expect(seen()).toBe('neu;neu;n');
    expect(readdirSync(join(folder, 'eingang')).toSorted()).toEqual([
      '.andere.csv.j1.tmp',
      '.datei.csv.gz.j3.tmp',
      'datei.csv',
      'datei.csv.tmp',
    ]);
  });

  const put = (name: string, content: string) => writeFileSync(join(folder, 'eingang', name), content);
  it('F3 first restores the old file that a killed attempt had set aside', async () => {
    rmSync(join(folder, 'eingang', 'datei.csv'));
    put('.datei.csv.j1-alt.tmp', 'alt;alt');
    put('.datei.csv.j1.tmp', 'neu;neu;n');
    await expect(sent(remoteIn(folder, { cutAfter: 4 }), 'j1')).rejects.toMatchObject({ code: 'refused' });
    expect(seen()).toBe('alt;alt');
    await sent(remoteIn(folder), 'j1');
    expect(seen()).toBe('neu;neu;n');
    expect(readdirSync(join(folder, 'eingang'))).toEqual(['datei.csv']);
  });

  it('FTP-04 does not restore the old file once the new one had replaced it, even if the channel removed that one since', async () => {
    rmSync(join(folder, 'eingang', 'datei.csv'));
    put('.datei.csv.j1-alt.tmp', 'alt;alt');
    await expect(sent(remoteIn(folder, { cutAfter: 4 }), 'j2')).rejects.toMatchObject({ code: 'refused' });
    expect(readdirSync(join(folder, 'eingang'))).toEqual(['.datei.csv.j2.tmp']);
  });

  it('FTP-04 names the file of an earlier attempt that the server does not let it remove', async () => {
    put('.datei.csv.j1.tmp', 'halb');
    const refusing: Remote = { ...remoteIn(folder), remove: () => Promise.reject(new Error('550 denied')) };
    await expect(sent(refusing, 'j2')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('„.datei.csv.j1.tmp“') as string,
    });
    expect(seen()).toBe('alt;alt');
  });

  it('FTP-04 distinguishes a server that hides uploaded files from a truncated upload, and does not retry', async () => {
    const hiding: Remote = { ...remoteIn(folder), size: async () => undefined };
    const failure: unknown = await sent(hiding, 'j1').catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('zeigt sie aber nicht') as string });
    // Thirty attempts would all fail like the first, and each would leave a hidden partial file.
    expect(uploadJob.retry?.failureOf(failure, { owner: 'E' })).toMatchObject({ mayPass: false });
    expect(seen()).toBe('alt;alt');
  });

  it('FTP-04 reports a connection lost while listing the folder as such, not as a missing folder', async () => {
    const namesWith = (error: Error): Remote => ({
      ...remoteIn(folder),
      names: async () => {
        throw error;
      },
    });
    await expect(sent(namesWith(lineCut()), 'j1')).rejects.toMatchObject({
      code: 'cut',
    });
    await expect(sent(namesWith(new Error('No such file')), 'j1')).rejects.toMatchObject({ code: 'folder' });
  });
});
