import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';
import { pg } from '#platform/db/pg.ts';
import { openServer } from '#platform/db/database.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../seed/random.ts';
import { clientOf } from '../test/stages/client.ts';
import { fastClock } from '../test/stages/fast-clock.ts';
import { credentials, place, soldItems } from '../test/stages/repricer/price-chaos.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { kill, startProgram } from '../test/stages/program.ts';

// `npm run bench:order-flow [-- --rate=100 --seconds=10 --ship=1000 --factor=10]`: from the message of a new order until its page
// can be opened (message, hint, getOrder, merge), at `rate` orders a second (`--seconds=60`: the full figure); then `ship` orders
// selected in the list are sent through the outbox at `factor` times the marketplace's own rate of two a second, while the
// program's memory is measured. Uses PostgreSQL if its programs are installed (unless KONTOR_BENCH_EMBEDDED=1), otherwise the
// embedded database.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const rate = option('rate', 100);
const seconds = option('seconds', 10);
const ship = Math.min(option('ship', 1000), rate * seconds);
const factor = option('factor', 10);
const [GOAL_MS, TICKS] = [2000, 10];
/** Confirmed parcels a second that the marketplace allows any seller. */
const SHIP_RATE = 2;

const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
const postgres = programs === undefined ? undefined : await startPostgres(programs);
const databaseUrl = postgres && (await createDatabase(postgres.url, 'messung'));
const folder = mkdtempSync(join(tmpdir(), 'kontor-flow-'));
const clock = `${Date.now()}:1:0`;
const program = await startProgram(folder, {
  KONTOR_EGRESS_LOOPBACK: '1',
  NODE_ENV: 'test',
  KONTOR_TEST_CLOCK: clock,
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
});
const client = clientOf(() => program.url);
const { masterid } = await client.ask(api.createMaster, {}, { name: 'Messung' });
const sandbox = await startSandbox({
  place,
  credentials,
  clock: fastClock(clock),
  chance: seeded(3),
  items: soldItems(100),
  // Reading is not measured here, so its rate is not limited.
  rateFactor: 1000,
  deliver: async (messages) => {
    await client.ask(api.takeOffers, { masterid }, messages);
  },
});
const settings = { ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl };
const account = { ...place, masterid, name: 'Sandbox', settings, active: true };
const { id: channel } = await client.ask(api.createMarketplaceAccount, {}, account);
// The first call returns this seller's rates.
const first = sandbox.book.buy({ lines: [{ sku: 'S0', quantity: 1 }] });
await sandbox.advance(0);
while (!(await isVisible(first?.id ?? ''))) await wait(50);

const began = new Map<string, number>();
const took: number[] = [];
const waiting = new Set<string>();
const over = new AbortController();
const watching = watch();
const started = performance.now();
for (let tick = 0; tick < seconds * TICKS; tick++) {
  for (let n = 0; n < rate / TICKS; n++) {
    const order = sandbox.book.buy({
      lines: [1, 2].map((one) => ({ sku: `S${(tick + n + one) % 100}`, quantity: 1 })),
    });
    if (order === undefined) continue;
    began.set(order.id, performance.now());
    waiting.add(order.id);
  }
  void sandbox.advance(0);
  await wait(Math.max(0, started + ((tick + 1) * 1000) / TICKS - performance.now()));
}
await sandbox.advance(0);
const until = performance.now() + 120_000;
while (waiting.size > 0 && performance.now() < until) await wait(50);
over.abort();
await watching;
const intakeMs = performance.now() - started;
const sorted = took.toSorted((one, other) => one - other);
const where = postgres === undefined ? 'eingebettete Datenbank' : 'PostgreSQL';
console.log(
  `Eingang ${rate}/s über ${seconds} s (${where}): ${sorted.length} von ${began.size} sichtbar, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, längste ${at(1)} ms; ` +
    `aufgenommen ${Math.round((sorted.length * 1000) / intakeMs)}/s; Ziel p95 <= ${GOAL_MS} ms: ${at(0.95) <= GOAL_MS && waiting.size === 0 ? 'ok' : 'ÜBER ZIEL'}`,
);
const bare = await bareInsert();
if (bare !== undefined)
  console.log(
    `Dieselben Zeilen nackt eingefügt, eine Bestellung je Transaktion: ${Math.round((sorted.length * 1000) / bare)}/s; Verhältnis ${(intakeMs / bare).toFixed(1)} (darin die Zeit, die die Meldungen sich lassen)`,
  );
await shipAll();
await kill(program);
await sandbox.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

function at(share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

async function isVisible(order: string): Promise<boolean> {
  return (await client.raw(`/api/orders/${order}`)).status === 200;
}

/** Checks which orders are visible, newest first, until all are; one request lists at most 100 orders. */
async function watch(): Promise<void> {
  while (!over.signal.aborted) {
    for (let offset = 0; waiting.size > 0 && offset < 10_000; offset += 100) {
      const answer = await client.raw(`/api/orders?filter=alle&limit=100&offset=${offset}`);
      const { rows, total } = api.orders.response.parse(await answer.json());
      let news = 0;
      for (const { orderid } of rows) {
        if (!waiting.delete(orderid)) continue;
        news += 1;
        took.push(performance.now() - (began.get(orderid) ?? Number.NaN));
      }
      // Older orders were seen already, unless one came late: then all pages are read.
      if (offset + 100 >= total || (news === 0 && waiting.size < rate)) break;
    }
    await wait(20);
  }
}

/** Returns the database's minimum in milliseconds: inserting as many orders with two lines, each in a transaction of its own. */
async function bareInsert(): Promise<number | undefined> {
  if (databaseUrl === undefined) return undefined;
  const database = openServer(databaseUrl, () => {});
  await pg`create table nackt (like orders including all)`.execute(database.kysely);
  await pg`create table nackt_lines (like order_lines including all)`.execute(database.kysely);
  const ids = [...began.keys()];
  const { company } = await client.ask(api.session);
  const begin = performance.now();
  for (const id of ids)
    await database.company(company.id, async (trx) => {
      await pg`insert into nackt select * from orders where company = ${company.id} and channel = ${channel} and order_id = ${id}`.execute(
        trx,
      );
      await pg`insert into nackt_lines select * from order_lines where company = ${company.id} and channel = ${channel} and order_id = ${id}`.execute(
        trx,
      );
    });
  const ms = performance.now() - begin;
  await database.close();
  return ms;
}

/** Returns the resident memory of the program in MB. */
function memory(): number {
  const status = readFileSync(`/proc/${program.process.pid}/status`, 'utf8');
  return Math.round(Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024);
}

async function shipAll(): Promise<void> {
  const ids = [...began.keys()].slice(0, ship);
  const before = memory();
  const parcels = ids.map((orderid, n) => ({ orderid, channel, carrier: 'DHL', tracking: `JJD${n}` }));
  const begin = performance.now();
  const { results } = await client.ask(api.shipOrders, {}, { parcels });
  const asked = performance.now() - begin;
  const refused = results.filter(({ ok }) => !ok);
  const seen: number[] = [];
  const end = performance.now() + Math.max(60_000, (ship / (SHIP_RATE * factor)) * 5000);
  while (sandbox.counters.shipments < ship - refused.length && performance.now() < end) {
    seen.push(memory());
    await wait(500);
  }
  const ms = performance.now() - begin;
  const third = Math.max(1, Math.floor(seen.length / 3));
  const mean = (list: readonly number[]) =>
    Math.round(list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length));
  const { shipments, shippedTwice, overRate } = sandbox.counters;
  console.log(
    `Versand von ${ship}: vermerkt in ${(asked / 1000).toFixed(1)} s, beim Marktplatz ${shipments} in ${(ms / 1000).toFixed(1)} s (${((shipments * 1000) / ms).toFixed(1)}/s), ` +
      `doppelt ${shippedTwice}, zu schnell ${overRate}, abgelehnt ${refused.length} ${refused[0]?.message ?? ''}; ` +
      `Speicher vorher ${before} MB, erstes Drittel ${mean(seen.slice(0, third))} MB, letztes ${mean(seen.slice(-third))} MB`,
  );
}
