import type { Browser, Page } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import { articles } from '../../test/stages/repricer/articles.ts';
import { admin, askOf } from '../kontor-process.ts';

const ARTICLES = 50_000;
const CHUNK = 10_000;
const tries = 5;

export type ArticleFigures = {
  count: number;
  /** Milliseconds from the arrival of the first chunk until its rows are painted. */
  first: number;
  /** Milliseconds until painted, from a click on a column head, and from Enter in the search. */
  sorts: ReadonlyMap<string, number>;
  search: number;
  /** The page's heap in megabytes, after a garbage collection. */
  heap: number;
  /** Milliseconds of the longest task of the page's main thread while loading, and while sorting and searching. */
  loadTask: number;
  workTask: number;
};

/** Runs in the page first: records its longest task, and when the first rows of the list are painted. */
const watch = `
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries())).observe({ type: 'longtask' });
  const look = () => {
    if (document.querySelector('tbody tr[data-row]') === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { window.firstRows = performance.now(); }));
  };
  look();`;

/** Measures from an action until the rows have changed and are painted. */
const changed = (act: string) => `new Promise((done, fail) => {
  setTimeout(() => fail(new Error('nothing changed')), 20_000);
  const state = () => document.querySelector('tbody tr[data-row]')?.dataset.row + document.querySelector('nav[aria-label="Seiten"]')?.innerText;
  const before = state();
  const began = performance.now();
  ${act}
  const look = () => {
    if (state() === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  };
  look();
})`;

/** Waits until the rows have not changed for a second. */
const settled = `new Promise((done) => {
  let [rows, since] = ['', performance.now()];
  const look = () => {
    const now = [...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.dataset.row).join();
    if (now !== rows) [rows, since] = [now, performance.now()];
    if (performance.now() - since > 1000) done();
    else setTimeout(look, 50);
  };
  look();
})`;

const median = (list: readonly number[]): number =>
  list.toSorted((one, other) => one - other)[Math.floor((list.length - 1) / 2)] ?? Number.NaN;

/**
 * Measures the repricer's list of 50,000 articles in a real browser. The chunks are generated here and given to the page as the
 * server's answers, so that only the page is measured.
 */
export async function measureArticles(browser: Browser, url: string): Promise<ArticleFigures> {
  const page = await openList(browser, url);
  await page.locator('tbody tr[data-row]').first().waitFor();
  const first = await page.evaluate<number>(`new Promise((done) => {
    const [chunk] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/datalist/'));
    const look = () => (window.firstRows === undefined ? setTimeout(look, 5) : done(window.firstRows - chunk.responseEnd));
    look();
  })`);
  await page.getByText(`von ${ARTICLES.toLocaleString('de-DE')} Datensätzen`).waitFor();
  const loadTask = await longestTask(page);
  const sorts = new Map<string, number>();
  for (const head of ['Artikel-ID', 'ASIN', 'Brand', 'Messages']) sorts.set(head, await sortTime(page, head));
  const search = await searchTime(page);
  const workTask = await longestTask(page);
  const heap = await heapOf(page);
  await page.context().close();
  return { count: ARTICLES, first, sorts, search, heap, loadTask, workTask };
}

async function openList(browser: Browser, url: string): Promise<Page> {
  const ask = askOf(url);
  const { masterid } = api.createMaster.response.parse(await ask('/api/masters', { name: 'Bench' }));
  const account = { name: 'Bench', masterid, sellerId: 'BENCH', marketplace: 'A1PA6795UKMFR9' };
  await ask(api.createMarketplaceAccount.path, account);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.request.post(`${url}/api/session`, { data: admin, headers: { 'x-kontor': '1' } });
  await page.route('**/product/datalist/**', (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
    const data = articles(CHUNK, offset).map((article) => ({ ...article, masterid }));
    const finished = offset + CHUNK >= ARTICLES;
    return route.fulfill({ json: { data, total: ARTICLES, finished, pageCount: ARTICLES / CHUNK } });
  });
  await page.goto(`${url}/repricer/${masterid}/dashboard?tab=artikel`);
  return page;
}

/** Returns the longest task since the first chunk, or since the last call: the start of the page is not the list's cost. */
async function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const [chunk] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/datalist/'));
    const later = window.tasks.splice(0).filter(({ startTime }) => startTime >= chunk.responseStart);
    return Math.max(0, ...later.map(({ duration }) => duration));
  })()`);
}

/** Types a text into the search and presses Enter before the search starts by itself. */
const typed = (text: string) => `
  const field = document.querySelector('input[type=search]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${text}');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  setTimeout(() => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));`;

/** Sorts in both directions, several times. */
async function sortTime(page: Page, head: string): Promise<number> {
  const press = `[...document.querySelectorAll('thead button')].find((one) => one.innerText === '${head}').click();`;
  const found: number[] = [];
  // The first click may leave the first row unchanged.
  await page.evaluate(press);
  for (let nth = 0; nth < tries; nth += 1) {
    await page.evaluate(settled);
    found.push(await page.evaluate<number>(changed(press)));
  }
  return median(found);
}

async function searchTime(page: Page): Promise<number> {
  const found: number[] = [];
  for (let nth = 0; nth < tries; nth += 1) {
    await page.evaluate(changed(typed(nth % 2 === 0 ? 'makita' : 'zwilling')));
    await page.evaluate(settled);
    found.push(await page.evaluate<number>(changed(typed('bosch'))));
    await page.evaluate(settled);
  }
  return median(found);
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
