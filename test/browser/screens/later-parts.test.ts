import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoAxeFindings, openStage, type Stage, openPage } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

describe('parts of a page loaded on first use', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, 'sku;farbe\nA-1;rot\nA-2;blau\n');
  }, 120_000);
  afterAll(() => stage.close());

  const title = 'Dieser Teil der Seite konnte nicht geladen werden';
  const open = (path: string) => openPage(stage, path);
  /** Makes the part's file fail to load, as without a network. */
  const lose = (page: Page, part: RegExp) => page.route(part, (route) => route.abort());

  it('GEN-05 a palette that fails to load is reported, can be closed, and keeps typed input, each time', async () => {
    const page = await open(`/master/${masterid}/regeln`);
    await page.getByRole('button', { name: 'Neue Regel' }).first().click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Noch nicht gespeichert');
    await lose(page, /\/palette-[^/]*\.js/);
    await page.keyboard.press('Control+k');
    const notice = page.getByRole('alert').filter({ hasText: title });
    await notice.waitFor();
    expect(await name.inputValue()).toBe('Noch nicht gespeichert');
    await notice.getByRole('button', { name: 'Schließen' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await notice.waitFor();
    await page.unroute(/\/palette-[^/]*\.js/);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await name.inputValue()).toBe('Noch nicht gespeichert');
  });

  it('a confirmation refused by Escape while its dialog was loading does not open afterwards', async () => {
    const page = await open('/einstellungen');
    const held = Promise.withResolvers<void>();
    const chunk = /\/asked-back-dialog-[^/]*\.js/;
    await page.route(chunk, async (route) => {
      await held.promise;
      await route.continue();
    });
    const error = { code: 'step_up_required', message: 'Bitte bestätigen Sie, dass Sie es sind.', requestId: 'r1' };
    await page.route('**/api/sign-in-policy', (route) => route.fulfill({ status: 403, json: { error } }));
    const asked = page.waitForRequest(chunk);
    await page.getByRole('switch', { name: 'Zweiter Faktor erforderlich' }).click({ force: true });
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('Fehler beim Speichern').waitFor({ timeout: 5000 });
    const loaded = page.waitForResponse(chunk);
    held.resolve();
    await loaded;
    await page.waitForTimeout(500);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('GEN-05 facets that fail to load are reported in their place and appear at the next attempt', async () => {
    const page = await open(`/master/${masterid}/artikel`);
    await lose(page, /\/item-facets-[^/]*\.js/);
    await page.getByRole('button', { name: 'Facetten' }).click();
    const notice = page.getByRole('alert').filter({ hasText: title });
    await notice.waitFor();
    await expectNoAxeFindings(page);
    await page.unroute(/\/item-facets-[^/]*\.js/);
    await notice.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByRole('complementary', { name: 'Facetten' }).waitFor();
    expect(await notice.count()).toBe(0);
  });
});
