import { z } from 'zod';
import { amazonConnector } from '#marketplaces/amazon/connector.ts';
import { amazon } from '#marketplaces/amazon/kind.ts';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import type { ConnectorKind } from '#marketplaces/connector-kind.ts';
import type { Connector } from '#marketplaces/port.ts';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';
import { pg } from '#platform/db/pg.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { Egress } from '#platform/egress/egress.ts';
import type { Ids } from '#platform/ids.ts';
import { saveListings } from '#repricer/model/listings.ts';
import { takeMessages } from '#repricer/intake/messages.ts';
import { saveRepricerRule } from '#repricer/rules/rule-store.ts';
import { newRepricerRule, type RepricerRule } from '#shared/repricer/schema.ts';
import { catalogueCents } from './catalogue.ts';
import { knownOrders } from './demo-known-orders.ts';
import { seeded } from './random.ts';

/** Number of items of the demo's catalogue that are sold in the sandbox. */
export const SOLD = 300;
export const MARKETPLACE = 'A1PA6795UKMFR9';
export const SELLER = 'A3NORDKAPDEMO';
export const MARKET_NAME = 'Amazon.de (Sandbox)';
const place = { marketplace: MARKETPLACE, sellerId: SELLER, currency: 'EUR' };

type Demo = { company: string; masterid: string; account: string; now: Date };

/** Adds an account in the sandbox, our offers there, and two rules that reprice them. */
export async function seedMarket(trx: Trx, { company, masterid, account, now }: Demo): Promise<void> {
  const names = { connector: 'sandbox', name: MARKET_NAME, settings: '{}', active: true };
  await saveAccount(trx, { company, id: account, masterid, ...place, ...names });
  const listing = { ...place, account, condition: 'new', fulfilment: 'merchant' as const, shipping: 0 };
  const listings = catalogueCents(SOLD).map(({ sku, cents, stock }, n) => ({
    ...listing,
    item: sku,
    sku,
    stock,
    price: cents,
    productId: asinOf(n),
  }));
  await saveListings(trx, { company, masterid }, listings, now);
  for (const rule of [
    demoRule('DemoUVP001', 'Günstigster bis zur UVP', 'UVP', 1),
    demoRule('DemoBox002', 'Buy Box, nie über dem Ladenpreis', 'Preis', 2),
  ])
    await saveRepricerRule(trx, { company, masterid }, rule, { author: 'Demo', expected: undefined });
}

const asinOf = (n: number) => `B0DEMO${String(n).padStart(4, '0')}`;

function demoRule(id: string, name: string, most: string, strategy: number): RepricerRule {
  const made = newRepricerRule(id);
  const field = (value: string) => ({ type: '_field' as const, value });
  const prices = { min_price: field('Einkaufspreis'), max_price: field(most), standard_price: field('Preis') };
  return { ...made, name, active: true, action: { ...made.action, strategy, diff_price: '0.01', ...prices } };
}

type MarketDeps = { database: Database; clock: Clock; ids: Ids };
type ConnectorOf = (company: string) => Connector | undefined;
export type DemoMarket = {
  connectorOf: ConnectorOf;
  /** Lets the market move often while `isWatched`. */
  watch: (isWatched: () => Promise<boolean>) => void;
  close: () => Promise<void>;
};

/** Interval in ms at which the market moves: rarely while nobody is connected, so that an unused demo costs little. */
const PACE_MS = { watched: 5000, unwatched: 120_000 };
/** Each move leads to price decisions and price updates, so while nobody is connected the market makes fewer, too. */
const MOVES_AT_ONCE = 30;

/** The kind of accounts in the sandbox: it speaks Amazon's protocol, and its marketplaces are Amazon's. */
export const sandboxKind = (connectorOf: ConnectorOf = () => undefined): ConnectorKind => ({
  ...amazon,
  id: 'sandbox',
  label: 'Sandbox',
  demo: 'Dieses Konto gehört zur Sandbox der Demo. Es braucht keine Zugangsdaten.',
  groups: [],
  settings: z.object({}),
  secrets: z.object({}),
  connect: (_deps, { company }) => connectorOf(company),
});

/** Returns what the demo company has in the sandbox: its articles there, and the orders of earlier runs. */
async function demoOf({ database, clock }: Pick<MarketDeps, 'database' | 'clock'>) {
  type Row = { company: string; account: string; item: string; sku: string; product_id: string; cents: number | null };
  return database.system(async (trx) => {
    const { rows } =
      await pg<Row>`select l.company, l.account, l.item, l.sku, l.product_id, coalesce(l.live_cents, l.price_cents) as cents
      from listings l join marketplace_accounts a on a.company = l.company and a.id = l.account
      where a.connector = 'sandbox' and a.marketplace = ${MARKETPLACE} order by l.company, l.item`.execute(trx);
    const [first] = rows;
    if (first === undefined) return undefined;
    const known = new Map(catalogueCents(SOLD).map((item) => [item.sku, item]));
    const items = rows.map(({ item, sku, product_id: asin, cents }) => {
      const usual = known.get(item)?.cents ?? cents ?? 1000;
      const { cost = Math.round(usual * 0.5), list = null } = known.get(item) ?? {};
      return { sku, asin, cents: cents ?? usual, minCents: cost, maxCents: list ?? usual };
    });
    return { company: first.company, items, orders: await knownOrders(trx, first, clock.now()) };
  });
}

/** Starts the sandbox of the demo company's account, if there is one; no other company's account uses it. */
export async function startDemoMarket({ database, clock, ids }: MarketDeps): Promise<DemoMarket | undefined> {
  const demo = await demoOf({ database, clock });
  if (demo === undefined) return undefined;
  const { company, items, orders: known } = demo;
  const credentials = { clientId: 'demo', clientSecret: ids.secret(), refreshToken: ids.secret() };
  const sandbox = await startSandbox({
    place,
    credentials,
    clock,
    chance: seeded(11),
    items,
    known,
    faults: { doubled: 0.05, delayed: 0.05, lost: 0.02, boxMissing: 0.05, ownMissing: 0.03, cent: 0.01, invalid: 0.02 },
    movesPerSecond: 1,
    movesAtOnce: MOVES_AT_ONCE,
    // About one in ten minutes over all articles; far below what raises a sales alarm for one of them.
    ordersPerHour: 0.02,
    deliver: async (messages) => {
      await takeMessages({ database, clock, ids }, company, messages.map(amazon.readMessage));
    },
  });
  // An Egress of its own: through the program's, every company could reach this machine.
  const egress = new Egress({ allowLoopback: false, own: new Set([sandbox.url]) });
  const account = { ...place, ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl };
  const connector: Connector = amazonConnector({ egress, clock }, account);
  let timer: ReturnType<typeof setInterval> | undefined;
  let closed = false;
  return {
    connectorOf: (wanted) => (wanted === company ? connector : undefined),
    watch: (isWatched) => {
      let movedAt = performance.now();
      const move = async () => {
        const isDue = performance.now() - movedAt >= PACE_MS.unwatched - PACE_MS.watched / 2;
        if ((!isDue && !(await isWatched())) || closed) return;
        movedAt = performance.now();
        await sandbox.advance(0);
      };
      // The company may have been deleted before the first page was served.
      if (!closed) timer = setInterval(() => void move(), PACE_MS.watched).unref();
    },
    close: () => {
      closed = true;
      clearInterval(timer);
      return sandbox.close();
    },
  };
}
