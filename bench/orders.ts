import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded, openServer, type Database, type Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { orderFilters, type OrderFilter } from '#shared/orders/schema.ts';
import { dueByChannel } from '#orders/list/due-orders.ts';
import { endOfToday } from '#orders/list/end-of-today.ts';
import { countOrders, findOrders } from '#orders/list/find-orders.ts';
import { orderHeaderCounts } from '#orders/list/header-counts.ts';
import { LIST_LINES, linesOfOrders } from '#orders/list/order-rows.ts';
import { orderStatistic } from '#orders/statistics/statistic.ts';
import { priceHeaderCounts } from '#repricer/control/header-counts.ts';
import { clientOf } from '../test/stages/client.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { kill, startProgram } from '../test/stages/program.ts';
import { makeOrders } from './data/order-rows.ts';

// `npm run bench:orders [-- --orders=1000000 --runs=15]`: how long a page of the order list takes with each filter and each kind
// of search, with its lines and the header's counts, and the statistic of 30 days; compared with the bare query of the same rows
// in the same run, each in a transaction of its own. The last column is the same page over HTTP. Uses PostgreSQL if its programs
// are installed (unless KONTOR_BENCH_EMBEDDED=1), otherwise the embedded database.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const count = option('orders', 1_000_000);
const runs = option('runs', 15);
const [LIST_MS, STATISTIC_MS] = [100, 50];

const folder = mkdtempSync(join(tmpdir(), 'kontor-orders-'));
const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
const postgres = programs === undefined ? undefined : await startPostgres(programs);
const databaseUrl = postgres && (await createDatabase(postgres.url, 'messung'));
const environment = { NODE_ENV: 'test', ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
let program = await startProgram(folder, environment);
const client = clientOf(() => program.url);
const company = (await client.ask(api.session)).company.id;
// The embedded database can only be opened by one process.
if (databaseUrl === undefined) await kill(program, 'SIGTERM');
const open = () =>
  databaseUrl === undefined ? openEmbedded(join(folder, 'database')) : openServer(databaseUrl, () => {});
let database: Database = await open();
const began = performance.now();
await makeOrders(database, company, count);
await pg`analyze`.execute(database.kysely);
const { rows } = await database.company(company, (trx) =>
  pg<{
    orders: number;
    lines: number;
  }>`select (select count(*) from orders) as orders, (select count(*) from order_lines) as lines`.execute(trx),
);
const where = postgres === undefined ? 'eingebettete Datenbank' : 'PostgreSQL';
const made = Math.round((performance.now() - began) / 1000);
console.log(
  `${Number(rows[0]?.orders).toLocaleString('de-DE')} Bestellungen, ${Number(rows[0]?.lines).toLocaleString('de-DE')} Positionen (${where}), angelegt in ${made} s`,
);

type Figure = {
  title: string;
  goal: number;
  bare: string;
  ours: (trx: Trx) => Promise<unknown>;
  path: string;
  init?: RequestInit;
};
const page = (more: string) => `select * from orders where company = '${company}' and ${more} limit 50`;
const middle = String(Math.floor(count / 2)).padStart(7, '0');
const known = `${String((Math.floor(count / 2) * 7919) % 1000).padStart(3, '0')}-${middle}`;
/** The same rows, by the shortest query that finds them. */
const conditions: Record<(typeof orderFilters)[number], string> = {
  offen: 'open_pieces > 0 and not pending order by ship_by',
  faellig: `open_pieces > 0 and not pending and fulfilled_by = 'merchant' and ship_by < now() + interval '1 day' order by ship_by`,
  stornowunsch: `hold = 'cancel_requested' and open_pieces > 0 order by placed_at desc`,
  klaerung: 'unclear > 0 order by placed_at desc',
  vorgemerkt: `state = 'pending' order by placed_at desc`,
  versandt: `state = 'shipped' order by placed_at desc`,
  storniert: `state = 'cancelled' order by placed_at desc`,
  retourniert: 'returned_pieces > 0 order by placed_at desc',
  alle: 'true order by placed_at desc',
};
const bySku = (sku: string) =>
  `(channel, order_id) in (select channel, order_id from order_lines where company = '${company}' and sku = '${sku}') order by placed_at desc`;
const searches: Record<string, [text: string, bare: string]> = {
  Bestellnummer: [known, `order_id = '${known}'`],
  'Anfang einer Nummer': [known.slice(0, 4), `order_id like '${known.slice(0, 4)}%' order by placed_at desc`],
  Käufernummer: ['BE-400', `buyer_order_number = 'BE-400'`],
  Artikel: ['S12345', bySku('S12345')],
  'Artikel, oft verkauft': ['S0', bySku('S0')],
  Sendungsnummer: [
    'JJD4711',
    `(channel, order_id) in (select channel, order_id from shipments where company = '${company}' and tracking <> '' and upper(tracking) = 'JJD4711')`,
  ],
  nichts: ['gibt-es-nicht', `order_id = 'gibt-es-nicht'`],
};
type Asked = { filter: OrderFilter; search?: string; channel?: string; offset?: number };
const pageFigure = (title: string, { filter, search = '', channel, offset = 0 }: Asked, bare: string): Figure => ({
  title,
  goal: LIST_MS,
  bare: `${page(bare)} offset ${offset}`,
  ours: async (trx) => {
    const today = endOfToday(new Date());
    const { orders } = await findOrders(trx, company, { filter, search, channel, offset, limit: 50 }, today);
    await linesOfOrders(trx, company, orders, LIST_LINES);
    await countOrders(trx, company, new Date(), today);
  },
  path: `/api/orders?${new URLSearchParams({ filter, search, offset: String(offset), ...(channel === undefined ? {} : { channel }) }).toString()}`,
});
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const month = { start: day(29), end: day(0) };
const figures: Figure[] = [
  ...orderFilters.map((filter) => pageFigure(`Liste: ${filter}`, { filter }, conditions[filter])),
  pageFigure('Liste: alle, Kanal', { filter: 'alle', channel: 'k1' }, `channel = 'k1' order by placed_at desc`),
  pageFigure('Liste: alle, Seite 200', { filter: 'alle', offset: 9950 }, conditions.alle),
  ...Object.entries(searches).map(([title, [search, bare]]) =>
    pageFigure(`Suche: ${title}`, { filter: 'alle', search }, bare),
  ),
  {
    title: 'Zähler der Filter',
    goal: LIST_MS,
    bare: `select count(*) from orders where company = '${company}' and open_pieces > 0 and not pending`,
    ours: (trx) => countOrders(trx, company, new Date(), endOfToday(new Date())),
    path: api.orderCounters.path,
  },
  {
    title: 'Zähler im Kopf der Seite',
    goal: LIST_MS,
    bare: `select order_id from orders where company = '${company}' and ${conditions.faellig} limit 100`,
    ours: async (trx) => {
      const principal = { company, permissions: ['read', 'ship', 'orders'] as const };
      await orderHeaderCounts(trx, principal, new Date());
      await priceHeaderCounts(trx, principal);
    },
    path: pathOf(api.liveComponentFirst, { component: 'header-counters' }),
  },
  {
    title: 'Heute fällig, je Kanal',
    goal: LIST_MS,
    bare: `select channel, count(*) from orders where company = '${company}' and ${conditions.faellig.replace(' order by ship_by', '')} group by channel`,
    ours: async (trx) => {
      const wanted = { now: new Date(), endOfToday: endOfToday(new Date()), overdue: false };
      await dueByChannel(trx, company, wanted);
    },
    path: pathOf(api.liveComponentFirst, { component: 'due-orders' }),
  },
  {
    title: 'Statistik von 30 Tagen',
    goal: STATISTIC_MS,
    bare: `select * from order_days where company = '${company}' and day between '${month.start}' and '${month.end}'`,
    ours: (trx) => orderStatistic(trx, company, month),
    path: api.orderStatistic.path,
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(month) },
  },
];

/** Returns the milliseconds of each run, sorted; a first one warms up. */
async function times(work: () => Promise<unknown>): Promise<number[]> {
  await work();
  const all: number[] = [];
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    await work();
    all.push(performance.now() - begin);
  }
  return all.toSorted((one, other) => one - other);
}
const inside = (work: (trx: Trx) => Promise<unknown>) => times(() => database.company(company, work));
const overHttp = ({ path, init }: Figure) =>
  times(async () => {
    const answer = await client.raw(path, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
  });
const measured = [];
for (const figure of figures)
  measured.push({
    figure,
    bare: await inside((trx) => pg.raw(figure.bare).execute(trx)),
    ours: await inside(figure.ours),
  });
if (databaseUrl === undefined) {
  await database.close();
  program = await startProgram(folder, environment);
}
console.log(
  `${'Messung'.padEnd(32)}${'Ziel'.padStart(8)}${'Kontor (beste … p95)'.padStart(26)}${'nackt'.padStart(10)}${'Verhältnis'.padStart(12)}${'über HTTP'.padStart(12)}`,
);
for (const { figure, bare, ours } of measured) {
  const http = at(await overHttp(figure), 0.5);
  const ms = at(ours, 0.5);
  const text = `${ms.toFixed(0)} ms (${at(ours, 0).toFixed(0)} … ${at(ours, 0.95).toFixed(0)})`;
  console.log(
    `${figure.title.padEnd(32)}${`${figure.goal} ms`.padStart(8)}${text.padStart(26)}${`${at(bare, 0.5).toFixed(1)} ms`.padStart(10)}${(ms / at(bare, 0.5)).toFixed(1).padStart(12)}${`${http.toFixed(0)} ms`.padStart(12)}  ${ms <= figure.goal ? 'ok' : 'ÜBER ZIEL'}`,
  );
}
if (databaseUrl !== undefined) await database.close();
await kill(program);
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
