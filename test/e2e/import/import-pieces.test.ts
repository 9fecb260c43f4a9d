import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { hasObjectStore, objectStore } from '../../servers/object-store.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { makeBucket } from '../../stages/bucket-stage.ts';
import { type Client, clientOf } from '../../stages/client.ts';
import { begin, breakOff, csvOf, sendPiece, sendRest } from '../../stages/feed/pieces.ts';
import { kill, type Program, startProgram } from '../../stages/program.ts';

const MB = 1024 ** 2;
const file = csvOf(2.5 * MB);
const items = file.toString().split('\n').length - 2;

type Stage = {
  /** Two programs on one database, or the same one twice. */
  client: Client;
  other: Client;
  url: () => string;
  /** Kills all with -9, and starts again. */
  restart: () => Promise<void>;
};

/** Tests that must pass wherever files are stored. */
function contract(stage: () => Stage): void {
  const newMaster = async () => (await stage().client.ask(api.createMaster, {}, { name: 'Katalog' })).masterid;
  const stateOf = (uploadid: string) => stage().client.ask(api.importUpload, { uploadid });

  it('a file sent in chunks to any process is imported like a single upload', async () => {
    const { client, other } = stage();
    const masterid = await newMaster();
    const upload = await begin(client, masterid, file, { options: { key: 'sku' }, modified: 1_700_000_000_000 });
    expect(upload).toMatchObject({ received: 0, first: null, size: file.length, modified: 1_700_000_000_000 });
    expect(await sendPiece(client, upload.id, file.slice(0, MB), 0)).toMatchObject({ status: 200, received: MB });
    expect(await sendPiece(other, upload.id, file.slice(MB, 2 * MB), MB)).toMatchObject({ status: 200 });
    expect(await other.ask(api.importUploads, { masterid })).toMatchObject([
      { id: upload.id, received: 2 * MB, first: { bytes: MB }, options: { key: 'sku' }, runid: null },
    ]);
    await sendRest(client, upload.id, file);
    const { runid } = await other.ask(api.finishImportUpload, { uploadid: upload.id });
    expect(await client.ended(runid)).toMatchObject({ state: 'done', rowsIn: items, accepted: items });
    expect((await client.ask(api.master, { masterid })).key).toBe('sku');
    expect(await client.ask(api.importUploads, { masterid })).toEqual([]);
  });

  it('after a broken connection or a kill the upload continues after the last acknowledged chunk', async () => {
    const { client, restart, url } = stage();
    const masterid = await newMaster();
    const { id } = await begin(client, masterid, file);
    const piece = file.slice(0, MB);
    await breakOff(url(), id, { piece, start: 0, sent: MB / 2 });
    expect((await stateOf(id)).received).toBe(0);
    expect((await sendPiece(client, id, piece, 0)).status).toBe(200);
    await breakOff(url(), id, { piece: file.slice(MB, 2 * MB), start: MB, sent: MB / 2 }, restart);
    expect((await stateOf(id)).received).toBe(MB);
    await sendRest(client, id, file);
    await restart();
    const { runid } = await client.ask(api.finishImportUpload, { uploadid: id });
    expect(await client.ended(runid)).toMatchObject({ state: 'done', accepted: items });
  });

  it('a chunk with a wrong checksum, offset or size is refused and changes nothing', async () => {
    const { client } = stage();
    const { id } = await begin(client, await newMaster(), file);
    const piece = file.slice(0, MB);
    const refused = async (sent: ReturnType<typeof sendPiece>) => {
      const { status, code, offset } = await sent;
      return [status, code, ...(Number.isNaN(offset) ? [] : [offset])];
    };
    expect(await refused(sendPiece(client, id, piece, 0, 'a'.repeat(64)))).toEqual([422, 'wrong_checksum']);
    expect(await refused(sendPiece(client, id, piece, MB))).toEqual([409, 'offset_conflict', 0]);
    expect((await stateOf(id)).received).toBe(0);
    expect((await sendPiece(client, id, piece, 0)).status).toBe(200);
    expect(await refused(sendPiece(client, id, piece, 0))).toEqual([409, 'offset_conflict', MB]);
    expect(await refused(sendPiece(client, id, file.slice(MB, 1.5 * MB), MB))).toEqual([422, 'piece_too_small']);
    expect(await refused(sendPiece(client, id, file.slice(0, 1.9 * MB), MB))).toEqual([413, 'piece_too_large']);
    expect(await refused(sendPiece(client, id, Buffer.alloc(8 * MB + 1), MB))).toEqual([413, 'piece_too_large']);
    const early = await client.raw(`/api/uploads/${id}/finish`, { method: 'POST' });
    expect([early.status, early.headers.get('upload-offset')]).toEqual([409, String(MB)]);
    expect((await stateOf(id)).received).toBe(MB);
  });

  it('of two requests with the same chunk one is accepted, the other gets the next offset', async () => {
    const { client, other } = stage();
    const masterid = await newMaster();
    const { id } = await begin(client, masterid, file);
    const piece = file.slice(0, MB);
    const both = await Promise.all([client, other].map((one) => sendPiece(one, id, piece, 0)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.offset).toBe(MB);
    await Promise.all([client, other].map((one) => sendRest(one, id, file)));
    const { runid } = await client.ask(api.finishImportUpload, { uploadid: id });
    expect(await client.ended(runid)).toMatchObject({ state: 'done', accepted: items });
  });

  it('finishing an upload twice or concurrently starts one import', async () => {
    const { client, other } = stage();
    const masterid = await newMaster();
    const { id: uploadid } = await begin(client, masterid, file);
    await sendRest(client, uploadid, file);
    const runs = await Promise.all([client, other, client].map((one) => one.ask(api.finishImportUpload, { uploadid })));
    await client.ended(runs[0]?.runid ?? '');
    runs.push(await client.ask(api.finishImportUpload, { uploadid }));
    expect(new Set(runs.map(({ runid }) => runid)).size).toBe(1);
    expect(await client.ask(api.masterRuns, { masterid })).toHaveLength(1);
    const late = await client.raw(`/api/uploads/${uploadid}`, { method: 'DELETE' });
    expect(late.status).toBe(409);
  });

  it('a discarded upload is gone, and further chunks get 404', async () => {
    const { client } = stage();
    const { id: uploadid } = await begin(client, await newMaster(), file);
    expect((await sendPiece(client, uploadid, file.slice(0, MB), 0)).status).toBe(200);
    await client.ask(api.discardImportUpload, { uploadid });
    expect((await sendPiece(client, uploadid, file.slice(MB, 2 * MB), MB)).status).toBe(404);
  });
}

describe('an upload in chunks, stored in a folder', () => {
  let folder: string;
  let program: Program;
  const client = clientOf(() => program.url);
  const start = () => startProgram(folder, { NODE_ENV: 'test', KONTOR_IMPORT_GB: '1' });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-pieces-'));
    program = await start();
  });
  afterAll(async () => {
    await kill(program);
    await rm(folder, { recursive: true, force: true });
  });
  contract(() => ({
    client,
    other: client,
    url: () => program.url,
    restart: async () => {
      await kill(program);
      program = await start();
    },
  }));

  it('leaves no file behind after a refused chunk, an import and a discarded upload', async () => {
    const names = await readdir(join(folder, 'items'), { recursive: true });
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const { id: uploadid } = await begin(client, masterid, file);
    await sendPiece(client, uploadid, file.slice(0, MB), 0, 'a'.repeat(64));
    await sendPiece(client, uploadid, file.slice(0, MB), 0);
    const left = async () =>
      (await readdir(join(folder, 'items'), { recursive: true })).filter(
        (name) => !names.includes(name) && /incoming\/|joined/.test(name),
      );
    expect(await left()).toHaveLength(1);
    await sendRest(client, uploadid, file);
    expect(await left()).toHaveLength(3);
    const { runid } = await client.ask(api.finishImportUpload, { uploadid });
    await client.ended(runid);
    await expect.poll(left).toEqual([]);
    const { id: unwanted } = await begin(client, masterid, file);
    await sendPiece(client, unwanted, file.slice(0, MB), 0);
    expect(await left()).toHaveLength(1);
    await client.ask(api.discardImportUpload, { uploadid: unwanted });
    await expect.poll(left).toEqual([]);
  });

  it('a file larger than the limit is refused before its first byte', async () => {
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'a.csv', size: 1024 ** 3 + 1 });
    const answer = await client.raw(`/api/masters/${masterid}/uploads`, { method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('größer als 1 GB')]);
  });

  it('a company can have at most ten unfinished uploads', async () => {
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const begun: string[] = [];
    for (let n = 0; n < 12; n++)
      await begin(client, masterid, file).then(
        ({ id }) => begun.push(id),
        (error: unknown) => expect(String(error)).toContain('too_many_unfinished'),
      );
    const all = await client.ask(api.importUploads, { masterid });
    expect(all.map(({ id }) => id).toSorted()).toEqual(begun.toSorted());
    expect(begun.length).toBeLessThanOrEqual(10);
    for (const uploadid of begun) await client.ask(api.discardImportUpload, { uploadid });
    await client.ask(api.discardImportUpload, { uploadid: (await begin(client, masterid, file)).id });
  });
});

describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  'an upload in chunks, stored in a bucket, sent to two processes (needs PostgreSQL and radosgw)',
  () => {
    let root: string;
    const programs: Program[] = [];
    let settings: Record<string, string>;
    const start = async () => {
      programs[0] = await startProgram(join(root, 'A'), settings);
      programs[1] = await startProgram(join(root, 'B'), { ...settings, KONTOR_ROLE: 'web' });
    };
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'kontor-pieces-'));
      const { endpoint, accessKey, secretKey } = await objectStore();
      settings = {
        KONTOR_STORE: `s3://${await makeBucket({ endpoint, accessKey, secretKey })}/kontor`,
        S3_ENDPOINT: endpoint,
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY: secretKey,
        DATABASE_URL: await createDatabase(
          process.env['KONTOR_TEST_POSTGRES'] ?? '',
          `pieces_${randomIds.id().toLowerCase()}`,
          postgresTemplate,
        ),
        KONTOR_SECRET: 'g'.repeat(40),
        NODE_ENV: 'test',
      };
      await start();
    }, 300_000);
    afterAll(async () => {
      await Promise.all(programs.map((one) => kill(one)));
      await rm(root, { recursive: true, force: true });
    });
    contract(() => ({
      client: clientOf(() => programs[0]?.url ?? ''),
      other: clientOf(() => programs[1]?.url ?? ''),
      url: () => programs[0]?.url ?? '',
      restart: async () => {
        await Promise.all(programs.map((one) => kill(one)));
        await start();
      },
    }));
  },
);
