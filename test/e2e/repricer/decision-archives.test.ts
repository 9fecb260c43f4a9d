import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkOrphans } from '#operations/pruning/orphans.ts';
import { rotateSecret } from '#operations/rotation/rotate.ts';
import { secretFingerprint } from '#platform/crypto/install-secret.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { pg } from '#platform/db/pg.ts';
import { type Trx } from '#platform/db/database.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { figuresOf } from '#repricer/dashboard/figures.ts';
import { dashboardPlace } from '#repricer/dashboard/place.ts';
import { ruleChange } from '#repricer/dashboard/rule-change.ts';
import { brokenSeal, verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import { sealedPlaces } from '../../../src/deps.ts';
import type { PriceWorld } from '../../stages/repricer/price-world.ts';
import { shortWrites } from '../../stages/short-writes.ts';
import {
  allPages,
  archiveFiles,
  archiveOld,
  archiveRows,
  countDecisions,
  tamper,
  COPIES,
  historyOf,
  ITEMS,
  never,
  sealedWorld,
  SEALS,
} from '../../stages/repricer/archived-decisions.ts';

describe('archives of old decisions', () => {
  let world: PriceWorld;
  let before: Map<string, PriceDecision[]>;
  /** Every row, as JSON. */
  let all: string;
  beforeAll(async () => {
    world = await sealedWorld();
    before = await allPages(world);
    const { rows: stored } = await world.inside((trx) =>
      pg<{ all: string }>`select json_agg(to_jsonb(d))::text as all from price_decisions d`.execute(trx),
    );
    all = stored[0]?.all ?? '';
    await world.database.chooseRole();
  });
  afterAll(() => world.close());

  const changed = () => ruleChange(world.deps, world.place, { revision: 1, days: 7, now: world.clock.now() }, never);
  const deps = () => ({ ...world.deps, keptDays: { decisions: 90 } });
  const archive = (more: object = {}) => archiveOld(world, more);
  const broken = async (vault = world.deps.vault) =>
    (await brokenSeal({ ...world.deps, vault }, world.company, never)).broken;
  const refused = (statement: (trx: Trx) => Promise<unknown>) => expect(world.inside(statement)).rejects;

  it('nothing is archived when the hash chain is broken or the decisions are too recent or too few', async () => {
    await world.inside((trx) => trx.updateTable('decision_audits').set({ broken: 'x' }).execute());
    expect(await archive()).toBe(0);
    await world.inside((trx) => trx.updateTable('decision_audits').set({ broken: '' }).execute());
    expect(await archive({ keptDays: { decisions: 126 } })).toBe(0);
    expect(await archiveDecisions({ ...deps(), keptDays: { decisions: 100 } }, world.company, never)).toBe(0);
    // Changed after the chain was verified.
    await tamper(
      world,
      `update price_decisions set price_cents = price_cents + 1 where item = 'A-7' and price_cents < 1500`,
    );
    expect(await archive()).toBe(0);
    await tamper(
      world,
      `update price_decisions set price_cents = price_cents - 1 where item = 'A-7' and price_cents < 1500`,
    );
    expect(await archiveFiles(world)).toEqual([]);
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
    const stored = await countDecisions(world);
    await expect(archive(killed)).rejects.toThrow('killed');
    expect([await archiveRows(world), await countDecisions(world)]).toEqual([[], stored]);
    expect(await archiveFiles(world)).toHaveLength(1);
    expect(await allPages(world)).toEqual(before);
  });

  it('hold whole seals, and every page shows the same as before', async () => {
    // A file system may accept fewer bytes at a time than it is given.
    onTestFinished(await shortWrites({ most: 4096 }));
    const place = await world.inside((trx) => dashboardPlace(trx, world.company, { masterid: world.masterid }));
    const figures = await figuresOf(world.deps, place);
    const change = await changed();
    expect(change.prices).toMatchObject([{ articles: ITEMS }]);
    const stored = await countDecisions(world);
    const archived = await archive();
    expect(archived).toBe(ITEMS + SEALS * (ITEMS * COPIES + 1));
    const made = await archiveRows(world);
    expect(made.map(({ from_seal, to_seal }) => [from_seal, to_seal])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await archiveFiles(world)).toEqual(made.map(({ key }) => join(world.storagePaths.root, key)).toSorted());
    // The newest decision of each own offer stays in the database as well.
    expect(await countDecisions(world)).toBe(stored - archived + ITEMS - 1);
    expect(await allPages(world)).toEqual(before);
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
    const stored = await countDecisions(world);
    await world.inside((trx) =>
      pg`insert into price_decisions overriding system value
        select * from json_populate_recordset(null::price_decisions, ${all}::json) on conflict do nothing`.execute(trx),
    );
    expect(await countDecisions(world)).toBeGreaterThan(stored + 2000);
    expect(await allPages(world)).toEqual(before);
    expect(await changed()).toMatchObject({ prices: [{ articles: ITEMS }] });
    expect(await broken()).toBeUndefined();
    expect(await archive()).toBe(0);
    expect(await countDecisions(world)).toBe(stored);
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
    const [, last] = await archiveRows(world);
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
    await tamper(world, `update price_decisions set stock = 77 where item = 'A-9'`);
    expect(await broken()).toMatch(/Siegel 4 .*Der Inhalt ist nicht mehr der/);
    await tamper(world, `update price_decisions set stock = null where item = 'A-9'`);
    await tamper(
      world,
      `insert into price_decisions (id, company, master, marketplace, item, product_id, decided_at, cause, rule_revision, snapshot, limits_version, reason, body, verdict)
      overriding system value values (1, '${world.company}', 'm', 'M1', 'A-9', 'B', now(), 'c', 1, 1, 'v', 'r', 'b', 'none')`,
    );
    expect(await broken()).toMatch(/Siegel 1 /);
    await tamper(world, `delete from price_decisions where id = 1`);
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
    const [first] = await archiveRows(world);
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
    await expect(historyOf(world, 'A-3', oldest)).rejects.toMatchObject({
      status: 503,
      code: 'decision_archive_damaged',
    });
    expect(await historyOf(world, 'A-3', { limit: 5 })).toHaveLength(5);
    // Old seals are verified again in turn.
    for (let night = 0; night < 2; night++) await verifyHashChain(world.deps, world.company, never);
    expect(await told()).toHaveLength(1);
    await rename(path, `${path}.tmp`);
    await expect(historyOf(world, 'A-3', oldest)).rejects.toMatchObject({ code: 'decision_archive_damaged' });
    expect(await broken()).toMatch(/Siegel 1 .*Archivdatei/);
    await writeFile(path, bytes);
    expect(await historyOf(world, 'A-3', oldest)).toHaveLength(5);
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
    expect(await archiveFiles(world)).toHaveLength(2);
    const [first] = await archiveRows(world);
    const path = join(world.storagePaths.root, first?.key ?? '');
    await rename(path, `${path}.tmp`);
    await look();
    expect(told.join()).toContain(first?.key.slice(world.company.length + 1));
    await rename(`${path}.tmp`, path);
  });
});
