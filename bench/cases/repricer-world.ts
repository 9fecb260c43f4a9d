import { mkdtemp, rm } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { MaterialisedFields } from '#feed/materialised-fields/materialised-fields.ts';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import type { OfferSnapshot } from '#marketplaces/port.ts';
import { pg } from '#platform/db/pg.ts';
import { openEmbedded, openServer, type Database } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { randomIds } from '#platform/ids.ts';
import { migrate } from '#platform/db/migrations.ts';
import { BreakerBudgets } from '#repricer/control/breaker-budgets.ts';
import { saveListings } from '#repricer/model/listings.ts';
import { saveRepricerRule } from '#repricer/rules/rule-store.ts';
import { importedFieldSchema } from '#shared/import/schema.ts';
import { RepricerRule } from '#shared/repricer/schema.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../../test/servers/postgres.ts';

/** Number of items in the repriced catalogue, each an article of its own. */
export const ITEMS = 5000;
const place = { company: 'Messung', masterid: 'Messkatalog' };
const field = (value: string) => ({ type: '_field', value });

export const rule = RepricerRule.parse({
  id: 'Messung001',
  name: 'Messung',
  active: true,
  action: {
    strategy: 2,
    diff_price: '0.01',
    min_price_strategy: 3,
    exclude_count_rank: 80,
    exclude_count_reviews: 200,
    exclude_sellers: [{ name: '', value: 'A3' }],
    min_price: field('min'),
    max_price: field('max'),
    standard_price: field('std'),
  },
});

/** Returns 20 offers, varied enough to take different branches. */
export const offersOf = (n: number): OfferSnapshot['offers'] =>
  Array.from({ length: 20 }, (_, m) => ({
    seller_id: `A${(m * 7 + n) % 20}`,
    condition: m === 11 ? 'used' : 'new',
    fulfilment: m % 3 === 0 ? 'marketplace' : 'merchant',
    listing_price_cents: 900 + ((m * 7919 + n * 104_729) % 2000),
    shipping_cents: m % 2 === 0 ? 0 : 399,
    currency: 'EUR',
    is_buybox: m === n % 20,
    feedback_count: (m * 331) % 5000,
    feedback_rating: 70 + ((m * 13) % 31),
  }));

/** Returns a message about each item, `round` seconds after the first round. */
export const messages = (round: number): OfferSnapshot[] =>
  Array.from({ length: ITEMS }, (_, n) => ({
    marketplace: 'A1PA6795UKMFR9',
    productId: `B0${String(n).padStart(8, '0')}`,
    condition: 'new',
    eventAt: new Date(Date.now() - 60_000 + round * 1000),
    message: randomIds.id() + randomIds.id(),
    offers: offersOf(n + round),
  }));

export type World = Awaited<ReturnType<typeof makeWorld>>;

/**
 * Creates a catalogue of our own offers with a rule, on PostgreSQL if its programs are installed, otherwise on the embedded
 * database.
 */
export async function makeWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-reprice-'));
  const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
  const postgres = programs === undefined ? undefined : await startPostgres(programs);
  const database =
    postgres === undefined
      ? await openEmbedded(join(folder, 'database'))
      : openServer(await createDatabase(postgres.url, 'messung'), () => {});
  await migrate(database, new URL('../../migrations', import.meta.url).pathname);
  const items = join(folder, 'items');
  const storagePaths = storagePathsIn(items);
  mkdirSync(storagePaths.snapshotFolder(place.company, place.masterid), { recursive: true });
  const duckdb = await DuckDb.open({ folder: items });
  await catalogue(database, duckdb, storagePaths.snapshot(place.company, place.masterid, 1));
  const clock = { now: () => new Date() };
  return {
    database,
    duckdb,
    storagePaths,
    fields: new MaterialisedFields({ database, duckdb, storagePaths, clock, log: makeLog('silent') }),
    ids: randomIds,
    budgets: new BreakerBudgets(database.embedded ? undefined : () => 1),
    program: 'bench',
    log: makeLog('silent'),
    clock,
    place,
    close: async () => {
      duckdb.close();
      await database.close();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function catalogue(database: Database, duckdb: DuckDb, path: string): Promise<void> {
  const { company, masterid } = place;
  const names = ['min', 'max', 'std'];
  const fields = names.map((name, index) =>
    importedFieldSchema.parse({ id: `f000${index}`, name, header: name, guess: 'text', filled: ITEMS, example: '' }),
  );
  await duckdb.all({
    sql: `COPY (SELECT 'Artikel-' || range AS _id, '10,00' AS f0000, '1.299,00' AS f0001, '24.50' AS f0002 FROM range(${ITEMS})) TO '${path}' (FORMAT parquet)`,
    values: [],
  });
  await database.company(company, async (trx) => {
    await pg`insert into masters (company, id, name, live_snapshot) values (${company}, ${masterid}, 'Messung', 1)`.execute(
      trx,
    );
    await pg`insert into snapshots (company, master, number, runid, items, fields, source) values (${company}, ${masterid}, 1, '', ${ITEMS},
      ${JSON.stringify(fields)}, '')`.execute(trx);
    const account = { company, id: 'konto', masterid, connector: 'x', marketplace: 'A1PA6795UKMFR9', sellerId: 'A0' };
    await saveAccount(trx, { ...account, currency: 'EUR', name: '', settings: '{}', active: true });
    await saveRepricerRule(trx, place, rule, { author: '', expected: undefined });
    await pg`update documents set created_at = now() - interval '1 day'`.execute(trx);
    const listing = {
      marketplace: 'A1PA6795UKMFR9',
      account: 'konto',
      condition: 'new',
      fulfilment: 'marketplace' as const,
      currency: 'EUR',
      shipping: 0,
      stock: 5,
    };
    const listings = messages(0).map(({ productId }, n) => ({
      ...listing,
      item: `Artikel-${n}`,
      sku: `S-${n}`,
      productId,
      price: 1500,
    }));
    await saveListings(trx, place, listings, new Date());
  });
}
