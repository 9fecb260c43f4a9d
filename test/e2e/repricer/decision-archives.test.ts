import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { restoreBackup } from '#operations/backup/restore.ts';
import { writeBackup } from '#operations/backup/write-backup.ts';
import { folderPlace } from '#operations/file-places/folder-place.ts';
import { checkOrphans } from '#operations/pruning/orphans.ts';
import { scheduleDeletion, deleteDueCompanies } from '#operations/company-data/deletion.ts';
import { rotateSecret } from '#operations/rotation/rotate.ts';
import { secretFingerprint } from '#platform/crypto/install-secret.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { pg } from '#platform/db/pg.ts';
import { openEmbedded, type Trx } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { figuresOf } from '#repricer/dashboard/figures.ts';
import { dashboardPlace } from '#repricer/dashboard/place.ts';
import { ruleChange } from '#repricer/dashboard/rule-change.ts';
import { brokenSeal, extendHashChain, verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import { sealedPlaces } from '../../../src/deps.ts';
import { decidedWorld } from '../../stages/repricer/decided-world.ts';
import type { PriceWorld } from '../../stages/repricer/price-world.ts';
import { shortWrites } from '../../stages/short-writes.ts';

const ITEMS = 30;
/** Number of seals, and of copies of every item's decision in each. */
const SEALS = 4;
const COPIES = 20;
const DAY = 24 * 60 * 60;
const never = new AbortController().signal;
const columns = pg.raw(
  'company, master, marketplace, item, product_id, cause, rule, rule_revision, snapshot, limits_version, offers_at, min_cents, max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program',
);

describe('archives of old decisions', () => {
  let world: PriceWorld;
  let before: Map<string, PriceDecision[]>;
  /** Every row, as JSON. */
  let all: string;
  beforeAll(async () => {
    world = await decidedWorld(ITEMS);
    for (let seal = 0; seal < SEALS; seal++) {
      // The most hostile texts and times that the database can store.
      await world.inside((trx) =>
        pg`insert into price_decisions (${columns}, decided_at)
          select ${columns}, decided_at + n * interval '1 minute 123 microseconds' + ${seal}::int * interval '2 days' from (select * from price_decisions
            where company = ${world.company} order by id limit ${ITEMS}) d, generate_series(1, ${COPIES}::int) n order by n, item`.execute(
          trx,
        ),
      );
      await world.inside((trx) =>
        pg`insert into price_decisions (${columns}, decided_at)
          select company, master, marketplace, item, product_id,
            ${'ä"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028😀'}, rule, rule_revision, snapshot, limits_version, offers_at, min_cents, max_cents,
            standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program, '2026-01-02 03:04:05.000001Z'
          from price_decisions where company = ${world.company} and item = 'A-1' order by id limit 1`.execute(trx),
      );
      expect(await extendHashChain(world.deps)).toBe(1);
    }
    await verifyHashChain(world.deps, world.company, never);
    // The rule was saved between the second and the third seal.
    const savedAt = new Date(world.clock.now().getTime() + 3 * DAY * 1000);
    await world.inside((trx) =>
      trx.updateTable('documents').set({ created_at: savedAt }).where('subject', '=', 'repricer').execute(),
    );
    world.later(125 * DAY);
    // A new decision of A-2 alone stays in the database.
    await world.undercut(2, 13);
    await extendHashChain(world.deps);
    before = await pages();
    const { rows: stored } = await world.inside((trx) =>
      pg<{ all: string }>`select json_agg(to_jsonb(d))::text as all from price_decisions d`.execute(trx),
    );
    all = stored[0]?.all ?? '';
    await world.database.chooseRole();
  });
  afterAll(() => world.close());

  const history = (item: string, page: { before?: number | undefined; limit: number }) =>
    decisionHistory(world.deps, world.place, item, page, never);
  /** Returns all decisions of every item, by paging. */
  const pages = async () => {
    const all = new Map<string, PriceDecision[]>();
    for (let n = 0; n < ITEMS; n++) {
      const list: PriceDecision[] = [];
      for (let last: number | undefined; ;) {
        const page = await history(`A-${n}`, { before: last, limit: 40 });
        list.push(...page);
        last = page.at(-1)?.id;
        if (page.length < 40) break;
      }
      all.set(`A-${n}`, list);
    }
    return all;
  };
  const changed = () => ruleChange(world.deps, world.place, { revision: 1, days: 7, now: world.clock.now() }, never);
  const deps = () => ({ ...world.deps, keptDays: { decisions: 90 } });
  const sizes = { most: 1300, least: 1 };
  const archive = (more: object = {}) => archiveDecisions({ ...deps(), ...more }, world.company, never, sizes);
  const archives = () =>
    world.inside((trx) => trx.selectFrom('decision_archives').selectAll().orderBy('from_seal').execute());
  const files = async () =>
    (await world.storagePaths.store.list(world.storagePaths.decisionArchives(world.company))).map(({ path }) => path);
  const counted = async () =>
    (
      await world.inside((trx) =>
        trx
          .selectFrom('price_decisions')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      )
    ).n;
  const broken = async (vault = world.deps.vault) =>
    (await brokenSeal({ ...world.deps, vault }, world.company, never)).broken;
  const refused = (statement: (trx: Trx) => Promise<unknown>) => expect(world.inside(statement)).rejects;
  /** Changes that only the database's administrator could make. */
  const tamper = (change: string) =>
    world.database
      .script(`begin; set local kontor.company = '*'; alter table price_decisions disable trigger price_decisions_kept;
        ${change}; alter table price_decisions enable trigger price_decisions_kept; commit`);

  it('nothing is archived when the hash chain is broken or the decisions are too recent or too few', async () => {
    await world.inside((trx) => trx.updateTable('decision_audits').set({ broken: 'x' }).execute());
    expect(await archive()).toBe(0);
    await world.inside((trx) => trx.updateTable('decision_audits').set({ broken: '' }).execute());
    expect(await archive({ keptDays: { decisions: 126 } })).toBe(0);
    expect(await archiveDecisions({ ...deps(), keptDays: { decisions: 100 } }, world.company, never)).toBe(0);
    // Changed after the chain was verified.
    await tamper(`update price_decisions set price_cents = price_cents + 1 where item = 'A-7' and price_cents < 1500`);
    expect(await archive()).toBe(0);
    await tamper(`update price_decisions set price_cents = price_cents - 1 where item = 'A-7' and price_cents < 1500`);
    expect(await files()).toEqual([]);
  });

  it('a step killed between file and row neither loses nor duplicates decisions', async () => {
    const { store } = world.storagePaths;
    const killed = {
      storagePaths: {
        ...world.storagePaths,
        store: {
          ...store,
          receive: async (path: string, content: AsyncIterable<Uint8Array>) => {
            await store.receive(path, content);
            throw new Error('killed');
          },
        },
      },
    };
    const stored = await counted();
    await expect(archive(killed)).rejects.toThrow('killed');
    expect([await archives(), await counted()]).toEqual([[], stored]);
    expect(await files()).toHaveLength(1);
    expect(await pages()).toEqual(before);
  });

  it('hold whole seals, and every page shows the same as before', async () => {
    // A file system may accept fewer bytes at a time than it is given.
    onTestFinished(await shortWrites({ most: 4096 }));
    const place = await world.inside((trx) => dashboardPlace(trx, world.company, { masterid: world.masterid }));
    const figures = await figuresOf(world.deps, place);
    const change = await changed();
    expect(change.prices).toMatchObject([{ articles: ITEMS }]);
    const stored = await counted();
    const archived = await archive();
    expect(archived).toBe(ITEMS + SEALS * (ITEMS * COPIES + 1));
    const made = await archives();
    expect(made.map(({ from_seal, to_seal }) => [from_seal, to_seal])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await files()).toEqual(made.map(({ key }) => join(world.storagePaths.root, key)).toSorted());
    // The newest decision of each own offer stays in the database as well.
    expect(await counted()).toBe(stored - archived + ITEMS - 1);
    expect(await pages()).toEqual(before);
    expect(await figuresOf(world.deps, place)).toEqual(figures);
    expect(await changed()).toEqual(change);
    const odd = before.get('A-1')?.find(({ cause }) => cause.includes('\u2028'));
    expect(odd).toMatchObject({
      cause: 'ä"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028😀',
      seal: { verifiedAt: expect.any(String) },
    });
    expect(before.get('A-5')?.at(-1)?.sent).toMatchObject({ state: 'new' });
    expect(await archive()).toBe(0);
  });

  it('a run killed before it deletes the rows is completed by the next one, and no page shows a decision twice', async () => {
    const stored = await counted();
    await world.inside((trx) =>
      pg`insert into price_decisions overriding system value
        select * from json_populate_recordset(null::price_decisions, ${all}::json) on conflict do nothing`.execute(trx),
    );
    expect(await counted()).toBeGreaterThan(stored + 2000);
    expect(await pages()).toEqual(before);
    expect(await changed()).toMatchObject({ prices: [{ articles: ITEMS }] });
    expect(await broken()).toBeUndefined();
    expect(await archive()).toBe(0);
    expect(await counted()).toBe(stored);
  });

  it('no other code deletes or changes decisions, and no archive row covers unsealed decisions', async () => {
    const newest = (trx: Trx) =>
      pg`delete from price_decisions where id = (select max(id) from price_decisions)`.execute(trx);
    await refused(newest).toThrow(/kept/);
    await refused((trx) => pg`update price_decisions set price_cents = 1`.execute(trx)).toThrow(/kept/);
    await refused((trx) => trx.deleteFrom('decision_archives').execute()).toThrow(/kept/);
    await refused((trx) =>
      trx
        .updateTable('decision_archives')
        .set({ to_id: 10 ** 9 })
        .execute(),
    ).toThrow(/kept/);
    const [, last] = await archives();
    if (last === undefined) throw new Error('no archive');
    const next = { ...last, from_seal: 5, to_seal: 5, from_id: last.to_id, to_id: last.to_id + 1, decisions: 1 };
    await refused((trx) => trx.insertInto('decision_archives').values(next).execute()).toThrow(/whole seals/);
    await verifyHashChain(world.deps, world.company, never);
    // Sealed and audited by now, but none of these ranges begins and ends with a seal.
    await refused((trx) =>
      trx
        .insertInto('decision_archives')
        .values({ ...next, to_id: 10 ** 9 })
        .execute(),
    ).toThrow(/whole/);
    await refused((trx) =>
      trx
        .insertInto('decision_archives')
        .values({ ...next, from_seal: 6 })
        .execute(),
    ).toThrow(/whole/);
  });

  it('their seals are verified from the files, also after a secret rotation, and a changed copy breaks them', async () => {
    expect(await broken()).toBeUndefined();
    await tamper(`update price_decisions set stock = 77 where item = 'A-9'`);
    expect(await broken()).toMatch(/Siegel 4 .*Der Inhalt ist nicht mehr der/);
    await tamper(`update price_decisions set stock = null where item = 'A-9'`);
    await tamper(`insert into price_decisions (id, company, master, marketplace, item, product_id, decided_at, cause, rule_revision, snapshot, limits_version, reason, body, verdict)
      overriding system value values (1, '${world.company}', 'm', 'M1', 'A-9', 'B', now(), 'c', 1, 1, 'v', 'r', 'b', 'none')`);
    expect(await broken()).toMatch(/Siegel 1 /);
    await tamper(`delete from price_decisions where id = 1`);
    const next = 'another-secret-of-an-installation-0123456789';
    await world.database.kysely
      .updateTable('installation_keys')
      .set({ mark: secretFingerprint('test') })
      .execute();
    await rotateSecret({ database: world.database, clock: world.clock, places: sealedPlaces }, { old: 'test', next });
    expect(await broken(new Vault(next))).toBeUndefined();
    expect(await broken()).not.toBeUndefined();
    world.deps.vault = new Vault(next);
  });

  it('a changed or missing file is reported on the page and by the nightly check', async () => {
    const [first] = await archives();
    const path = join(world.storagePaths.root, first?.key ?? '');
    const bytes = await readFile(path);
    const changed = Buffer.from(bytes);
    changed[1000] = (changed[1000] ?? 0) ^ 1;
    const told = () =>
      world.inside((trx) =>
        trx.selectFrom('notifications').select('text').where('text', 'like', '%Archivdatei%').execute(),
      );
    await writeFile(path, changed);
    const oldest = { before: (first?.to_id ?? 0) + 1, limit: 5 };
    await expect(history('A-3', oldest)).rejects.toMatchObject({ status: 503, code: 'decision_archive_damaged' });
    expect(await history('A-3', { limit: 5 })).toHaveLength(5);
    // Old seals are verified again in turn.
    for (let night = 0; night < 2; night++) await verifyHashChain(world.deps, world.company, never);
    expect(await told()).toHaveLength(1);
    await rename(path, `${path}.tmp`);
    await expect(history('A-3', oldest)).rejects.toMatchObject({ code: 'decision_archive_damaged' });
    expect(await broken()).toMatch(/Siegel 1 .*Archivdatei/);
    await writeFile(path, bytes);
    expect(await history('A-3', oldest)).toHaveLength(5);
    await verifyHashChain(world.deps, world.company, never);
    expect(await broken()).toBeUndefined();
  });

  it('the orphan check keeps archive files and reports a missing one', async () => {
    const told: string[] = [];
    const look = () =>
      checkOrphans(
        {
          ...world.deps,
          log: makeLog('silent'),
          addNotification: async (_trx, _company, { text }) => told.push(text),
        },
        world.company,
      );
    await look();
    expect(told).toEqual([]);
    expect(await files()).toHaveLength(2);
    const [first] = await archives();
    const path = join(world.storagePaths.root, first?.key ?? '');
    await rename(path, `${path}.tmp`);
    await look();
    expect(told.join()).toContain(first?.key.slice(world.company.length + 1));
    await rename(`${path}.tmp`, path);
  });

  it('are part of a backup, and after its restore no new decision reuses an archived number', async () => {
    const root = await mkdtemp(join(tmpdir(), 'kontor-archive-backup-'));
    const file = join(root, 'sicherung.tar');
    const itemsFolder = join(root, 'items');
    const databaseFolder = join(root, 'database');
    // As if nothing had been decided since.
    await tamper(`delete from price_decisions`);
    const what = { clock: world.clock, ids: randomIds, secret: 'x'.repeat(40), program: 'test' };
    await writeBackup({ database: world.database, itemsFolder: world.storagePaths.root, ...what }, file);
    await restoreBackup(file, {
      dataFolder: root,
      itemsFolder,
      databaseFolder,
      place: folderPlace(itemsFolder),
      openDatabase: () => openEmbedded(databaseFolder),
      migrations: new URL('../../../migrations', import.meta.url).pathname,
      now: world.clock.now(),
      log: makeLog('silent'),
    });
    const database = await openEmbedded(databaseFolder);
    const duckdb = await DuckDb.open({ folder: itemsFolder });
    const restored = { ...world.deps, database, duckdb, storagePaths: storagePathsIn(itemsFolder) };
    expect(await brokenSeal(restored, world.company, never, { most: 4 })).toEqual({ seals: 4, broken: undefined });
    expect(await decisionHistory(restored, world.place, 'A-8', { limit: 3 }, never)).toHaveLength(3);
    const { next } = await database.kysely
      .selectNoFrom(pg<number>`nextval(pg_get_serial_sequence('price_decisions', 'id'))`.as('next'))
      .executeTakeFirstOrThrow();
    const { sealed } = await world.inside((trx) =>
      trx
        .selectFrom('decision_seals')
        .select((eb) => eb.fn.max('to_id').as('sealed'))
        .executeTakeFirstOrThrow(),
    );
    expect(next).toBe(sealed + 1);
    duckdb.close();
    await database.close();
    await rm(root, { recursive: true, force: true });
  });

  it('are deleted with their company', async () => {
    const { company } = world;
    const now = world.clock.now();
    await world.inside((trx) => scheduleDeletion(trx, { company, id: 'L1', name: 'Firma', by: 'Frieda', now }));
    world.later(2 * DAY);
    const { store } = world.storagePaths;
    const folder = dirname((await files())[0] ?? '');
    await deleteDueCompanies({ ...world.deps, jobs: { cancel: async () => {} }, stopDemoMarket: async () => {} });
    expect(await store.sizeOf([folder])).toEqual({ files: 0, bytes: 0 });
    expect([await archives(), await counted()]).toEqual([[], 0]);
    const record = await world.inside((trx) =>
      trx.selectFrom('deletion_records').selectAll().executeTakeFirstOrThrow(),
    );
    expect(JSON.parse(record.table_rows)).toMatchObject({ decision_archives: 2 });
    expect(record.file_count).toBeGreaterThan(1);
  });
});
