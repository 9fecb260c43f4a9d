import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pathOf } from '#shared/http/call.ts';
import { checkOrphans } from '#operations/pruning/orphans.ts';
import { prune } from '#operations/pruning/prune.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { api } from '#shared/http/api.ts';
import { clientOf } from '../../stages/client.ts';
import { settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { begin, breakOff, csvOf, sendPiece, sendRest } from '../../stages/feed/pieces.ts';

const MB = 1024 ** 2;
const HOUR = 60 * 60 * 1000;
const file = csvOf(1.5 * MB);

describe('unfinished uploads', () => {
  let kontor: TestKontor;
  let company: string;
  const client = clientOf(() => kontor.url);
  beforeAll(async () => {
    // Five megabytes.
    kontor = await testKontor({ KONTOR_QUOTA_GB: '0.005' });
    company = (await kontor.ask(api.session)).company.id;
  });
  afterAll(() => kontor.close());

  const newMaster = async () => (await kontor.ask(api.createMaster, { body: { name: 'Katalog' } })).masterid;
  const filesOf = async (masterid: string) =>
    readdir(join(kontor.dataFolder, 'items', company, masterid, 'incoming')).catch(() => []);
  /** Runs the nightly maintenance on them, this many hours from now. */
  const night = async (hours: number) => {
    const clock = { now: () => new Date(Date.now() + hours * HOUR) };
    const { database } = kontor;
    await prune({ database, clock }, company, new AbortController().signal);
    const storagePaths = storagePathsIn(join(kontor.dataFolder, 'items'));
    const quiet = { log: makeLog('silent'), addNotification: async () => undefined };
    await checkOrphans({ database, storagePaths, clock, ...quiet }, company);
  };

  it('are kept for a day after their last chunk, then deleted at night with their rows', async () => {
    const masterid = await newMaster();
    const { id: uploadid } = await begin(client, masterid, file);
    await sendPiece(client, uploadid, file.slice(0, MB), 0);
    await night(23);
    expect(await filesOf(masterid)).toHaveLength(1);
    expect(await kontor.ask(api.importUpload, { params: { uploadid } })).toMatchObject({ received: MB });
    await night(25);
    expect(await filesOf(masterid)).toEqual([]);
    expect((await kontor.raw(`/api/uploads/${uploadid}`)).status).toBe(404);
  });

  it('one with a waiting import is kept as long as it waits, and deleted once it was read', async () => {
    const masterid = await newMaster();
    const { id: uploadid } = await begin(client, masterid, file);
    await sendRest(client, uploadid, file);
    await kontor.ask(api.pauseJobs, { body: { paused: true } });
    const { runid } = await kontor.ask(api.finishImportUpload, { params: { uploadid } });
    await night(100);
    expect(await filesOf(masterid)).toHaveLength(2);
    await kontor.ask(api.pauseJobs, { body: { paused: false } });
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done' });
    await expect.poll(() => filesOf(masterid)).toEqual([]);
    await night(25);
    expect((await kontor.raw(`/api/uploads/${uploadid}`)).status).toBe(404);
  });

  it('a chunk whose bytes changed on disk fails the import', async () => {
    const masterid = await newMaster();
    const { id: uploadid } = await begin(client, masterid, file);
    await sendRest(client, uploadid, file);
    await kontor.ask(api.pauseJobs, { body: { paused: true } });
    const { runid } = await kontor.ask(api.finishImportUpload, { params: { uploadid } });
    const [name = ''] = await filesOf(masterid);
    const path = join(kontor.dataFolder, 'items', company, masterid, 'incoming', name);
    await writeFile(path, (await readFile(path, 'utf8')).replace('Ware', 'Wahr'));
    await kontor.ask(api.pauseJobs, { body: { paused: false } });
    expect(await settled(kontor, runid)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Prüfsumme') as string,
    });
    await expect.poll(() => filesOf(masterid)).toEqual([]);
  });

  it('count as storage of their company', async () => {
    const masterid = await newMaster();
    const large = csvOf(8 * MB);
    const { id: uploadid } = await begin(client, masterid, large);
    const space = async () => (await kontor.ask(api.quotas)).find(({ kind }) => kind === 'bytes')?.used ?? 0;
    const before = await space();
    let answer = { status: 200, code: '', received: 0 };
    for (let at = 0; answer.status === 200; at += MB) {
      answer = await sendPiece(client, uploadid, large.slice(at, at + MB), at);
      if (answer.status === 200) expect((await space()) - before).toBe(at + MB);
    }
    expect(answer).toMatchObject({ status: 409, code: 'quota_exceeded' });
    expect(await space()).toBeGreaterThan(5e6);
    await kontor.ask(api.discardImportUpload, { params: { uploadid } });
    expect(await filesOf(masterid)).toEqual([]);
  });

  it('need the right to start imports, and those of a user without the right to prices are reviewed', async () => {
    const masterid = await newMaster();
    const as = async (role: 'viewer' | 'editor') => {
      const { token } = await kontor.ask(api.createToken, { body: { name: role, role } });
      return clientOf(() => kontor.url, token);
    };
    const [reader, runner] = [await as('viewer'), await as('editor')];
    await expect(begin(reader, masterid, file)).rejects.toThrow('not_allowed');
    const { id: uploadid } = await begin(client, masterid, file);
    expect(await reader.ask(api.importUpload, { uploadid })).toMatchObject({ received: 0 });
    expect(await sendPiece(reader, uploadid, file.slice(0, MB), 0)).toMatchObject({ status: 403 });
    expect(await sendPiece(runner, uploadid, file.slice(0, MB), 0)).toMatchObject({ status: 200 });
    await sendRest(client, uploadid, file);
    const { runid } = await client.ask(api.finishImportUpload, { uploadid });
    const { payload } = await kontor.database.company(company, (trx) =>
      trx.selectFrom('jobs').select('payload').where('id', '=', runid).executeTakeFirstOrThrow(),
    );
    expect(JSON.parse(payload)).toMatchObject({ askReview: true });
    await settled(kontor, runid);
  });

  it('a company can send two chunks at a time', async () => {
    const masterid = await newMaster();
    const uploads = await Promise.all([0, 1, 2].map(() => begin(client, masterid, file)));
    const [one, two, three] = uploads.map(({ id }) => id);
    const half = { piece: file.slice(0, MB), start: 0, sent: MB / 2 };
    await breakOff(kontor.url, one ?? '', half, () =>
      breakOff(kontor.url, two ?? '', half, async () => {
        await expect.poll(() => filesOf(masterid)).toHaveLength(2);
        const third = await sendPiece(client, three ?? '', file.slice(0, MB), 0);
        expect(third).toMatchObject({ status: 429, code: 'too_many_uploads' });
      }),
    );
    await expect
      .poll(() => sendPiece(client, three ?? '', file.slice(0, MB), 0))
      .toMatchObject({ status: 200, received: MB });
    for (const { id: uploadid } of uploads) await client.ask(api.discardImportUpload, { uploadid });
  });

  it('of a trashed catalogue accept no more chunks', async () => {
    const masterid = await newMaster();
    const { id: uploadid } = await begin(client, masterid, file);
    await kontor.ask(api.trashMaster, { params: { masterid }, body: { name: 'Katalog' } });
    expect(await sendPiece(client, uploadid, file.slice(0, MB), 0)).toMatchObject({ status: 404 });
    expect((await kontor.raw(`/api/uploads/${uploadid}/finish`, { method: 'POST' })).status).toBe(404);
  });

  it('are limited to ten per company, counting only those that can be continued', async () => {
    const named = async (name: string) => (await kontor.ask(api.createMaster, { body: { name } })).masterid;
    const [north, south] = [await named('Nord'), await named('Süd')];
    const begun = (masterid: string) =>
      client.raw(pathOf(api.beginImportUpload, { masterid }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'artikel.csv', size: 3 }),
      });
    for (let made = 0; made < 10; made++) expect((await begun(made < 4 ? north : south)).status).toBe(200);
    const refused = await begun(north);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringMatching(/too_many_unfinished.*„Nord“/) as string,
    ]);
    // Uploads to a catalogue in the trash cannot be continued.
    await kontor.ask(api.trashMaster, { params: { masterid: north }, body: { name: 'Nord' } });
    for (let made = 0; made < 4; made++) expect((await begun(south)).status).toBe(200);
    expect((await begun(south)).status).toBe(409);
    // Those of the day before are deleted at night.
    await kontor.database.company(company, (trx) =>
      trx
        .updateTable('import_uploads')
        .set({ changed_at: new Date(Date.now() - 25 * HOUR) })
        .where((eb) => eb.and({ company, master: south }))
        .execute(),
    );
    expect((await begun(south)).status).toBe(200);
  });

  it('the nightly cleanup removes nothing of an upload that is finished during the cleanup', async () => {
    const masterid = await newMaster();
    const { id: uploadid } = await begin(client, masterid, file);
    await sendRest(client, uploadid, file);
    const pieces = await filesOf(masterid);
    expect(pieces).toHaveLength(2);
    await kontor.ask(api.pauseJobs, { body: { paused: true } });
    let finished = 0;
    /** Between the two queries for uploads and jobs, a user starts the import. */
    const between = (trx: Trx): KyselyPlugin => {
      const asked = new WeakSet<object>();
      return {
        transformQuery: ({ node, queryId }) => {
          if (/"(import_uploads|jobs)"/.test(JSON.stringify('from' in node ? node.from : ''))) asked.add(queryId);
          return node;
        },
        transformResult: async ({ result, queryId }) => {
          if (!asked.has(queryId) || finished++ > 0) return result;
          await trx
            .updateTable('import_uploads')
            .set({ runid: uploadid })
            .where((eb) => eb.and({ company, id: uploadid }))
            .execute();
          await trx
            .insertInto('jobs')
            .values({
              company,
              id: uploadid,
              kind: 'import',
              subject: `master:${masterid}`,
              state: 'queued',
              payload: '{}',
            })
            .execute();
          return result;
        },
      };
    };
    const { database } = kontor;
    const watched: Pick<Database, 'company'> = {
      company: (id, work) => database.company(id, (trx) => work(trx.withPlugin(between(trx)))),
    };
    const storagePaths = storagePathsIn(join(kontor.dataFolder, 'items'));
    const clock = { now: () => new Date(Date.now() + 2 * HOUR) };
    const quiet = { log: makeLog('silent'), addNotification: async () => undefined };
    await checkOrphans({ database: watched, storagePaths, clock, ...quiet }, company);
    expect(finished).toBe(2);
    expect(await filesOf(masterid)).toEqual(pieces);
    await kontor.ask(api.cancelJob, { params: { company, id: uploadid } });
    await kontor.ask(api.pauseJobs, { body: { paused: false } });
  });
});
