import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { openServer } from '#platform/db/database.ts';
import { api } from '#shared/http/api.ts';
import { type Call, pathOf } from '#shared/http/call.ts';
import { ensureBuild } from '../scripts/bundle/build.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { alive } from '../test/stages/browser.ts';
import { launchBrowser } from '../test/stages/chromium.ts';
import { makeDashboardRows } from './data/dashboard-rows.ts';
import { admin, askOf, benchToken, root, startKontor } from './kontor-process.ts';
import { makeOrders } from './data/order-rows.ts';

// `npm run bench:dashboards [-- --articles=50000 --orders=100000 --visits=3 --runs=20]`: for every dashboard at full size, when
// it is first painted, when it reacts, how many scripts it loads and the memory of its tab; and how long its calls take. On
// PostgreSQL.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const [articles, orders, visits, runs] = [
  option('articles', 50_000),
  option('orders', 100_000),
  option('visits', 3),
  option('runs', 20),
];
/** The budgets of a page and of a call. Only the overview has one for scripts. */
const goals = { paint: 1000, answers: 2000, overviewScripts: 210, heap: 300, call: 300 };
const SELLER = 'BENCH';

type Visit = { paint: number; answers: number; scripts: number; heap: number };

const median = (list: readonly number[], share = 0.5): number =>
  list.toSorted((one, other) => one - other)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN;
const number = (value: number) => value.toLocaleString('de-DE', { maximumFractionDigits: 0 });
const verdict = (good: boolean) => (good ? 'ok' : 'ÜBER ZIEL');

/** Opens a dashboard without any cache, and waits until the element `shown` exists and the page reacts. */
async function visit(browser: Browser, cookies: Awaited<ReturnType<typeof signIn>>, address: string, shown: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (answer) => {
    if (new URL(answer.url()).pathname.endsWith('.js')) scripts.push(answer.body());
  });
  await page.goto(address, { waitUntil: 'commit' });
  await alive(page);
  await page.locator(shown).first().waitFor({ timeout: 60_000 });
  const answers = await page.evaluate<number>('performance.now()');
  const paint = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  await page.waitForTimeout(1500);
  const found: Visit = { paint, answers, scripts: await kilobytes(scripts), heap: await heapOf(page) };
  await context.close();
  return found;
}

async function kilobytes(scripts: readonly Promise<Buffer>[]): Promise<number> {
  const bodies = await Promise.all(scripts);
  return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1000;
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
}

async function signIn(browser: Browser, url: string) {
  const context = await browser.newContext();
  await context.request.post(`${url}/api/session`, { data: admin, headers: { 'x-kontor': '1' } });
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** Creates a catalogue with all its articles imported, and an account that sells them. */
async function makeCatalogue(url: string): Promise<{ master: string; account: string }> {
  const ask = askOf(url);
  const { masterid: master } = api.createMaster.response.parse(await ask(api.createMaster.path, { name: 'Messung' }));
  const lines = Array.from(
    { length: articles },
    (_, n) => `A-${n + 1};Akku-Bohrschrauber ${n};${10 + (n % 90)},99;${n % 50}`,
  );
  const form = new FormData();
  form.set('file', new Blob([['sku;titel;preis;bestand', ...lines].join('\n')]), 'artikel.csv');
  const headers = { authorization: `Bearer ${benchToken}` };
  const imported = await fetch(url + pathOf(api.import, { masterid: master }), { method: 'POST', body: form, headers });
  const { runid } = api.import.response.parse(await imported.json());
  for (let state = 'queued'; state !== 'done';) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const answer = await fetch(url + pathOf(api.run, { runid }), { headers });
    ({ state } = api.run.response.parse(await answer.json()));
    if (['failed', 'cancelled', 'blocked'].includes(state)) throw new Error(`the import is ${state}`);
  }
  await ask(pathOf(api.saveStockSettings, { masterid: master }), { field: 'bestand' });
  const wanted = { name: 'Messung', masterid: master, sellerId: SELLER, marketplace: 'A1PA6795UKMFR9' };
  const made = z.object({ id: z.string() }).parse(await ask(api.createMarketplaceAccount.path, wanted));
  return { master, account: made.id };
}

async function printPages(browser: Browser, url: string, master: string): Promise<void> {
  const cookies = await signIn(browser, url);
  const repricer = `/repricer/${master}/dashboard?tab=`;
  const dashboards: [title: string, path: string, shown: string][] = [
    ['Übersicht', '/', 'main h1'],
    ['Repricer: Nachrichten', `${repricer}nachrichten`, 'main canvas'],
    ['Repricer: Ränge', `${repricer}raenge`, 'main table tbody tr'],
    ['Repricer: Händler', `${repricer}haendler`, 'main table tbody tr'],
    ['Repricer: Artikelliste', `${repricer}artikel`, 'main tbody tr[data-row]'],
    ['Auswertung der Bestellungen', '/bestellungen/auswertung', 'main canvas'],
    ['Bestand', '/bestand', 'main tbody tr'],
  ];
  console.log(
    `\n${'Seite'.padEnd(30)}${'gemalt'.padStart(10)}${'antwortet'.padStart(12)}${'Skripte'.padStart(10)}${'Speicher'.padStart(10)}   Ziele ${goals.paint} ms, ${goals.answers} ms, Übersicht ${goals.overviewScripts} KB, ${goals.heap} MB`,
  );
  for (const [title, path, shown] of dashboards) {
    const found: Visit[] = [];
    // The first visit warms up: it is not counted.
    for (let nth = 0; nth <= visits; nth += 1) found.push(await visit(browser, cookies, url + path, shown));
    const middle = (of: (one: Visit) => number) => median(found.slice(1).map(of));
    const [paint, answers, scripts, heap] = [
      middle((one) => one.paint),
      middle((one) => one.answers),
      middle((one) => one.scripts),
      middle((one) => one.heap),
    ];
    const good =
      paint <= goals.paint &&
      answers <= goals.answers &&
      heap <= goals.heap &&
      (path !== '/' || scripts <= goals.overviewScripts);
    console.log(
      `${title.padEnd(30)}${`${number(paint)} ms`.padStart(10)}${`${number(answers)} ms`.padStart(12)}${`${number(scripts)} KB`.padStart(10)}${`${number(heap)} MB`.padStart(10)}   ${verdict(good)}`,
    );
  }
}

type Asked = { params?: Record<string, string>; query?: Record<string, string>; body?: object };

async function printCalls(url: string, masterid: string): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const month = { start: day(29), end: day(0) };
  const seller = { sellerid: SELLER };
  const query = { masterid };
  const calls: [title: string, call: Call, asked: Asked][] = [
    ['Kennzahlen von 30 Tagen', api.repricerStatistic, { query, body: month }],
    ['Namen der Händler', api.sellerNames, {}],
    ['BuyBox jetzt, am Mindestpreis', api.repricerFigures, { params: seller, query }],
    ['Artikelliste, erstes Stück (500)', api.repricedArticles, { params: seller, query: { ...query, limit: '500' } }],
    [
      'Artikelliste, ein Stück (10.000)',
      api.repricedArticles,
      { params: seller, query: { ...query, offset: '20000' } },
    ],
    ['Artikel eines Rangs', api.articlesOfRank, { params: { ...seller, rank: '2' }, query }],
    ['Artikel eines Händlers', api.articlesOfCompetitor, { params: { ...seller, competitor: 'K7' }, query }],
    [
      'Preise eines Artikels, 30 Tage',
      api.articlePrices,
      {
        params: { ...seller, articleId: 'A-1' },
        query: { ...query, start: `${month.start}T00:00:00Z`, end: `${month.end}T23:59:59Z` },
      },
    ],
    ['Wartende Preise', api.waitingPrices, {}],
    ['Auswertung von 30 Tagen', api.orderStatistic, { body: month }],
    ['Bestand, eine Seite', api.stock, { params: query }],
  ];
  console.log(
    `\n${'Aufruf'.padEnd(36)}${'p50'.padStart(10)}${'p95'.padStart(10)}${'Antwort'.padStart(12)}   Ziel p95 ${goals.call} ms`,
  );
  for (const [title, call, { params, query: search = {}, body }] of calls) {
    const times: number[] = [];
    let bytes = 0;
    for (let run = 0; run <= runs; run += 1) {
      const began = performance.now();
      const answer = await fetch(`${url}${pathOf(call, params)}?${new URLSearchParams(search).toString()}`, {
        method: call.method,
        headers: { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json' },
        ...(call.method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${call.path}: ${answer.status} ${text}`);
      bytes = text.length;
      if (run > 0) times.push(performance.now() - began);
    }
    const p95 = median(times, 0.95);
    console.log(
      `${title.padEnd(36)}${`${number(median(times))} ms`.padStart(10)}${`${number(p95)} ms`.padStart(10)}${`${number(bytes / 1000)} KB`.padStart(12)}   ${verdict(p95 <= goals.call)}`,
    );
  }
}

const programs = postgresPrograms();
if (programs === undefined) throw new Error('bench:dashboards needs the programs of PostgreSQL (Debian: postgresql)');
await ensureBuild(root);
const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-dashboards-'));
const postgres = await startPostgres(programs);
const databaseUrl = await createDatabase(postgres.url, 'messung');
const { url, child } = await startKontor(folder, { DATABASE_URL: databaseUrl });
const browser = await launchBrowser();
try {
  const { master, account } = await makeCatalogue(url);
  const session = await fetch(url + api.session.path, { headers: { authorization: `Bearer ${benchToken}` } });
  const company = api.session.response.parse(await session.json()).company.id;
  const database = openServer(databaseUrl, () => {});
  await makeDashboardRows(database, { company, master, account, seller: SELLER, articles });
  await makeOrders(database, company, orders);
  await database.close();
  console.log(`${number(articles)} Artikel, 30 Tage, ${number(orders)} Bestellungen`);
  await printCalls(url, master);
  await printPages(browser, url, master);
} finally {
  await browser.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
