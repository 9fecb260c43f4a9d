import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { readNotification } from '#marketplaces/amazon/offer-messages.ts';
import { MaterialisedFields } from '#feed/materialised-fields/materialised-fields.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { decisionsOf } from '#repricer/record/decisions.ts';
import { saveListings } from '#repricer/model/listings.ts';
import { takeOffers } from '#repricer/intake/offers.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { saveRepricerRule } from '#repricer/rules/rule-store.ts';
import { submitDue } from '#repricer/outbox/submit.ts';
import { BreakerBudgets } from '#repricer/control/breaker-budgets.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';
import { api } from '#shared/http/api.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { masterWith, openTestDatabase, testDatabaseUrl, testKontor } from '../kontor.ts';
import { offerMessage } from './offer-message.ts';
import { startPriceMarket } from './price-market.ts';

export type PriceWorld = Awaited<ReturnType<typeof makePriceWorld>>;

const listing = {
  marketplace: 'M1',
  account: 'konto',
  condition: 'new',
  fulfilment: 'merchant' as const,
  currency: 'EUR',
  shipping: 0,
  price: 1500,
  stock: null,
};

/**
 * Creates a catalogue whose items `A-0`, `A-1` … are sold in a marketplace for 15 euros as `S0`, `S1` …, article `B0`, `B1` ….
 */
export async function makePriceWorld(csv: string, items: number, rules: readonly RepricerRule[]) {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-prices-'));
  const databaseUrl = await testDatabaseUrl();
  const kontor = await testKontor({}, { dataFolder: folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  const masterid = await masterWith(kontor, csv);
  const company = (await kontor.ask(api.session, {})).company.id;
  await kontor.close();
  /** Real time plus what the test has let pass; a rule younger than a quarter of an hour would only release its first items. */
  let passed = 16 * 60_000;
  const started = Date.now();
  const clock = { now: () => new Date(started + passed) };
  const database = await openTestDatabase(folder, databaseUrl);
  const storagePaths = storagePathsIn(join(folder, 'items'));
  const duckdb = await DuckDb.open({ folder: storagePaths.root });
  const fields = new MaterialisedFields({ database, duckdb, clock, storagePaths, log: makeLog('silent') });
  const market = await startPriceMarket();
  const place = { company, masterid };
  const inside = <T>(work: (trx: Trx) => Promise<T>) => database.company(company, work);
  const ids = randomIds;
  const deps = {
    database,
    duckdb,
    clock,
    ids,
    buckets: new TokenBuckets(database),
    budgets: new BreakerBudgets(database.embedded ? undefined : () => 1),
    program: 'test',
    vault: new Vault('test'),
    log: makeLog('silent'),
    fields,
    ownProcess: { workers: 1, takes: () => true },
    storagePaths,
    open: async () => market.connector,
  };
  await inside(async (trx) => {
    const account = { company, id: 'konto', masterid, connector: 'test', marketplace: 'M1', sellerId: 'WIR' };
    await saveAccount(trx, { ...account, currency: 'EUR', name: 'Test', settings: '{}', active: true });
    for (const rule of rules) await saveRepricerRule(trx, place, rule, { author: 'Test', expected: undefined });
    const ours = Array.from({ length: items }, (_, n) => ({
      ...listing,
      item: `A-${n}`,
      sku: `S${n}`,
      productId: `B${n}`,
    }));
    await saveListings(trx, place, ours, clock.now());
  });
  const message = (n: number, offers: Record<string, number>, at = clock.now()) =>
    offerMessage(n, offers, { at, id: randomIds.id() });
  const receive = (given: unknown) => {
    const snapshot = readNotification(given);
    return snapshot === undefined
      ? 'unreadable'
      : inside(async (trx) => (await takeOffers(trx, company, [snapshot], clock.now()))[0]);
  };
  return {
    database,
    market,
    company,
    masterid,
    place,
    storagePaths,
    clock,
    deps,
    inside,
    message,
    receive,
    later: (seconds: number) => (passed += seconds * 1000),
    decided: async (n: number) => (await inside((trx) => decisionsOf(trx, place, `A-${n}`, { limit: 10 })))[0],
    /** Makes a competitor offer `amount`; decides and sends prices. */
    undercut: async (n: number, amount = 14) => {
      await receive(message(n, { K1: amount }));
      await repriceDue(deps);
      return submitDue(deps);
    },
    close: async () => {
      await market.close();
      await fields.close();
      duckdb.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
