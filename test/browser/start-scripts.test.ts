import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, signIn, type Stage, visit } from '../stages/browser.ts';
import { masterWith } from '../stages/kontor.ts';

/** Bytes of all scripts of the start page as they travel. Goal 210,000; whoever takes more out lowers this. */
const MOST_BYTES = 288_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer');
});
afterAll(() => stage.close());

it('the start page loads no scripts that only other pages need', async () => {
  const page = await stage.openPage();
  await signIn(page);
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.endsWith('.js')) scripts.set(pathname, answer.body());
  });
  await visit(page, '/');
  const sizes = await Promise.all([...scripts.values()].map(async (body) => gzipSync(await body, { level: 9 }).length));
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  const names = [...scripts.keys()].join(' ');
  for (const other of ['editing-', 'widgets-', 'palette-', 'line-canvas-']) expect(names).not.toContain(other);
});
