import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openPage,
  openStage,
  type PageOptions,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { fixed, googleExport, googleRows, source } from '../../stages/export/google-export.ts';

const csv = [
  'sku;titel;preis;bild',
  'A-1;Hammer;12,50;http://127.0.0.1:9/1.jpg',
  'A-2;;9,99;http://127.0.0.1:9/2.jpg',
  'A-3;Zange;auf Anfrage;http://127.0.0.1:9/3.jpg',
  ...Array.from({ length: 30 }, (_, index) => `B-${index};Feile ${index};1,00;/feile-${index}.jpg`),
].join('\n');
const construction = googleRows({ description: source('titel'), condition: fixed('wie neu') });

describe('diagnosis of an export', () => {
  let stage: Stage;
  let id: string;
  let fresh: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ id, fresh } = await googleExport(stage.kontor, csv, construction));
  }, 180_000);
  afterAll(() => stage.close());

  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);
  const problem = (page: Page, sentence: string | RegExp) => page.getByRole('article', { name: sentence });

  it('shows readiness, problems with their items, and links to each fix', async () => {
    const page = await open(`/exports/${id}/diagnose`);
    await page.getByRole('heading', { name: '0 % der Artikel sind bereit' }).waitFor();
    const price = problem(page, /ist kein Preis/);
    await expect.poll(() => price.textContent()).toContain('1\u00a0Artikel');
    await price.getByRole('button', { name: 'Artikel zeigen' }).click();
    await price.getByRole('link', { name: 'A-3', exact: true }).waitFor();
    await expect.poll(() => price.locator('mark').textContent()).toBe('auf Anfrage');
    await price.getByRole('link', { name: /Beheben/ }).click();
    await page.waitForURL(/erklaerung\?export=.*&feld=price/);
    expect(errorsOf(page)).toEqual([]);
  });

  it('long lists of items come page by page', async () => {
    const page = await open(`/exports/${id}/diagnose?feld=image_link`);
    const image = problem(page, /keine vollständige Adresse/);
    await image.getByRole('button', { name: 'Artikel zeigen' }).click();
    await image.getByText('20 von 30 gezeigt').waitFor();
    await image.getByRole('button', { name: 'Weitere zeigen' }).click();
    await image.getByText('30 von 30 gezeigt').waitFor();
  });

  it('filters and an item are kept in the address', async () => {
    const page = await open(`/exports/${id}/diagnose?schwere=error&artikel=A-2`);
    await page.getByText(/^\d+\u00a0Probleme?$/).waitFor();
    await page.getByLabel('Feld', { exact: true }).selectOption('condition');
    await page.waitForURL(/feld=condition/);
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    const fix = problem(page, /den der Kanal nicht kennt/).getByRole('link', { name: 'Im Feldaufbau beheben' });
    await expect.poll(() => fix.getAttribute('href')).toBe(`/exports/${id}/feldaufbau?zeile=z7`);
  });

  it('the current state is checked on request', async () => {
    const page = await open(`/exports/${id}/diagnose`);
    await page.getByRole('button', { name: 'Jetzt prüfen' }).click();
    await page.getByText('Jetziger Stand, eben geprüft').waitFor();
    await page.getByRole('button', { name: 'Zurück zum Lauf' }).click();
    await page
      .getByText(/^Lauf vom/)
      .first()
      .waitFor();
  });

  it('export page and overview show the readiness', async () => {
    const page = await open(`/exports/${id}`);
    await page.getByRole('link', { name: '0 % bereit' }).click();
    await page.waitForURL(/diagnose/);
    await visit(page, '/');
    await page.getByRole('link', { name: '0 % bereit' }).waitFor();
  });

  it('pictures are checked on request, and unchecked ones are counted', async () => {
    const page = await open(`/exports/${id}/diagnose`);
    await page.getByText('Noch nicht geprüft, ob die Bilder').waitFor();
    await page.getByRole('button', { name: 'Bilder prüfen' }).click();
    await page.getByText(/von 3\u00a0Bildern geprüft/).waitFor();
  });

  it('items with errors can be left out by a switch in the settings', async () => {
    const page = await open(`/exports/${fresh}/einstellungen`);
    await page.getByRole('switch', { name: 'Artikel mit Fehlern auslassen' }).check({ force: true });
    await page.keyboard.press('Control+s');
    await page.getByText('Gespeichert', { exact: true }).first().waitFor();
    const { settings } = await stage.kontor.ask(api.export, { params: { id: fresh } });
    expect(settings.omitInvalid).toBe(true);
  });

  it('says when nothing has run or there is nothing to check', async () => {
    const page = await open(`/exports/${fresh}/diagnose`);
    await page.getByRole('heading', { name: 'Noch kein Lauf' }).waitFor();
    await page.getByRole('button', { name: 'Jetzt prüfen' }).click();
    await page.getByRole('heading', { name: 'Nichts zu prüfen' }).waitFor();
    // The free format belongs to no channel that could require anything.
    await page.getByText('Jeder Artikel von „Frei“ auf Ihre Pflichtfelder geprüft').waitFor();
  });

  it('the views button and the filters are next to each other', async () => {
    const page = await open(`/exports/${id}/diagnose`);
    const [views, severity] = await Promise.all([
      page.getByRole('button', { name: 'Ansichten' }).boundingBox(),
      page.getByLabel('Schwere').boundingBox(),
    ]);
    if (views === null || severity === null) throw new Error('Not shown.');
    expect(severity.x - (views.x + views.width)).toBeLessThan(20);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)('has no findings of axe and does not scroll sideways: %s, %i', async (scheme, width) => {
    const page = await open(`/exports/${id}/diagnose?artikel=A-2`, { scheme, width });
    const image = problem(page, /keine vollständige Adresse/);
    await image.getByRole('button', { name: 'Artikel zeigen' }).click();
    await image.getByText('20 von 30 gezeigt').waitFor();
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    const shots = process.env['KONTOR_SHOTS'];
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/diagnose-${scheme}-${width}.png`, fullPage: true });
  });
});
