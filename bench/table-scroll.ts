import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { MappingRow } from '#shared/assignments/schema.ts';
import { launchBrowser } from '../test/stages/chromium.ts';
import { ensureBuild } from '../scripts/bundle/build.ts';
import { measureArticles } from './viewers/article-list.ts';
import { admin, askOf, root, startKontor } from './kontor-process.ts';

// `npm run bench:table [-- --rows=20000] [--visits=5]`: how soon the first rows of a long mapping are painted and how smoothly it
// scrolls, in a real browser. A browser without a graphics card draws slowly, so a plain table is measured for comparison. Then
// the repricer's list of 50,000 articles; with `-- --articles` only that.
const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const count = Number(option('rows') ?? 20_000);
const visits = Number(option('visits') ?? 5);

/** Pixels per second: a fast turn of the wheel, and the scroll bar dragged from end to end within the time. */
const speeds = { wheel: 3000, drag: (count * 39) / 5 };
const seconds = 5;

/** Measures from the browser's request for the page until a row was painted. A text, because it runs in the page. */
const watchRows = (rows: string) => `
  const look = () => {
    if (document.querySelector('${rows}') === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { window.firstRows = performance.now(); }));
  };
  look();`;
const scroll = (region: string, speed: number) => `new Promise((done) => {
  const region = document.querySelector('${region}');
  const frames = [];
  region.scrollIntoView({ block: 'start' });
  let first, last;
  const step = (now) => {
    if (first === undefined) first = now;
    else frames.push(now - last);
    last = now;
    if (now - first >= ${seconds * 1000}) return done(frames);
    region.scrollTop = ((now - first) * ${speed}) / 1000;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

type Smoothness = { fps: number; p50: number; p95: number };

function median(list: readonly number[], share = 0.5): number {
  return list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)] ?? Number.NaN;
}

async function scrolled(page: Page, region: string, speed: number): Promise<Smoothness> {
  const frames = await page.evaluate<number[]>(scroll(region, speed));
  const fps = (frames.length * 1000) / frames.reduce((sum, one) => sum + one, 0);
  return { fps, p50: median(frames), p95: median(frames, 0.95) };
}

/** Returns the median milliseconds of several visits until the first rows are painted. */
async function firstRows(page: Page, address: string): Promise<number> {
  const found: number[] = [];
  // The first visit warms up: it is not counted.
  for (let visit = 0; visit <= visits; visit += 1) {
    await page.goto('about:blank');
    await page.goto(address, { waitUntil: 'commit' });
    found.push(
      await page.evaluate<number>(`new Promise((done) => {
        const look = () => (window.firstRows === undefined ? setTimeout(look, 5) : done(window.firstRows));
        look();
      })`),
    );
    await page.waitForTimeout(1500);
  }
  return median(found.slice(1));
}

/** Returns the same texts as a plain HTML table: no controls, no scripts, fixed columns, its own scroll region. */
function plainTable(): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const cells = ['', 'farbe', 'entspricht', `Wert ${index}`, `Ziel ${index}`, '0', 'ja', ''];
    return `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`;
  });
  return `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Liste</title><style>
    body { font: 13px sans-serif; } section { height: 630px; overflow: auto; }
    table { width: 100%; table-layout: fixed; border-collapse: collapse; } td { height: 44px; border-bottom: 1px solid #ddd; }
    </style></head><body><section tabindex="0"><table><tbody>${rows.join('')}</tbody></table></section></body></html>`;
}

async function serve(html: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

/** Creates a catalogue with a mapping of this many rows; returns its address. */
async function makeMapping(url: string): Promise<string> {
  const ask = askOf(url);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own answer
  const { masterid } = (await ask('/api/masters', { name: 'Bench' })) as { masterid: string };
  const part = { type: '_field', value: 'farbe', caption: 'farbe' };
  const data = Array.from({ length: count }, (_, index) =>
    MappingRow.parse({ id: String(index + 1), field: [part], value: `Wert ${index}`, target: `Ziel ${index}` }),
  );
  await ask(`/api/mapping/${masterid}/MapBench01/save`, { name: 'Viele', active: true, data });
  return `${url}/master/${masterid}/mappings/MapBench01`;
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const line = (title: string, ours: string, bare: string, ratio: number, good: boolean, goal: string) =>
  console.log(
    `${title.padEnd(42)}${ours.padStart(12)}${bare.padStart(12)}${ratio.toFixed(2).padStart(12)}   ${goal}  ${good ? 'ok' : 'ÜBER ZIEL'}`,
  );

/** Measures a mapping of many rows, and a plain table for comparison. */
async function measureMapping(browser: Browser, url: string, plain: { url: string }): Promise<void> {
  const address = await makeMapping(url);
  const open = async (rows: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(watchRows(rows));
    return page;
  };
  const bare = await open('tbody tr');
  const bareFirst = await firstRows(bare, plain.url);
  const bareWheel = await scrolled(bare, 'section', speeds.wheel);
  const bareDrag = await scrolled(bare, 'section', speeds.drag);
  await bare.context().close();

  const page = await open('tbody tr[data-row]');
  await page.request.post(`${url}/api/session`, { data: admin, headers: { 'x-kontor': '1' } });
  const first = await firstRows(page, address);
  const empty = await open('main');
  await empty.context().addCookies(await page.context().cookies());
  const emptyFirst = await firstRows(empty, `${url}/einstellungen`);
  await empty.context().close();
  // Waits until everything that is fetched and counted after the first rows is complete.
  await page.locator(`table[aria-rowcount="${count + 1}"]`).waitFor();
  await page.waitForTimeout(4000);
  const wheel = await scrolled(page, 'section:has(> div > table)', speeds.wheel);
  await page.waitForTimeout(1000);
  const drag = await scrolled(page, 'section:has(> div > table)', speeds.drag);

  const rows = count.toLocaleString('de-DE');
  console.log(
    `\n${'Messung'.padEnd(42)}${'Kontor'.padStart(12)}${'Vergleich'.padStart(12)}${'Verhältnis'.padStart(12)}`,
  );
  line(
    `Erste Zeilen von ${rows} zu sehen`,
    ms(first),
    ms(bareFirst),
    first / bareFirst,
    first <= 300,
    'gegen einfache Tabelle (<= 300 ms)',
  );
  line('', ms(first), ms(emptyFirst), first / emptyFirst, first <= 300, 'gegen leere Seite von Kontor');
  for (const [title, ours, theirs] of [
    ['Rollen mit dem Rad (3.000 px/s)', wheel, bareWheel],
    ['Ziehen von Ende zu Ende (5 s)', drag, bareDrag],
  ] as const) {
    line(
      `${title}: Bilder/s`,
      ours.fps.toFixed(1),
      theirs.fps.toFixed(1),
      ours.fps / theirs.fps,
      ours.fps >= 50,
      'gegen einfache Tabelle (>= 50)',
    );
    line('  Bild, Mitte', ms(ours.p50), ms(theirs.p50), ours.p50 / theirs.p50, ours.p50 <= 20, '');
    line('  Bild, 95 von 100', ms(ours.p95), ms(theirs.p95), ours.p95 / theirs.p95, ours.p95 <= 40, '');
  }
}

/** Measures the repricer's list of articles against absolute goals, because it has no baseline. */
async function printArticles(browser: Browser, url: string): Promise<void> {
  const { count: articleCount, first, sorts, search, heap, loadTask, workTask } = await measureArticles(browser, url);
  const row = (title: string, value: string, good: boolean, goal: string) =>
    console.log(`${title.padEnd(60)}${value.padStart(12)}   ${goal}  ${good ? 'ok' : 'ÜBER ZIEL'}`);
  console.log(`\nArtikelliste des Repricers, ${articleCount.toLocaleString('de-DE')} Artikel`);
  row('Erste Zeilen nach dem ersten Stück', ms(first), first <= 500, '<= 500 ms');
  for (const [head, time] of sorts) row(`Sortieren nach ${head}`, ms(time), time <= 300, '<= 300 ms');
  row('Suchen in allen Feldern', ms(search), search <= 300, '<= 300 ms');
  row('Speicher der Seite', `${heap.toFixed(0)} MB`, heap <= 300, '<= 300 MB');
  row('Längste Aufgabe beim Laden', ms(loadTask), loadTask <= 100, '<= 100 ms');
  row('Längste Aufgabe beim Sortieren und Suchen', ms(workTask), workTask <= 100, '<= 100 ms');
}

await ensureBuild(root);
const folder = await mkdtemp(join(tmpdir(), 'kontor-bench-table-'));
const plain = await serve(plainTable());
const { url, child } = await startKontor(folder);
const browser = await launchBrowser();
try {
  if (!process.argv.includes('--articles')) await measureMapping(browser, url, plain);
  await printArticles(browser, url);
} finally {
  await browser.close();
  child.kill('SIGTERM');
  plain.close();
  await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
}
