import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { pg } from '#platform/db/pg.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { brokenSeal, extendHashChain, verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import { type Gateway, hasObjectStore, ownGateway } from '../servers/object-store.ts';
import { postgresPrograms } from '../servers/postgres.ts';
import type { ArchiveNight } from '../stages/repricer/archive-night.ts';
import { accessTo, bucketStage, makeBucket } from '../stages/bucket-stage.ts';
import { decidedWorld } from '../stages/repricer/decided-world.ts';
import type { PriceWorld } from '../stages/repricer/price-world.ts';

const ITEMS = 20;
/** Two seals with this many copies of each item's decision: more than one transaction deletes. */
const [SEALS, COPIES] = [2, 60];
const DAY = 24 * 60 * 60;
const never = new AbortController().signal;
const columns = pg.raw(
  'company, master, marketplace, item, product_id, cause, rule, rule_revision, snapshot, limits_version, offers_at, min_cents, max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program',
);

/** Another process archives into a real bucket and is killed at critical points: readers must always see the same decisions. */
describe.skipIf(postgresPrograms() === undefined || !hasObjectStore)(
  'kill -9 while old decisions are archived to a bucket (needs PostgreSQL and radosgw)',
  { timeout: 300_000 },
  () => {
    let world: PriceWorld;
    let gateway: Gateway;
    let night: z.input<typeof ArchiveNight>;
    /** Reads as another machine would. */
    let reader: PriceWorld['deps'];
    let stage: Awaited<ReturnType<typeof bucketStage>>;
    let locker: postgres.Client;
    let before: string[];
    let machines = 0;
    beforeAll(async () => {
      vi.stubEnv('KONTOR_TEST_DATABASE', 'postgres');
      world = await decidedWorld(ITEMS);
      vi.unstubAllEnvs();
      for (let seal = 0; seal < SEALS; seal++) {
        await world.inside((trx) =>
          pg`insert into price_decisions (${columns}, decided_at)
            select ${columns}, decided_at + n * interval '1 minute' + ${seal}::int * interval '2 days' from (select * from price_decisions
              where company = ${world.company} order by id limit ${ITEMS}) d, generate_series(1, ${COPIES}::int) n order by n, item`.execute(
            trx,
          ),
        );
        expect(await extendHashChain(world.deps)).toBe(1);
      }
      await verifyHashChain(world.deps, world.company, never);
      world.later(125 * DAY);
      gateway = await ownGateway();
      const access = accessTo(gateway, await makeBucket(gateway));
      const folder = join(world.storagePaths.root, '..', 'reader');
      await mkdir(folder, { recursive: true });
      stage = await bucketStage(access, { database: world.database, folder });
      const duckdb = await DuckDb.open({ folder }, (paths) => stage.store.hold(paths));
      reader = { ...world.deps, duckdb, storagePaths: storagePathsIn(folder, stage.store) };
      const { rows } = await pg<{ name: string }>`select current_database() as name`.execute(world.database.kysely);
      const databaseUrl = `${process.env['KONTOR_TEST_POSTGRES'] ?? ''}/${rows[0]?.name ?? ''}`;
      night = { databaseUrl, access, folder: '', company: world.company, now: world.clock.now().getTime(), most: 1300 };
      locker = new postgres.Client({ connectionString: databaseUrl });
      await locker.connect();
      before = await pages();
    }, 400_000);
    afterAll(async () => {
      gateway?.resume();
      await locker?.end();
      reader?.duckdb.close();
      await stage?.close();
      await gateway?.kill();
      await world?.close();
    });

    /** Returns all decisions of every item. */
    const pages = async () => {
      const all: string[] = [];
      for (let n = 0; n < ITEMS; n++)
        all.push(JSON.stringify(await decisionHistory(reader, world.place, `A-${n}`, { limit: 10_000 }, never)));
      return all;
    };
    const count = (table: 'price_decisions' | 'decision_archives' | 'stored_files') =>
      world.inside(async (trx) => {
        const { n } = await trx
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
        return n;
      });
    const objects = async () => {
      const keys: string[] = [];
      for await (const { key } of stage.bucket.list(`${world.company}/`)) keys.push(key);
      return keys;
    };
    /** Starts a night of archiving on another machine. */
    const begin = async (): Promise<{ process: ChildProcess; output: () => string; items: string }> => {
      const folder = join(world.storagePaths.root, '..', `machine-${machines++}`);
      await mkdir(join(folder, 'items'), { recursive: true });
      const child = spawn(
        process.execPath,
        ['test/stages/repricer/archive-night.ts', JSON.stringify({ ...night, folder })],
        {
          cwd: new URL('../..', import.meta.url),
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      return { process: child, output: () => output, items: join(folder, 'items') };
    };
    const wholeNight = async () => {
      const { process: child, output } = await begin();
      await once(child, 'exit');
      return output();
    };
    /** Kills it like a power failure once `stands` is true, and checks that readers see the same decisions as before. */
    const killWhen = async (stands: (items: string) => Promise<boolean>) => {
      const { process: child, output, items } = await begin();
      await expect.poll(() => stands(items), { timeout: 240_000 }).toBe(true);
      expect([child.exitCode, output()]).toEqual([null, '']);
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await locker.query('rollback');
    };
    /** Whether a transaction waits for a lock of the test. */
    const waits = async () => {
      const waiting = pg`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await waiting.execute(world.database.kysely)).rows.length > 0;
    };
    const lock = (statement: string) =>
      locker.query(`begin; set local kontor.company = '${world.company}'; ${statement}`);
    const unharmed = async () => {
      expect(await pages()).toEqual(before);
      expect(await brokenSeal(reader, world.company, never)).toMatchObject({ broken: undefined });
    };

    it('before the file is uploaded: nothing has changed', async () => {
      const stored = await count('price_decisions');
      gateway.stop();
      await killWhen(async (items) => {
        const files = await readdir(items, { recursive: true });
        if (!files.some((name) => name.endsWith('parquet.tmp'))) return false;
        await wait(1000);
        return true;
      });
      gateway.resume();
      expect([await count('price_decisions'), await count('decision_archives')]).toEqual([stored, 0]);
      await unharmed();
    });

    it('after the upload, before its row: the object is orphaned and deleted at night', async () => {
      const stored = await count('price_decisions');
      await lock('lock table stored_files in share mode');
      await killWhen(waits);
      expect([await count('price_decisions'), await count('decision_archives')]).toEqual([stored, 0]);
      await unharmed();
      expect(await stage.store.tidy(world.company, new Date(Date.now() - 60_000))).toEqual({ removed: 0, lost: [] });
      const tidied = await stage.store.tidy(world.company, new Date(Date.now() + 60_000));
      expect(tidied.lost).toEqual([]);
      expect(tidied.removed).toBeGreaterThanOrEqual(1);
      expect(await objects()).toEqual([]);
    });

    it('after the file row, before the archive: the table stays in use, a later night deletes the file', async () => {
      const stored = await count('price_decisions');
      await lock('lock table decision_archives in share mode');
      await killWhen(waits);
      expect([await count('price_decisions'), await count('decision_archives')]).toEqual([stored, 0]);
      expect([await count('stored_files'), (await objects()).length]).toEqual([1, 1]);
      await unharmed();
    });

    it('after the archive, before the deletion: the file is used, and no page shows a decision twice', async () => {
      const stored = await count('price_decisions');
      const [left] = await objects();
      await lock('select id from price_decisions order by id for update');
      await killWhen(waits);
      expect([await count('price_decisions'), await count('decision_archives')]).toEqual([stored, 1]);
      await unharmed();
      // The file that the previously killed process left was removed.
      expect([await count('stored_files'), (await objects()).includes(left ?? '')]).toEqual([1, false]);
    });

    it('in the middle of the deletion: the next night continues where it stopped', async () => {
      const stored = await count('price_decisions');
      // The last rows of the first file: they are in the second batch that is deleted.
      const last =
        'select id from price_decisions where id <= (select max(to_id) from decision_archives) order by id desc';
      await lock(`select id from price_decisions where id in (${last} limit ${ITEMS * 2}) for update`);
      await killWhen(waits);
      const now = await count('price_decisions');
      expect(now).toBeLessThan(stored);
      expect(now).toBeGreaterThan(stored - ITEMS * COPIES);
      expect(await count('decision_archives')).toBe(1);
      await unharmed();
    });

    it('a night without a kill archives the remaining decisions, and leaves nothing behind', async () => {
      const all = await wholeNight();
      expect(all).toBe(`archived ${ITEMS * COPIES}\n`);
      // The newest decision of each own offer stays in the table as well.
      expect([await count('price_decisions'), await count('decision_archives')]).toEqual([ITEMS, SEALS]);
      await unharmed();
      expect(await wholeNight()).toBe('archived 0\n');
      await stage.store.tidy(world.company, new Date(Date.now() + 60_000));
      expect([await count('stored_files'), (await objects()).length]).toEqual([SEALS, SEALS]);
      await unharmed();
    });
  },
);
