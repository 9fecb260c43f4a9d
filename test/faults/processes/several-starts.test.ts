import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { pg } from '#platform/db/pg.ts';
import { oneStartAtATime } from '#platform/db/start-lock.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from '../../servers/postgres.ts';
import { token } from '../../stages/kontor.ts';
import { kill, startProgram, type Program } from '../../stages/program.ts';

const programs = postgresPrograms();
const secret = 'ein-geheimnis-aus-der-umgebung-0123456789';
type Round = { readonly roles: readonly string[]; readonly folders: 'one' | 'own'; readonly secret: 'kept' | 'set' };
/**
 * Every round begins with an empty database. It sets who shares a folder (all share that of files), the origin of the secret, and
 * the roles of the processes.
 */
const rounds: readonly Round[] = [
  { roles: ['all', 'all', 'all'], folders: 'one', secret: 'kept' },
  { roles: ['web', 'worker', 'worker'], folders: 'one', secret: 'kept' },
  { roles: ['all', 'all', 'all'], folders: 'own', secret: 'set' },
  { roles: ['web', 'web', 'worker'], folders: 'own', secret: 'set' },
  { roles: ['worker', 'web', 'all'], folders: 'one', secret: 'set' },
];

/** Returns counts of what an installation must have once, however many processes set it up. */
async function installed(url: string): Promise<Record<string, number>> {
  const database = openServer(url, () => {});
  const { kysely } = database;
  const count = async (rows: Promise<readonly unknown[]>) => (await rows).length;
  const once = {
    companies: await count(kysely.selectFrom('organization').select('id').execute()),
    users: await count(kysely.selectFrom('user').select('id').execute()),
    members: await count(kysely.selectFrom('member').select('id').execute()),
    keys: await count(kysely.selectFrom('installation_keys').select('mark').execute()),
    migrations: await count(kysely.selectFrom('migrations').select('number').execute()),
    tokens: await count(database.system((trx) => trx.selectFrom('api_tokens').select('id').execute())),
    catalogues: await count(database.system((trx) => trx.selectFrom('masters').select('id').execute())),
  };
  await database.close();
  return once;
}

describe.skipIf(programs === undefined)(
  'three processes that start at once on an empty database (needs PostgreSQL)',
  () => {
    let postgres: TestPostgres;
    let migrations: number;
    beforeAll(async () => {
      postgres = await startPostgres(programs ?? '');
      migrations = (await readdir('migrations')).length;
    });
    afterAll(() => postgres.stop());

    it.each(
      rounds.map((round, n) => ({
        n: n + 1,
        name: `${round.roles.join(', ')}, ${round.folders} folder, secret ${round.secret}`,
        round,
      })),
    )('set it up once and all serve: round $n, $name', async ({ round }) => {
      const folder = await mkdtemp(join(tmpdir(), 'kontor-starts-'));
      const url = await createDatabase(postgres.url, `starts_${randomIds.id().toLowerCase()}`);
      const settings = {
        DATABASE_URL: url,
        KONTOR_DEMO: '1',
        ...(round.secret === 'set' ? { KONTOR_SECRET: secret } : {}),
      };
      const data = await Promise.all(
        round.roles.map(async (_, n) => {
          if (round.folders === 'one') return folder;
          await mkdir(join(folder, 'items'), { recursive: true });
          await mkdir(join(folder, String(n)));
          await symlink(join(folder, 'items'), join(folder, String(n), 'items'));
          return join(folder, String(n));
        }),
      );
      const starts = await Promise.allSettled(
        round.roles.map((role, n) => startProgram(data[n] ?? '', { ...settings, KONTOR_ROLE: role })),
      );
      const running = starts.filter((start): start is PromiseFulfilledResult<Program> => start.status === 'fulfilled');
      try {
        expect(starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []))).toEqual([]);
        for (const [n, { value }] of running.entries()) {
          const ready = await fetch(`${value.url}/readyz`);
          expect([ready.status, await ready.text()]).toEqual([200, '{"ok":true,"reasons":[]}']);
          if (round.roles[n] === 'worker') continue;
          const answer = await fetch(`${value.url}/api/masters`, { headers: { authorization: `Bearer ${token}` } });
          expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Nordkap Sortiment')]);
        }
        expect(await installed(url)).toEqual({
          companies: 1,
          users: 1,
          members: 1,
          keys: 1,
          tokens: 1,
          catalogues: 1,
          migrations,
        });
      } finally {
        await Promise.all(running.map(({ value }) => kill(value)));
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    });

    it('continue when the one that holds the start lock loses its connection', async () => {
      const url = await createDatabase(postgres.url, `starts_${randomIds.id().toLowerCase()}`);
      const [one, other] = [openServer(url, () => {}), openServer(url, () => {})];
      const log = makeLog('silent');
      const began = Promise.withResolvers<void>();
      const never = Promise.withResolvers<void>();
      const order: string[] = [];
      const first = oneStartAtATime(one, log, () => {
        began.resolve();
        return never.promise;
      }).catch(() => order.push('first failed'));
      await began.promise;
      const second = oneStartAtATime(other, log, async () => order.push('second'));
      await expect(Promise.race([second, wait(300)])).resolves.toBe(undefined);
      expect(order).toEqual([]);
      // Only of this database: other tests' programs on the same server hold such locks, too.
      const ended = await pg`select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())`.execute(other.kysely);
      expect(ended.rows).toHaveLength(1);
      await second;
      never.resolve();
      await first;
      expect(order).toEqual(['second', 'first failed']);
      await Promise.all([one.close(), other.close()]);
    });

    it('the second with another folder of files refuses to start, and says what to do', async () => {
      const root = await mkdtemp(join(tmpdir(), 'kontor-folders-'));
      const url = await createDatabase(postgres.url, `starts_${randomIds.id().toLowerCase()}`);
      const running: Program[] = [];
      const start = async (name: string, role: string) => {
        const settings = { DATABASE_URL: url, KONTOR_SECRET: secret, KONTOR_ROLE: role };
        const program = await startProgram(join(root, name), settings);
        running.push(program);
        return name;
      };
      try {
        const both = await Promise.allSettled([start('A', 'web'), start('B', 'worker')]);
        const [first] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
        const other = first === 'A' ? 'B' : 'A';
        expect(refused).toContain(`Der Ordner ${join(root, other, 'items')} ist nicht der, in dem die Dateien`);
        expect(refused).toMatch(/KONTOR_DATA.*KONTOR_STORE/s);
        // With the folder of the first process it may have any role, and start again.
        await start(first ?? '', 'worker');
        await Promise.all(running.splice(0).map((program) => kill(program)));
        await expect(start(other, 'all')).rejects.toThrow('ist nicht der, in dem die Dateien');
        await start(first ?? '', 'all');
        // A folder restored from a copy, without the file that identifies it.
        const id = await readFile(join(root, first ?? '', 'items/.folder-id'), 'utf8');
        expect(refused).toContain(`schreiben Sie ${id.trim()} in die Datei ${join(root, other, 'items/.folder-id')}`);
        await writeFile(join(root, other, 'items/.folder-id'), id);
        await start(other, 'web');
      } finally {
        await Promise.all(running.map((program) => kill(program)));
        await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    }, 300_000);

    it('start over after a first start interrupted between company and owner: one company', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'kontor-starts-'));
      const url = await createDatabase(postgres.url, `starts_${randomIds.id().toLowerCase()}`);
      const database = openServer(url, () => {});
      await migrate(database, 'migrations');
      await database.script(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refused before insert on "user" for each row execute function refuse();`);
      await expect(startProgram(folder, { DATABASE_URL: url })).rejects.toThrow('refused');
      await database.script('drop trigger refused on "user"');
      await database.close();
      await kill(await startProgram(folder, { DATABASE_URL: url }));
      expect(await installed(url)).toMatchObject({ companies: 1, users: 1, members: 1 });
      await rm(folder, { recursive: true, force: true });
    });
  },
);
