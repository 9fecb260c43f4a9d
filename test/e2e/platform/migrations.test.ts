import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded, openServer, type Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { storedOffers } from '#repricer/model/article-offers.ts';
import { listingsOf } from '#repricer/model/listings.ts';
import { samplesOfOthers } from '#repricer/record/replay-samples.ts';
import { createDatabase } from '../../servers/postgres.ts';
import { databaseTemplate } from '../../stages/kontor.ts';

const migrations = new URL('../../../migrations', import.meta.url).pathname;
const place = { company: 'firma', masterid: 'katalog' };

/** A sample as the program stored it before migration 0021. */
const basis = {
  now: 1_772_000_000_000,
  listing: {
    item: 'A-1',
    marketplace: 'M1',
    account: 'konto',
    sku: 'S1',
    asin: 'B1',
    condition: 'new',
    fulfillment: 'AFN',
    currency: 'EUR',
    shipping: null,
    price: 1500,
    stock: null,
  },
  fields: { von: '10,00', bis: '20,00', normal: '15,00' },
  without: null,
  offers: { at: 1_771_999_000_000, list: [offer('K1', 'MFN'), offer('K2', 'AFN')] },
  sellerIds: ['WIR'],
  good: null,
  version: '1/2/3',
  snapshotAt: null,
  limitsConfirmed: true,
  facts: { before: null, dayAgo: null, sends: [], inFlight: false },
  switches: { active: true, dryRun: false, stopped: false, breaker: false },
  safety: { step: 25 },
  canary: null,
};

function offer(seller_id: string, fulfillment: string) {
  const price = { listing_price_cents: 1450, shipping_cents: 0, currency: 'EUR', is_buybox: false };
  return { seller_id, condition: 'new', fulfillment, ...price, feedback_count: 12, feedback_rating: 97.5 };
}

describe('a database of an older version', () => {
  let folder: string;
  let database: Database;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-migrations-'));
    database = await emptyDatabase(folder);
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Applies the migrations up to this one, as the version that ended with it did. */
  const upTo = async (number: string) => {
    const some = join(folder, number);
    await mkdir(some);
    for (const name of (await readdir(migrations)).filter((name) => name.slice(0, 4) <= number))
      await cp(join(migrations, name), join(some, name));
    await migrate(database, some);
  };
  const inside = <T>(work: Parameters<typeof database.company<T>>[1]) => database.company(place.company, work);

  it('M7 older tokens get an end: 90 days without creator or end, at most 366 for a later one', async () => {
    await upTo('0062');
    const days = 24 * 60 * 60 * 1000;
    const at = (n: number) => new Date(Date.now() + n * days);
    const kept = [
      ['ohne beides', null, null],
      ['ohne Ende', 'frieda', null],
      ['ohne Mensch', null, at(200)],
      ['bald zu Ende', null, at(10)],
      ['fern', 'frieda', at(4000)],
      ['wie heute', 'frieda', at(300)],
    ] as const;
    for (const [name, maker, end] of kept)
      await inside((trx) =>
        pg`insert into api_tokens (company, id, name, role, hash, maker, expires_at)
          values (${place.company}, ${name}, ${name}, 'viewer', ${name}, ${maker}, ${end})`.execute(trx),
      );
    await migrate(database, migrations);
    const { rows } = await inside((trx) =>
      pg<{ name: string; left: number }>`select name, round(extract(epoch from expires_at - now()) / 86400)::int as left
        from api_tokens`.execute(trx),
    );
    expect(Object.fromEntries(rows.map(({ name, left }) => [name, left]))).toEqual({
      'ohne beides': 90,
      'ohne Ende': 90,
      'ohne Mensch': 90,
      'bald zu Ende': 10,
      fern: 366,
      'wie heute': 300,
    });
  });

  it("REP-19 samples from before 0021 are read with today's names for product and fulfilment", async () => {
    await upTo('0020');
    const outcome = { rule: 'Regel00001', price: 1449, reason: 'COMPETE_LOWEST', verdict: 'submit 1449' };
    const kept = [
      JSON.stringify(basis),
      JSON.stringify({ ...basis, listing: { ...basis.listing, fulfillment: 'MFN' }, offers: null }),
      // Not valid as jsonb: it stays unchanged.
      String.raw`{"listing": {"asin": "\u0000", "fulfillment": "MFN"}}`,
    ];
    const keep = (slot: number, text: string) =>
      inside((trx) =>
        pg`insert into decision_samples (company, slot, master, item, taken_at, program, rule_revision, basis, outcome)
          values (${place.company}, ${slot}, ${place.masterid}, ${`A-${slot}`}, now(), 'older', 1, ${text}, ${JSON.stringify(outcome)})`.execute(
          trx,
        ),
      );
    for (const [slot, text] of kept.entries()) await keep(slot, text);
    await upTo('0021');
    const changed = await inside((trx) =>
      pg<{ n: number }>`select count(*)::int as n from decision_samples where basis like '%"productId"%'`.execute(trx),
    );
    expect(changed.rows).toEqual([{ n: 2 }]);
    // On servers, 0021 once saw no rows.
    await keep(3, JSON.stringify(basis));
    await migrate(database, migrations);
    const [first, second, third, fourth] = (await inside((trx) => samplesOfOthers(trx, place, 'today', 10))).toSorted(
      (one, other) => one.item.localeCompare(other.item),
    );
    expect(first).toMatchObject({ outcome, program: 'older', revision: 1 });
    expect(first?.basis?.listing).toMatchObject({ productId: 'B1', fulfilment: 'marketplace', sku: 'S1', price: 1500 });
    expect(first?.basis?.offers?.list.map(({ seller_id, fulfilment }) => [seller_id, fulfilment])).toEqual([
      ['K1', 'merchant'],
      ['K2', 'marketplace'],
    ]);
    expect(first?.basis).toMatchObject({
      fields: basis.fields,
      switches: { alarm: false },
      safety: { step: 25, stepPause: 30 },
    });
    expect(second?.basis).toMatchObject({ listing: { productId: 'B1', fulfilment: 'merchant' }, offers: null });
    expect(third?.basis).toBeUndefined();
    expect(fourth?.basis).toEqual(first?.basis);
  });

  it("REP-19 offers from before 0022 name the shipper in today's words, whatever their sellers are called", async () => {
    await upTo('0021');
    const sellers = ['K1', 'a "quoted", \\ [one', '["AFN","MFN"', 'ä\u0007'];
    const words = ['MFN', 'AFN', 'MFN', 'AFN'];
    const rest = [1450, 0, 'EUR', 0, null, 97.5, 0] as const;
    const stored = JSON.stringify([
      ...sellers.map((seller, n) => [seller, words[n], ...rest]),
      ['K9', 'FBA', ...rest, 'used'],
    ]);
    await inside(async (trx) => {
      const add = (productId: string, offers: string) =>
        pg`insert into article_offers (company, master, marketplace, product_id, condition, event_at, received_at, message, offers)
          values (${place.company}, ${place.masterid}, 'M1', ${productId}, 'new', now(), now(), 'x', ${offers})`.execute(
          trx,
        );
      await add('B1', stored);
      // As migration 0011 wrote them: with blanks.
      await add(
        'B2',
        '[["K1", "AFN", 1450, null, "EUR", 1, 5, 90, 0], ["K2", "MFN", 1451, 0, "EUR", 0, null, null, 1]]',
      );
      await add('B3', '[]');
      for (const [item, word] of [
        ['A-1', 'FBA'],
        ['A-2', 'MFN'],
        ['A-3', 'DHL'],
      ])
        await pg`insert into listings (company, master, marketplace, item, account, sku, product_id, fulfillment)
          values (${place.company}, ${place.masterid}, 'M1', ${item}, 'konto', 'S', 'B1', ${word})`.execute(trx);
    });
    await migrate(database, migrations);
    const offers = await inside((trx) => storedOffers(trx, place, 'M1', ['B1', 'B2', 'B3']));
    const told = (productId: string) =>
      offers.get(`${productId}\nnew`)?.offers.map(({ seller_id, fulfilment }) => [seller_id, fulfilment]);
    const now = ['merchant', 'marketplace', 'merchant', 'marketplace'];
    expect(told('B1')).toEqual([...sellers.map((seller, n) => [seller, now[n]]), ['K9', 'marketplace']]);
    expect(told('B2')).toEqual([
      ['K1', 'marketplace'],
      ['K2', 'merchant'],
    ]);
    expect(told('B3')).toEqual([]);
    expect(offers.get('B2\nnew')?.offers[0]).toMatchObject({ listing_price_cents: 1450, is_buybox: true });
    const found = await inside((trx) => listingsOf(trx, place, 'M1', ['A-1', 'A-2', 'A-3']));
    const listings = found.toSorted((one, other) => one.item.localeCompare(other.item));
    expect(listings.map(({ item, fulfilment }) => [item, fulfilment])).toEqual([
      ['A-1', 'marketplace'],
      ['A-2', 'merchant'],
      ['A-3', 'merchant'],
    ]);
    const { rows } = await inside((trx) =>
      pg<{ seller: string }>`select seller from offers where product_id = 'B2' and by_marketplace`.execute(trx),
    );
    expect(rows).toEqual([{ seller: 'K1' }]);
  });
});

/** Creating a database cluster takes ten times as long as emptying a copy. */
async function emptied(database: Database): Promise<Database> {
  await database.script('drop schema public cascade; create schema public; grant usage on schema public to public');
  return database;
}

/** Opens a database without tables, on the engine of this test run. */
async function emptyDatabase(folder: string): Promise<Database> {
  const server = process.env['KONTOR_TEST_POSTGRES'];
  if (process.env['KONTOR_TEST_DATABASE'] !== 'postgres' || server === undefined)
    return emptied(await openEmbedded(join(folder, 'database'), databaseTemplate));
  return openServer(await createDatabase(server, `kontor_${randomIds.id().toLowerCase()}`), () => {});
}
