import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded, openServer, type Database, type Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { stockEffect } from '#orders/stock/effect.ts';
import { recomputeItems } from '#orders/stock/recompute.ts';
import { saveStockSettings } from '#orders/stock/settings.ts';
import { api } from '#shared/http/api.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { clientOf } from '../test/stages/client.ts';
import { kill, startProgram } from '../test/stages/program.ts';

// `npm run bench:stock [-- --items=100000 --history=500000 --orders=10000 --runs=9]`: how long computing the stock of a catalogue
// takes, for the first time (PostgreSQL has no statistics on its rows yet) and after new orders, for two channels fed by files;
// compared with the shortest query that returns the same numbers without writing them, in the same run. Then the effect of a
// change of the settings, for three accounts that list every article. Uses PostgreSQL if its programs are installed (unless
// KONTOR_BENCH_EMBEDDED=1).
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const [items, history, orders, runs] = [
  option('items', 100_000),
  option('history', 500_000),
  option('orders', 10_000),
  option('runs', 9),
];
const GOAL_MS = 2000;
const LINES = 3;
const master = 'katalog';
const accounts = ['konto-1', 'konto-2', 'konto-3'];

const folder = mkdtempSync(join(tmpdir(), 'kontor-stock-'));
const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
const postgres = programs === undefined ? undefined : await startPostgres(programs);
const databaseUrl = postgres && (await createDatabase(postgres.url, 'messung'));
const environment = { NODE_ENV: 'test', ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
const program = await startProgram(folder, environment);
const company = (await clientOf(() => program.url).ask(api.session)).company.id;
// The program's own worker would compute it, too.
await kill(program, 'SIGTERM');
const database: Database =
  databaseUrl === undefined ? await openEmbedded(join(folder, 'database')) : openServer(databaseUrl, () => {});
const inside = <T>(work: (trx: Trx) => Promise<T>) => database.company(company, work);

const settings = StockSettings.parse({
  field: 'bestand',
  buffer_percent: 5,
  channels: ['laden', 'markt'].map((id) => ({ id, active: true, floor: 1, cap: null, share: 80 })),
});
const effectDeps = { database, duckdb: await DuckDb.open({ folder }), storagePaths: storagePathsIn(folder) };
const now = new Date();
const sourceAt = new Date(now.getTime() - 2 * 3_600_000);
const compute = (trx: Trx) =>
  recomputeItems(trx, { company, master }, { settings, sourceAt, items: undefined, now: new Date() });

/** Inserts orders of some lines each; old ones are shipped, new ones are open. */
async function addOrders(first: number, count: number, open: boolean): Promise<void> {
  const at = open ? pg`now() - interval '1 hour'` : pg`now() - interval '60 days'`;
  const state = open ? 'open' : 'shipped';
  const chunk = 50_000;
  for (let from = first; from < first + count; from += chunk) {
    const to = Math.min(from + chunk, first + count) - 1;
    await inside(async (trx) => {
      await pg`insert into orders (company, channel, order_id, channel_name, source, placed_at, changed_at, seen_at, currency, state,
          open_pieces, line_count, day)
        select ${company}, 'laden', 'B-' || n, 'Laden', 'call', ${at}, ${at}, ${at}, 'EUR', ${state}, ${open ? LINES : 0}::int, ${LINES}::int,
          current_date from generate_series(${from}::int, ${to}::int) n`.execute(trx);
      await pg`insert into order_lines (company, channel, order_id, line_id, placed_at, position, sku, master, item, ordered, shipped, unit_cents)
        select ${company}, 'laden', 'B-' || n, p::text, ${at}, p, 'A-' || a, ${master}, 'A-' || a, 1, ${open ? 0 : 1}::int, 1000
        from generate_series(${from}::int, ${to}::int) n, generate_series(1, ${LINES}::int) p,
          lateral (select (n::bigint * 7919 + p * 104729) % ${items}::int as a) x`.execute(trx);
    });
  }
}

/** Returns the milliseconds of each run, sorted; each is rolled back, so that all start from the same data. */
async function times(work: (trx: Trx) => Promise<unknown>, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let run = 0; run < count; run++) {
    const begin = performance.now();
    await inside(async (trx) => {
      await work(trx);
      all.push(performance.now() - begin);
      throw new TakenBack();
    }).catch((error: unknown) => {
      if (!(error instanceof TakenBack)) throw error;
    });
  }
  return all.toSorted((one, other) => one - other);
}
class TakenBack extends Error {}

/** Inserts what the effect of settings also reads: a live snapshot, accounts at marketplaces, and their listings. */
async function addChannels(): Promise<void> {
  await inside(async (trx) => {
    await pg`insert into snapshots (company, master, number, runid, items, fields, source, created_at)
      values (${company}, ${master}, 1, 'lauf', ${items}::int, '[]', 'upload', ${sourceAt.toISOString()}::timestamptz)`.execute(
      trx,
    );
    await pg`update masters set live_snapshot = 1 where company = ${company} and id = ${master}`.execute(trx);
    for (const account of accounts) {
      await pg`insert into marketplace_accounts (company, id, master, name, connector, marketplace, seller_id)
        values (${company}, ${account}, ${master}, ${account}, 'sandbox', ${account}, 'A3WIR')`.execute(trx);
      await pg`insert into listings (company, master, marketplace, account, sku, item, product_id, fulfilment)
        select ${company}, ${master}, ${account}, ${account}, 'A-' || n, 'A-' || n, 'P-' || n, 'merchant'
        from generate_series(0, ${items - 1}::int) n`.execute(trx);
    }
  });
}

/** Measures a change of the settings: a larger buffer, other channels. */
async function effectTimes(count: number): Promise<number[]> {
  const changed = StockSettings.parse({
    ...settings,
    buffer_percent: 20,
    channels: accounts.map((id) => ({ id, active: true, floor: 2, cap: 10, share: 70 })),
  });
  const all: number[] = [];
  for (let run = 0; run < count; run++) {
    const begin = performance.now();
    await stockEffect(effectDeps, { company, master }, changed);
    all.push(performance.now() - begin);
  }
  return all.toSorted((one, other) => one - other);
}

const bare = (trx: Trx) =>
  pg
    .raw(`select i.item, greatest(0, i.on_hand - coalesce(r.n, 0) - (i.on_hand * 5 + 99) / 100) as available
    from stock_items i left join (select item, sum(ordered - shipped - cancelled) as n from order_lines
      where company = '${company}' and master = '${master}' and item is not null and ordered > shipped + cancelled group by item) r on r.item = i.item
    where i.company = '${company}' and i.master = '${master}'`)
    .execute(trx);

await addOrders(0, Math.floor(history / LINES), false);
await inside(async (trx) => {
  await trx.insertInto('masters').values({ company, id: master, name: 'Katalog' }).execute();
  await saveStockSettings(trx, { company, masterid: master }, settings, { author: 'Messung', expected: 0 });
  await pg`insert into stock_items (company, master, item, on_hand, source)
    select ${company}, ${master}, 'A-' || n, 5 + n % 50, 'ok' from generate_series(0, ${items - 1}::int) n`.execute(
    trx,
  );
});
await addChannels();
const first = await times(compute, 1);
await inside(compute);
const firstEffect = await effectTimes(1);
await addOrders(history, orders, true);
await pg`analyze`.execute(database.kysely);
console.log(
  `${items.toLocaleString('de-DE')} Artikel, ${history.toLocaleString('de-DE')} alte Positionen, ${orders.toLocaleString('de-DE')} neue Bestellungen (${postgres === undefined ? 'eingebettete Datenbank' : 'PostgreSQL'})`,
);
await times(bare, 1);
const known = await times(bare, runs);
await times(compute, 1);
const ours = await times(compute, runs);
const effect = await effectTimes(runs);
console.log(
  `${'Messung'.padEnd(36)}${'Ziel'.padStart(9)}${'Kontor (beste … p95)'.padStart(28)}${'nackt'.padStart(10)}${'Verhältnis'.padStart(12)}`,
);
report('Bestand zum ersten Mal', first);
report('Bestand nach neuen Bestellungen', ours);
report('Wirkung der Einstellungen zum ersten Mal', firstEffect);
report('Wirkung der Einstellungen', effect);
await database.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

function report(title: string, measured: readonly number[]): void {
  const [ms, base] = [at(measured, 0.5), at(known, 0.5)];
  const text = `${ms.toFixed(0)} ms (${at(measured, 0).toFixed(0)} … ${at(measured, 0.95).toFixed(0)})`;
  const goal = title.endsWith('Mal') ? '' : `${GOAL_MS} ms`;
  const verdict = goal === '' ? '' : ms <= GOAL_MS ? 'ok' : 'ÜBER ZIEL';
  console.log(
    `${title.padEnd(36)}${goal.padStart(9)}${text.padStart(28)}${`${base.toFixed(0)} ms`.padStart(10)}${(ms / base).toFixed(1).padStart(12)}  ${verdict}`,
  );
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
