import { setTimeout as wait } from 'node:timers/promises';
import type { Faults } from '#marketplaces/sandbox/faults.ts';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../../../seed/random.ts';
import { clientOf } from '../client.ts';
import { fastClock } from '../fast-clock.ts';
import { openTestDatabase } from '../kontor.ts';
import { undercutting } from './offer-message.ts';
import { kill, startProgram, type Program } from '../program.ts';

export type ChaosOptions = {
  folder: string;
  /** Address of a database server; absent: the embedded database. */
  databaseUrl?: string;
  /** With a server: number of further processes that decide and send prices, which are not killed. */
  workers?: number;
  items: number;
  /** Real seconds in total, number of kills in them, and how much faster time runs for the program and the sandbox. */
  seconds: number;
  kills: number;
  speed: number;
  /** Probability of each fault. */
  bad: number;
  movesPerSecond: number;
  log?: (line: string) => void;
};

/** The results of a day: what the sandbox counted, and what the program recorded. */
export type ChaosReport = {
  kills: number;
  events: number;
  decisions: Record<string, number>;
  submissions: Record<string, number>;
  /** Counted at the sandbox. */
  prices: number;
  outside: number;
  repeated: number;
  overRate: number;
  accepted: number;
  live: number;
  invalid: number;
  /** Submissions without a decision, or with another price than the decided one; prices at the sandbox without a submission. */
  withoutDecision: number;
  unexplained: number;
  /** Submissions still 'sending' or 'unknown' at the end. */
  unresolved: number;
};

export const place = { marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR', currency: 'EUR' };
export const credentials = { clientId: 'amzn1.test', clientSecret: 'geheim', refreshToken: 'Atzr|test' };

/** Offers of 15 euros within 10 and 20, as the sandbox has them. */
export const soldItems = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    sku: `S${n}`,
    asin: `B${n}`,
    cents: 1500,
    minCents: 1000,
    maxCents: 2000,
  }));

const faultsOf = (bad: number): Partial<Faults> => ({
  throttle: bad,
  error500: bad,
  error503: bad,
  cutBefore: bad,
  cutAfter: bad,
  html: bad,
  tokenEarly: bad / 5,
  invalid: bad,
  neverLive: bad,
  foreignCurrency: bad,
  delayed: bad,
  doubled: bad,
  lost: bad,
  ownMissing: bad,
  boxMissing: bad,
  otherCase: bad,
  cent: bad,
  moon: bad,
  negativeShipping: bad,
  otherCurrency: bad,
});

/** One item in `1 / bad` has bounds of one of these kinds: none, zero, nonsense, ambiguous, reversed. */
const badLimits = [
  ['', '20,00'],
  ['0', '20,00'],
  ['NaN', '20,00'],
  ['1.299', '20,00'],
  ['20,00', '10,00'],
  ['10,00', ''],
] as const;

export const csvOf = (items: number, bad: number): string =>
  [
    'sku;von;bis;normal',
    ...Array.from({ length: items }, (_, n) => {
      const every = Math.max(2, Math.round(1 / bad));
      const [min, max] =
        n % every === every - 1 ? (badLimits[n % badLimits.length] ?? badLimits[0]) : ['10,00', '20,00'];
      return `A-${n};${min};${max};15,00`;
    }),
  ].join('\n');

/** Runs the whole program against the sandbox, kills it repeatedly, and returns the results. */
export async function priceChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { folder, databaseUrl, workers = 0, items, seconds, kills, speed, bad, log = () => {} } = options;
  // Ahead, so that a new rule is not held back by its first quarter of an hour.
  const clock = `${Date.now()}:${speed}:20`;
  const environment = {
    KONTOR_EGRESS_LOOPBACK: '1',
    NODE_ENV: 'test',
    KONTOR_TEST_CLOCK: clock,
    KONTOR_LOG: 'error',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  let program: Program | undefined = await startProgram(folder, environment);
  const client = clientOf(() => program?.url ?? 'http://127.0.0.1:9');
  const { masterid } = await client.ask(api.createMaster, {}, { name: 'Chaos' });
  await client.ended(await client.upload(masterid, csvOf(items, bad)), 300);
  const sandbox = await startSandbox({
    place,
    credentials,
    clock: fastClock(clock),
    chance: seeded(5),
    items: soldItems(items),
    faults: faultsOf(bad),
    movesPerSecond: options.movesPerSecond / speed,
    rateFactor: Math.max(1, options.movesPerSecond / 5 / speed),
    everyMs: 200,
    deliver: async (messages) => {
      await client.ask(api.takeOffers, { masterid }, messages);
    },
  });
  const others: Program[] = [];
  try {
    for (let n = 0; n < workers; n++)
      others.push(await startProgram(folder, { ...environment, KONTOR_ROLE: 'worker' }));
    log('Katalog steht.');
    await sell(client, sandbox, masterid, items);
    log('Verkauf beginnt.');
    for (let turn = 0; turn < kills; turn++) {
      await wait((seconds * 1000) / (kills + 1));
      await pricesCome(sandbox);
      await kill(program);
      program = await startProgram(folder, environment);
      // Breakers trip in such a market; a user checks and releases them.
      await client.ask(api.releasePrices, { masterid }, { what: 'breakers', reason: 'Test' });
      log(`${turn + 1}. Abbruch: ${JSON.stringify(sandbox.counters)}`);
    }
    await wait((seconds * 1000) / (kills + 1));
    // No faults at the end, so that open outcomes can be found out.
    sandbox.setFaults({});
    log(`Ende: ${JSON.stringify(sandbox.counters)}`);
    await calm(client, speed);
    await Promise.all([program, ...others].map((one) => kill(one, 'SIGTERM')));
    program = undefined;
    return await report({ folder, databaseUrl }, sandbox, kills);
  } finally {
    await sandbox.close();
    await Promise.all([...others, ...(program === undefined ? [] : [program])].map((one) => kill(one)));
  }
}

type Client = ReturnType<typeof clientOf>;

/**
 * Creates an account in the sandbox, sells every article there, and adds a rule that undercuts the cheapest by a cent. Returns
 * the account's id.
 */
export async function sell(client: Client, sandbox: Sandbox, masterid: string, items: number): Promise<string> {
  const { id } = await client.ask(
    api.createMarketplaceAccount,
    {},
    {
      ...place,
      masterid,
      name: 'Sandbox',
      settings: { ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl },
      active: true,
    },
  );
  const listing = {
    marketplace: place.marketplace,
    account: id,
    condition: 'new',
    fulfillment: 'MFN',
    currency: 'EUR',
  };
  for (let first = 0; first < items; first += 5000) {
    const some = Array.from({ length: Math.min(5000, items - first) }, (_, n) => ({
      ...listing,
      shipping: 0,
      price: 1500,
      stock: null,
      item: `A-${first + n}`,
      sku: `S${first + n}`,
      asin: `B${first + n}`,
    }));
    await client.ask(api.saveListings, { masterid }, some);
  }
  const rule = undercutting('Chaosregel', 'Chaos', ['von', 'bis', 'normal']);
  await client.ask(api.saveRepricerRule, { masterid, ruleid: rule.id }, rule);
  return id;
}

/** Waits for some more prices, so that a kill hits prices on their way; only some seconds, because a breaker may hold all. */
async function pricesCome({ counters }: Sandbox): Promise<void> {
  const [before, until] = [counters.prices, Date.now() + 5000];
  while (counters.prices < before + 3 && Date.now() < until) await wait(20);
}

/** Stops all waiting prices, and waits some simulated minutes until sent ones have been read back. */
async function calm(client: Client, speed: number): Promise<void> {
  await client.ask(api.stopPrices, {}, { stopped: true, reason: 'Ende' });
  await wait(Math.max(5000, (5 * 60_000) / speed));
}

async function report(
  { folder, databaseUrl }: Pick<ChaosOptions, 'folder'> & { databaseUrl: string | undefined },
  sandbox: Sandbox,
  kills: number,
): Promise<ChaosReport> {
  const database = await openTestDatabase(folder, databaseUrl);
  try {
    return await database.system((trx) => priceRecord(trx, sandbox, kills));
  } finally {
    await database.close();
  }
}

/** Returns what the sandbox counted, and what the program recorded for the companies that the transaction sees. */
export async function priceRecord(trx: Trx, { counters, world }: Sandbox, kills: number): Promise<ChaosReport> {
  type Count = { name: string; n: number };
  const tally = (rows: readonly Count[]) => Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
  const decisions = await pg<Count>`select concat(reason, case when held = '' then '' else ' / ' || held end) as name,
        count(*) as n from price_decisions group by 1 order by 2 desc`.execute(trx);
  const submissions = await pg<Count>`select state as name, count(*) as n from price_submissions group by 1`.execute(
    trx,
  );
  const orphans = await pg<{ n: number }>`select count(*) as n from price_submissions s
        left join price_decisions d on d.company = s.company and d.id = s.decision
        where d.id is null or s.price_cents not between d.min_cents and d.max_cents`.execute(trx);
  const sent = await pg<{
    sku: string;
    price: number;
  }>`select distinct sku, price_cents as price from price_submissions
        where sends > 0 or state in ('sending', 'unknown')`.execute(trx);
  const known = new Set(sent.rows.map(({ sku, price }) => `${sku} ${price}`));
  const states = tally(submissions.rows);
  return {
    kills,
    events: counters.messages,
    decisions: tally(decisions.rows),
    submissions: states,
    prices: counters.prices,
    outside: counters.outside,
    repeated: counters.repeated,
    overRate: counters.overRate,
    accepted: counters.accepted,
    live: counters.live,
    invalid: counters.invalid,
    withoutDecision: Number(orphans.rows[0]?.n ?? 0),
    unexplained: [...world.articles.values()].filter(
      ({ sku, live, cents }) => live !== cents && !known.has(`${sku} ${live}`),
    ).length,
    unresolved: (states['sending'] ?? 0) + (states['unknown'] ?? 0),
  };
}
