import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { showTrash } from '#catalogue/trash.ts';
import { purgeTrash } from '#operations/trash/purge.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { folderStore } from '#platform/storage/folder-store.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { trashOf } from '../../stages/company/trash.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('deletion from the trash', () => {
  let kontor: TestKontor;
  let time = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_LOG: 'warn' }, { clock: { now: () => new Date(time) }, lookEveryMs: 40 });
  });
  afterAll(() => kontor.close());

  const { made, feedOf, post, trashMaster, restore, jobsOf, filesOf } = trashOf(() => kontor);
  /** Returns every row of the company that contains an id anywhere, by table. */
  const naming = async (ids: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    await kontor.database.system(async (trx) => {
      const { rows } = await pg<{ name: string }>`select c.relname as name from pg_class c join pg_attribute a
        on a.attrelid = c.oid and a.attname = 'company' where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        order by 1`.execute(trx);
      await showTrash(trx);
      for (const { name } of rows) {
        const hit = await pg`select 1 from ${pg.table(name)} t, unnest(${ids}::text[]) as one
          where position(one in t::text) > 0 limit 1`.execute(trx);
        if (hit.rows.length > 0) found.push(name);
      }
    });
    return found;
  };

  it('after thirty days no table or folder holds it, and a record has the numbers', async () => {
    const { masterid, id } = await made('Vergeht');
    const stays = await made('Bleibt da');
    await kontor.ask(api.createView, {
      body: { table: 'items', masterid, name: 'Geteilt', query: 'suche=x', shared: true },
    });
    await kontor.ask(api.saveExportSchedule, { params: { id }, body: { active: true, kind: 'interval', minutes: 15 } });
    const feed = await feedOf(id);
    expect((await trashMaster(masterid)).status).toBe(200);
    time += 29 * DAY;
    await expect.poll(() => jobsOf('kind', 'maintenance')).toContain('done');
    expect((await kontor.ask(api.trash)).entries.find((one) => one.id === masterid)).toMatchObject({ daysLeft: 1 });
    expect(existsSync(await filesOf(masterid))).toBe(true);
    time += 2 * DAY;
    await expect
      .poll(async () => (await kontor.ask(api.trash)).gone.filter(({ name }) => name === 'Testkatalog').length)
      .toBe(1);
    const [record] = (await kontor.ask(api.trash)).gone;
    expect(record).toMatchObject({ kind: 'catalogue', askedBy: expect.any(String) });
    expect(record?.rows).toBeGreaterThan(5);
    expect(record?.files).toBeGreaterThan(1);
    expect(record?.bytes).toBeGreaterThan(100);
    expect(await naming([masterid, id])).toEqual(['deletion_records', 'security_events']);
    expect(existsSync(await filesOf(masterid))).toBe(false);
    expect(existsSync(await filesOf(id))).toBe(false);
    expect((await fetch(kontor.url + feed)).status).toBe(404);
    expect((await restore(masterid)).status).toBe(404);
    expect((await kontor.ask(api.export, { params: { id: stays.id } })).settings.name).toBe('Bleibt da');
    expect(existsSync(await filesOf(stays.masterid))).toBe(true);
  });

  it('a permanent deletion with the typed name is immediate and deletes nothing else', async () => {
    // The clock is a month ahead of the files: a nightly run would take a new import's file for an old one.
    const nights = async () => (await jobsOf('kind', 'maintenance')).filter((state) => state !== 'done');
    await expect.poll(nights).toEqual([]);
    const { masterid, id } = await made('Sofort');
    const stays = await made('Bleibt liegen');
    const feed = await feedOf(id);
    const purge = (which: string, name = 'Testkatalog') => post(pathOf(api.purgeTrashed, { id: which }), { name });
    // Only for entries of the trash.
    expect((await purge(masterid)).status).toBe(404);
    expect((await trashMaster(masterid)).status).toBe(200);
    expect((await trashMaster(stays.masterid)).status).toBe(200);
    expect((await purge(masterid, 'Katalog')).status).toBe(422);
    expect(existsSync(await filesOf(masterid))).toBe(true);
    const before = (await kontor.ask(api.trash)).gone.length;
    const [answer, again] = await Promise.all([purge(masterid), purge(masterid)]);
    expect([answer.status, again.status].toSorted((one, other) => one - other)).toEqual([200, 404]);
    expect((await restore(masterid)).status).toBe(404);
    await expect.poll(async () => (await kontor.ask(api.trash)).gone.length).toBe(before + 1);
    const { entries, gone } = await kontor.ask(api.trash);
    expect(gone[0]).toMatchObject({ kind: 'catalogue', name: 'Testkatalog' });
    expect(gone[0]?.rows).toBeGreaterThan(5);
    await expect.poll(() => jobsOf('kind', 'purge')).toEqual(['done']);
    expect(await naming([masterid, id])).toEqual(['deletion_records', 'jobs', 'security_events']);
    expect(existsSync(await filesOf(masterid))).toBe(false);
    expect((await fetch(kontor.url + feed)).status).toBe(404);
    expect(entries.map((one) => one.id)).toContain(stays.masterid);
    expect((await restore(stays.masterid)).status).toBe(200);
  });

  it('an entry whose deletion fails keeps no other one from its deletion', async () => {
    const { masterid: goes } = await made('Geht');
    const { masterid: sticks } = await made('Bleibt hängen');
    const { company } = await kontor.ask(api.session);
    for (const one of [goes, sticks]) {
      // The newest is deleted first.
      time += 60_000;
      expect((await trashMaster(one)).status).toBe(200);
    }
    const store = {
      ...folderStore,
      removeBelow: async (folder: string) => {
        if (folder.endsWith(sticks)) throw new Error('disk is broken');
        await folderStore.removeBelow(folder);
      },
    };
    const storagePaths = storagePathsIn(join(kontor.dataFolder, 'items'), store);
    const clock = { now: () => new Date(time + 31 * DAY) };
    const logged: unknown[] = [];
    const log = { error: (entry: unknown) => void logged.push(entry) };
    const deps = { database: kontor.database, log, clock, ids: randomIds, storagePaths };
    await expect(purgeTrash(deps, company.id, new AbortController().signal)).rejects.toThrow('disk is broken');
    expect((await kontor.ask(api.trash)).entries.map(({ id }) => id)).toEqual([sticks]);
    expect(logged).toMatchObject([{ entry: sticks }]);
    expect((await naming([goes])).filter((table) => table !== 'security_events')).toEqual(['deletion_records']);
  });

  const onServer = process.env['KONTOR_TEST_DATABASE'] === 'postgres';
  it.skipIf(!onServer)(
    'the rows of a large catalogue may take longer to delete than other statements may',
    async () => {
      const { masterid } = await made('Groß');
      await kontor.database.system(async (trx) => {
        await pg`create or replace function hurry() returns trigger language plpgsql as $$ begin
        if current_setting('statement_timeout') <> '0' then raise 'this may be cut off'; end if; return old; end $$`.execute(
          trx,
        );
        await pg`create trigger hurry before delete on snapshots for each row execute function hurry()`.execute(trx);
      });
      try {
        expect((await trashMaster(masterid)).status).toBe(200);
        expect((await post(pathOf(api.purgeTrashed, { id: masterid }), { name: 'Testkatalog' })).status).toBe(200);
        await expect.poll(() => jobsOf('subject', `purge:${masterid}`), { timeout: 10_000 }).toEqual(['done']);
      } finally {
        await kontor.database.system((trx) => pg`drop trigger hurry on snapshots`.execute(trx));
      }
    },
  );
});
