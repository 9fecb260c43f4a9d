import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

/** Compressed bytes of all scripts of the start page. The budget is 210,000; lower this number when scripts shrink. */
const MOST_BYTES = 181_500;
/** Name prefixes of chunks for other pages, or loaded by a click. */
const others = ['wire-', 'editing-', 'widgets-', 'palette-', 'line-canvas-'];

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Returns the scripts that the start page loads until the network is idle, by name, with their compressed sizes. */
async function scriptsOf(page: Page): Promise<ReadonlyMap<string, number>> {
  const bodies = new Map<string, Promise<Buffer>>();
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.endsWith('.js')) bodies.set(pathname, answer.body());
  });
  await visit(page, '/');
  // Half a second without a request.
  await page.waitForLoadState('networkidle');
  const sizes = new Map<string, number>();
  for (const [name, body] of bodies) sizes.set(name, gzipSync(await body, { level: 9 }).length);
  return sizes;
}

function expectLight(scripts: ReadonlyMap<string, number>): void {
  expect(scripts.size).toBeGreaterThan(5);
  const names = [...scripts.keys()].join(' ');
  for (const other of others) expect(names).not.toContain(other);
  expect([...scripts.values()].reduce((total, size) => total + size, 0)).toBeLessThan(MOST_BYTES);
}

it('the start page of a company in its first steps loads no scripts that only other pages need', async () => {
  const page = await stage.openPage();
  await signIn(page);
  await page.context().clearCookies({ name: 'kontor_erste_schritte' });
  const scripts = await scriptsOf(page);
  expect(await page.getByRole('navigation', { name: 'Erste Schritte' }).count()).toBe(1);
  expectLight(scripts);
});

it('the start page loads no scripts that only other pages need', async () => {
  await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer');
  const page = await stage.openPage();
  await signIn(page);
  expectLight(await scriptsOf(page));
});

it("no style sheet is loaded twice, where the second would override the screen's own", async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer');
  const page = await stage.openPage();
  await signIn(page);
  for (const path of [`/master/${masterid}/artikel`, `/master/${masterid}/regeln`, `/repricer/${masterid}/dashboard`]) {
    await visit(page, path);
    // Chunks that are loaded later.
    await page.waitForLoadState('networkidle');
    const sheets = await page.evaluate<string[]>(
      `[...document.styleSheets].flatMap(({ href }) => href === null ? [] : [href.split('#')[0]])`,
    );
    expect(sheets.length).toBeGreaterThan(2);
    expect(sheets.toSorted()).toEqual([...new Set(sheets)].toSorted());
  }
});
