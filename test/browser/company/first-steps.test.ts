import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

it('hidden first steps stay hidden until „Erste Schritte wieder zeigen“ shows them again', async () => {
  const page = await stage.openPage();
  await signIn(page);
  const strip = page.getByRole('navigation', { name: 'Erste Schritte' });
  // Pages of tests start with the strip hidden.
  await visit(page, '/');
  expect(await strip.count()).toBe(0);
  await visit(page, '/konto');
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Erste Schritte wieder zeigen' }).click();
  await strip.waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await visit(page, '/konto');
  expect(await page.getByText('Erste Schritte wieder zeigen').count()).toBe(0);
  await visit(page, '/');
  await strip.getByRole('button', { name: 'Erste Schritte ausblenden' }).click();
  await strip.waitFor({ state: 'detached' });
  await visit(page, '/');
  expect(await strip.count()).toBe(0);
  expect(errorsOf(page)).toEqual([]);
});
