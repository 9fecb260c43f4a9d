import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openServer } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { createDatabase, postgresTemplate } from '../../servers/postgres.ts';
import { clientOf } from '../../stages/client.ts';
import { kill, startProgram, type Program } from '../../stages/program.ts';

const server = process.env['KONTOR_TEST_POSTGRES'];

/** SQL that records which worker takes a job of this kind; the job's own row loses that at its end. */
const noteTakers = `
  create table stock_takers (run text, worker text);
  create function note_taker() returns trigger language plpgsql security definer as $$
    begin insert into stock_takers values (new.id, new.worker); return new; end $$;
  create trigger stock_taken after update on jobs for each row
    when (new.kind = 'stock' and new.worker is distinct from old.worker and new.worker is not null) execute function note_taker();`;

it.skipIf(server === undefined)(
  'two workers share the stock and price files: each is written once and correctly (needs PostgreSQL)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-stock-workers-'));
    const databaseUrl = await createDatabase(server ?? '', `kontor_${randomIds.id().toLowerCase()}`, postgresTemplate);
    const database = openServer(databaseUrl, () => {});
    const programs: Program[] = [];
    onTestFinished(async () => {
      await Promise.all(programs.map((program) => kill(program)));
      await database.close();
      await rm(folder, { recursive: true, force: true });
    });
    await database.script(noteTakers);
    const start = async (role: string) => {
      const program = await startProgram(folder, { DATABASE_URL: databaseUrl, KONTOR_ROLE: role });
      programs.push(program);
      return program;
    };
    const web = await start('web');
    const first = await start('worker');
    const { ask, upload, ended, raw } = clientOf(() => web.url);
    const files = async () =>
      (await readdir(folder, { recursive: true }))
        .map((path) => path.split('/').pop() ?? '')
        .filter((name) => /^\d+\.stock-\w+\.csv$/.test(name))
        .toSorted();
    const takers = async () =>
      (await pg<{ run: string; worker: string }>`select run, worker from stock_takers`.execute(database.kysely)).rows;

    const { masterid } = await ask(api.createMaster, {}, { name: 'Katalog' });
    await ended(await upload(masterid, 'sku;titel;preis;bestand\nA-1;Hammer;9,90;0\nA-2;Säge;7,00;0\n'));
    const { id } = await ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
    await ended((await ask(api.runExport, { id })).runid);
    const runs: string[] = [];
    // A worker must know the previous file of another one: first one worker alone, then both, then the second alone.
    for (let round = 1; round <= 6; round++) {
      if (round === 3) await start('worker');
      if (round === 5) await kill(first);
      await ended(await upload(masterid, `sku;titel;preis;bestand\nA-1;Hammer;9,90;${round}\nA-2;Säge;7,00;5\n`));
      const { runid } = await ask(api.runStock, { id });
      expect(await ended(runid)).toMatchObject({ state: 'done', accepted: 2 });
      runs.push(runid);
      await expect.poll(files).toEqual(
        runs
          .slice(-2)
          .map((run) => `1.stock-${run}.csv`)
          .toSorted(),
      );
      const { feeds } = await ask(api.export, { id });
      const feed = await raw(feeds.find(({ name }) => name === 'quantityprice')?.path ?? '');
      expect(await feed.text()).toBe(`sku;preis;bestand\r\nA-1;9,90;${round}\r\nA-2;7,00;5\r\n`);
    }
    const taken = await takers();
    expect(taken.map(({ run }) => run).toSorted()).toEqual(runs.toSorted());
    expect(new Set(taken.map(({ worker }) => worker)).size).toBe(2);
  },
  180_000,
);
