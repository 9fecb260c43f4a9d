import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { SavedView } from '#shared/saved-views/schema.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';
import { runExport } from '../../stages/kontor.ts';
import { googleExport, googleRows } from '../../stages/export/google-export.ts';

const csv = [
  'sku;titel;preis;bild',
  'A-1;Hammer;12,50;https://b.de/1.jpg',
  'A-2;Zange;auf Anfrage;/2.jpg',
  ...Array.from({ length: 60 }, (_, index) => `B-${index};Feile ${index};1,00;https://b.de/f${index}.jpg`),
].join('\n');

describe('transfer results', () => {
  let stage: Stage;
  let id: string;
  let fresh: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ id, fresh } = await googleExport(stage.kontor, csv, googleRows()));
  }, 180_000);
  afterAll(() => stage.close());

  const open = (path: string, options?: PageOptions, before?: (page: Page) => Promise<void>) =>
    openPage(stage, path, options, before);
  const counter = (page: Page, label: string) =>
    page.getByLabel('Zähler').locator('div', { hasText: label }).locator('dd');
  const grid = (page: Page) => page.getByRole('region', { name: 'Datensätze' });

  it('TRA-01 TRA-02 counters, three views kept in the address, page sizes, rows of 25 pixels in 65vh, CSV', async () => {
    const page = await open(`/exports/${id}/uebertragung`);
    await counter(page, 'In der Datei').getByText('62', { exact: true }).waitFor();
    await expect.poll(() => counter(page, 'Angenommen').textContent()).toBe('61');
    await expect.poll(() => counter(page, 'Abgelehnt').textContent()).toBe('1');
    await page.getByRole('heading', { name: 'Datensätze 62' }).waitFor();
    await grid(page).getByText('Hammer').waitFor();
    await expect.poll(() => grid(page).locator('tbody tr').count()).toBe(50);
    const box = await grid(page).boundingBox();
    expect(Math.round(box?.height ?? 0)).toBe(Math.round(900 * 0.65));
    const row = await grid(page).locator('tbody tr').first().boundingBox();
    expect(row?.height).toBeGreaterThanOrEqual(25);
    expect(row?.height).toBeLessThan(27);
    await expect
      .poll(() => page.getByLabel('Zeilen je Seite').locator('option').allTextContents())
      .toEqual([10, 25, 50, 100].map((size) => `${size} je Seite`));
    await page.getByLabel('Zeilen je Seite').selectOption('100');
    await page.waitForURL(/je=100/);
    await expect.poll(() => grid(page).locator('tbody tr').count()).toBe(62);
    await page.getByRole('tab', { name: 'Fehlerhaft' }).click();
    await page.waitForURL(/ansicht=fehlerhaft/);
    await page.getByRole('heading', { name: 'Datensätze 1', exact: true }).waitFor();
    await expect.poll(() => grid(page).locator('tbody tr').textContent()).toContain('ist kein Preis');
    const reason = page.getByRole('region', { name: 'Gründe' }).getByRole('button', { name: /ist kein Preis/ });
    await reason.getByText('1 Artikel').waitFor();
    await reason.click();
    await page.waitForURL(/grund=/);
    await page.getByRole('button', { name: /ist kein Preis/, pressed: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Artikelnummer suchen' }).fill('B-');
    await page.getByText('Kein Artikel dieser Ansicht passt dazu.').waitFor();
    await expectNoAxeFindings(page);
    await page.getByRole('searchbox', { name: 'Artikelnummer suchen' }).fill('a-2');
    await page.getByRole('heading', { name: 'Datensätze 1', exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Als CSV exportieren' }).click();
    expect((await download).suggestedFilename()).toMatch(/^Übertragung-.+-fehlerhaft\.csv$/);
    await page.getByRole('tab', { name: 'Alle Artikel' }).click();
    await page.waitForURL((url) => !url.search.includes('ansicht'));
    // The URL changes first: until the view does, the field is still that of the previous view.
    await page.getByRole('tab', { name: 'Alle Artikel', selected: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Artikelnummer suchen' }).fill('');
    await page.getByRole('heading', { name: 'Datensätze 62' }).waitFor();
    await expectNoAxeFindings(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it('TRA-02 the rows of another tab are not shown under the chosen one while it loads', async () => {
    const held = Promise.withResolvers<void>();
    const page = await open(`/exports/${id}/uebertragung`, {}, async (page) => {
      await page.route('**/api/transfer/data/failure/**', async (route) => {
        await held.promise;
        await route.continue();
      });
    });
    await grid(page).getByText('Hammer').waitFor();
    await page.getByRole('tab', { name: 'Fehlerhaft' }).click();
    await page.getByRole('tab', { name: 'Fehlerhaft', selected: true }).waitFor();
    expect(await page.getByText('Hammer').count()).toBe(0);
    held.resolve();
    await grid(page).getByText('A-2').waitFor();
  });

  it('a default view opens with the results, and switching tabs does not reopen it', async () => {
    const page = await open(`/exports/${fresh}/uebertragung`);
    // Views belong to the signed-in user, not to the token of the stage.
    const headers = { 'x-kontor': '1' };
    const data = { table: 'transfer', name: 'Feilen', query: 'suche=B-1' };
    const made = SavedView.parse(await (await page.request.post('/api/views', { headers, data })).json());
    const address = `/api/views/${made.id}`;
    const set = await page.request.post(`${address}/standard`, { headers, data: { standard: true } });
    expect(set.status()).toBe(200);
    await visit(page, `/exports/${id}/uebertragung`);
    await page.getByRole('button', { name: 'Ansichten: Feilen' }).waitFor();
    await page.waitForURL(/suche=B-1/);
    await visit(page, `/exports/${id}/uebertragung?ansicht=fehlerhaft`);
    await page.getByRole('heading', { name: 'Datensätze 1', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Alle Artikel' }).click();
    await page.getByRole('heading', { name: 'Datensätze 62' }).waitFor();
    await page.getByRole('button', { name: 'Ansichten', exact: true }).waitFor();
    await page.request.delete(address, { headers });
    expect(errorsOf(page)).toEqual([]);
  });

  it('a refused item shows each reason with a fix; refused items are sent again by another run', async () => {
    const page = await open(`/exports/${id}/uebertragung?ansicht=fehlerhaft`);
    await grid(page).getByRole('button', { name: 'A-2' }).click();
    const card = page.getByRole('dialog');
    await card.getByText(/ist kein Preis/).waitFor();
    await card.getByText(/keine vollständige Adresse/).waitFor();
    await expect.poll(() => card.getByRole('link', { name: /Beheben/ }).count()).toBe(2);
    await expectNoAxeFindings(page);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator(':focus').textContent()).toBe('A-2');
    await page.getByRole('button', { name: 'Fehlgeschlagene erneut senden' }).click();
    const runs = async () => (await stage.kontor.ask(api.export, { params: { id } })).lastRun?.state;
    await expect.poll(runs, { timeout: 20_000 }).toBe('done');
    await grid(page)
      .getByRole('link', { name: /Beheben/ })
      .click();
    await page.waitForURL(/erklaerung\?export=.*&feld=/);
    expect(errorsOf(page)).toEqual([]);
  });

  it('TRA-01 the counters are loaded again after a cancelled run', async () => {
    const { run: done } = await runExport(stage.kontor, id);
    const { runid } = done;
    const page = await open(`/exports/${id}/uebertragung`);
    const answer = (state: string) => ({ json: { ...done, state } });
    await page.route(`**${api.resendFailed.path.replace('{id}', id)}`, (route) => route.fulfill({ json: { runid } }));
    await page.route(`**/api/runs/${runid}`, (route) => route.fulfill(answer('running')));
    await page.route(`**/api/runs/${runid}/cancel`, (route) => route.fulfill(answer('cancelled')));
    await page.getByRole('button', { name: 'Fehlgeschlagene erneut senden' }).click();
    const again = page.waitForRequest((request) => request.url().includes('/data/sum'));
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    await again;
  });

  it('LIV-02 TRA-01 the counters are loaded again after a run that somebody else started', async () => {
    const page = await open(`/exports/${id}/uebertragung`);
    await counter(page, 'Angenommen').getByText(/\d/).waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    const again = page.waitForRequest((request) => request.url().includes('/data/sum'));
    await runExport(stage.kontor, id);
    await again;
  });

  it('LIV-02 TRA-01 the newest run is loaded if one began and ended while the page was being opened', async () => {
    const page = await open(`/exports/${id}/diagnose`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let answers = 0;
    await page.route('**/uebertragung.data*', async (route) => {
      const response = await route.fetch();
      answers += 1;
      await released;
      await route.fulfill({ response });
    });
    await page.locator(`a[href="/exports/${id}/uebertragung"]`).first().dispatchEvent('click');
    await expect.poll(() => answers).toBe(1);
    const ended = page.getByRole('banner').getByText('Google: Beendet');
    const shown = ended.waitFor();
    await runExport(stage.kontor, id);
    await shown;
    await ended.waitFor({ state: 'detached' });
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/exports/${id}`, {
      timeout: 5000,
    });
    release();
    await asked;
  });

  it('TRA-03 without data there is nothing to download', async () => {
    const page = await open(`/exports/${fresh}/uebertragung`);
    await page.getByText('Dieser Export lief noch nicht.').first().waitFor();
    await page.getByRole('link', { name: 'Als CSV exportieren', disabled: true }).waitFor();
    // What a click would do is cancelled; whether a download begins later cannot be waited for.
    const followed = await page.evaluate(
      "document.querySelector('a[download]').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    );
    expect(followed).toBe(false);
  });

  it("TRA-03 without data the server's text is shown, and there is nothing to resend", async () => {
    const page = await open(`/exports/${fresh}/uebertragung`, { width: 320, scheme: 'dark' });
    await page.getByText('Dieser Export lief noch nicht. Nach dem ersten Lauf stehen hier seine Artikel.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Fehlgeschlagene erneut senden' }).isDisabled())
      .toBe(true);
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page);
  });

  it('TRA-01 TRA-03 a failure shows FEHLER in red, an alert with the message, no rows and no pages; HTML is shown as text', async () => {
    const page = await open(`/exports/${id}/uebertragung`, {}, async (page) => {
      await page.route('**/api/transfer/data/sum/', (route) => route.fulfill({ status: 500, body: 'kaputt' }));
      await page.route('**/api/transfer/data/failure/**', (route) =>
        route.fulfill({
          status: 409,
          json: { error: { code: 'not_kept', message: 'Nicht mehr aufbewahrt.', requestId: '1' } },
        }),
      );
      await page.route('**/api/transfer/data/ready/**', (route) =>
        route.fulfill({
          json: { columns: [], data: [], total: 0, pageCount: 0, message: '<p>Leer <img src=x onerror=alert(1)></p>' },
        }),
      );
    });
    await counter(page, 'Angenommen').getByText('FEHLER').waitFor();
    await expect.poll(() => counter(page, 'Abgelehnt').textContent()).toBe('FEHLER');
    const color = await page.evaluate(`getComputedStyle(document.querySelector('dd[data-failed]')).color`);
    expect(color).toBe('rgb(180, 35, 24)');
    await page.unroute('**/api/transfer/data/sum/');
    await page.getByRole('alert').getByRole('button', { name: 'Erneut versuchen' }).click();
    await expect.poll(() => counter(page, 'Abgelehnt').textContent()).toMatch(/^\d+$/);
    await page.getByRole('tab', { name: 'Fehlerhaft' }).click();
    await page.getByRole('alert').getByText('Nicht mehr aufbewahrt.').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(0);
    await expect.poll(() => page.getByRole('navigation', { name: 'Seiten' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Bereit' }).click();
    await page.getByText('Leer', { exact: true }).waitFor();
    await expect.poll(() => grid(page).locator('img').count()).toBe(0);
  });

  it('TRA-02 a page beyond the last, e.g. after a smaller run, shows the last', async () => {
    const page = await open(`/exports/${id}/uebertragung?seite=9`);
    await grid(page).getByText('Feile 59', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?seite=2');
    expect(errorsOf(page)).toEqual([]);
  });
});
