import { setTimeout as wait } from 'node:timers/promises';
import { between, Faults, happens } from '#marketplaces/sandbox/faults.ts';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../../../seed/random.ts';
import { clientOf } from '../client.ts';
import { fastClock } from '../fast-clock.ts';
import { openTestDatabase } from '../kontor.ts';
import { Merchant, worksThere } from './order-merchant.ts';
import { isSettled, reportOf, type OrderChaosReport } from './order-chaos-report.ts';
import { credentials, place, soldItems } from '../repricer/price-chaos.ts';
import { kill, startProgram, type Program } from '../program.ts';

export type OrderChaosOptions = {
  folder: string;
  /** Address of a database server; absent: the embedded database. */
  databaseUrl?: string;
  orders: number;
  /** Simulated days, number of kills in them, and real seconds that the program runs each time. */
  days: number;
  kills: number;
  lifeSeconds: number;
  /** How much faster time runs while the program is running; while it is stopped, time jumps. */
  speed: number;
  /** Probability of each fault. */
  bad: number;
  log?: (line: string) => void;
};

const ARTICLES = 500;
const MINUTE = 60_000;
const faultsOf = (bad: number): Partial<Faults> => {
  const {
    invalid: _1,
    neverLive: _2,
    foreignCurrency: _3,
    cent: _4,
    moon: _5,
    negativeShipping: _6,
    ...rest
  } = Faults.shape;
  const all = Object.fromEntries(Object.keys(rest).map((name) => [name, bad]));
  // A token is used for many calls, so this fault affects far more of them than the others.
  return { ...all, tokenEarly: bad / 5 };
};

/** Runs the whole program on some days of orders against the sandbox, kills it repeatedly, and returns the results. */
export async function orderChaos(options: OrderChaosOptions): Promise<OrderChaosReport> {
  const { folder, databaseUrl, orders, days, kills, lifeSeconds, speed, bad, log = () => {} } = options;
  const lives = kills + 1;
  const livedMinutes = (lives * lifeSeconds * speed) / 60;
  const jumpMinutes = Math.max(0, (days * 24 * 60 - livedMinutes) / lives);
  const begin = Date.now();
  let ahead = 0;
  const clockText = () => `${begin}:${speed}:${ahead}`;
  const clock = { now: () => fastClock(clockText()).now() };
  const start = () =>
    startProgram(folder, {
      KONTOR_EGRESS_LOOPBACK: '1',
      NODE_ENV: 'test',
      KONTOR_TEST_CLOCK: clockText(),
      KONTOR_LOG: 'warn',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    });
  let output = '';
  let program: Program | undefined = await start();
  const stop = async (signal: NodeJS.Signals) => {
    if (program === undefined) return;
    output += program.output();
    await kill(program, signal);
    program = undefined;
  };
  const client = clientOf(() => program?.url ?? 'http://127.0.0.1:9');
  const company = (await client.ask(api.session)).company.id;
  const { masterid } = await client.ask(api.createMaster, {}, { name: 'Chaos' });
  const chance = seeded(5);
  const sandbox = await startSandbox({
    place,
    credentials,
    clock,
    chance,
    items: soldItems(ARTICLES),
    faults: faultsOf(bad),
    // The program runs only part of the week, but has to make the calls of the whole week.
    rateFactor: Math.max(1, (days * 24 * 60) / livedMinutes),
    everyMs: 200,
    deliver: async (messages) => {
      await client.ask(api.takeOffers, { masterid }, messages);
    },
  });
  try {
    const settings = { ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl };
    const account = { ...place, masterid, name: 'Sandbox', settings, active: true };
    const { id: channel } = await client.ask(api.createMarketplaceAccount, {}, account);
    const merchant = new Merchant(client, channel, chance);
    for (let life = 0; life < lives; life++) {
      const until = performance.now() + lifeSeconds * 1000;
      const share = Math.round(((life + 1) * orders) / lives) - sandbox.counters.orders;
      for (let turn = 0; performance.now() < until; turn++) {
        // The first run begins with orders of a calm market.
        buy(sandbox, turn === 0 ? share : 0, clock.now().getTime(), life === 0 ? MINUTE : jumpMinutes * MINUTE, bad);
        shipThere(sandbox, clock.now().getTime());
        await merchant.turn();
        await wait(250);
      }
      if (life === kills) break;
      await stop('SIGKILL');
      ahead += jumpMinutes;
      program = await start();
      log(`${life + 1}. Abbruch: ${JSON.stringify(brief(sandbox))} ${JSON.stringify(merchant.answers)}`);
    }
    // No faults at the end, so that open outcomes can be found out.
    sandbox.setFaults({});
    for (let round = 0; round < 60; round++) {
      await wait(Math.min(4000, lifeSeconds * 1000));
      await merchant.end();
      await stop('SIGTERM');
      const database = await openTestDatabase(folder, databaseUrl);
      const left = await isSettled(database, company, clock.now());
      await database.close();
      log(`Ruhe ${round + 1}: ${left} ${merchant.waiting.join(' ')}`);
      if (left === '' && merchant.waiting.length === 0) break;
      ahead += round === 0 ? 26 * 60 : 45;
      program = await start();
    }
    await stop('SIGTERM');
    const database = await openTestDatabase(folder, databaseUrl);
    try {
      return await reportOf(database, company, sandbox, { kills, output, answers: merchant.answers });
    } finally {
      await database.close();
    }
  } finally {
    await sandbox.close();
    await stop('SIGKILL');
  }
}

/** Places orders of one to three lines, within some time up to now. */
function buy({ book }: Sandbox, count: number, now: number, within: number, bad: number): void {
  const chance = seeded(count + book.orders.size);
  const times = Array.from({ length: count }, () => now - Math.floor(chance.next() * within)).toSorted(
    (one, other) => one - other,
  );
  for (const at of times) {
    const first = between(chance, 0, ARTICLES - 3);
    const lines = Array.from({ length: between(chance, 1, 3) }, (_, n) => ({
      sku: `S${first + n}`,
      quantity: between(chance, 1, 3),
    }));
    book.buy({ lines, at, cancelAt: happens(chance, bad) ? at + between(chance, 1, 600) * MINUTE : null });
  }
}

/** The marketplace ships its own orders, and the merchant ships some of his on the marketplace's page. */
function shipThere({ book }: Sandbox, clock: number): void {
  for (const order of book.orders.values()) {
    if (order.parcels.length > 0 || order.lines.some(({ cancelled }) => cancelled > 0)) continue;
    if (!order.byAmazon && !order.programs.includes('FBM_SHIP_PLUS') && !worksThere(order.id)) continue;
    if (clock < order.paidAt) continue;
    book.shipOnSite(
      order.id,
      '901',
      `SEITE-${order.id}`,
      order.lines.map(({ id, ordered }) => ({ line: id, quantity: ordered })),
    );
  }
}

const brief = ({ counters }: Sandbox) => {
  const { orders, cancelled, shipments, late, refunds, shippedTwice, cancelledTwice, refundedTwice } = counters;
  return { orders, cancelled, shipments, late, refunds, shippedTwice, cancelledTwice, refundedTwice };
};
