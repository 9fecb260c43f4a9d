import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalogueColumns, catalogueCsv } from '../../../seed/catalogue.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

const items = 12_000;

describe('the items grid', () => {
  let stage: Stage;
  let masterid: string;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
    // Without pictures: they have a test of their own, and a row's height depends on them.
    const text = [...catalogueCsv(items)].join('').replaceAll(/https:\/\/bilder\.nordkap\.example\/\S*?\.jpg/g, '');
    masterid = await masterWith(stage.kontor, text);
  }, 180_000);
  afterAll(() => stage.close());
  beforeEach(async () => {
    page = await stage.openPage();
    await signIn(page);
    await page.context().addCookies([{ name: 'kontor_artikel_laden', value: 'paged', url: stage.kontor.url }]);
    await visit(page, `/master/${masterid}/artikel`);
  });

  const heading = (text: string | RegExp) => page.getByRole('heading', { level: 1, name: text });
  const grid = () => page.getByRole('region', { name: 'Datensätze' });
  const rows = () => grid().locator('tbody tr');
  const count = async () => Number(((await page.locator('h1').textContent()) ?? '').replaceAll(/\D/g, ''));
  const columnTexts = async (title: string) => {
    const head = grid().getByRole('columnheader', { name: new RegExp(`^${title}`) });
    const index = await head.first().getAttribute('aria-colindex');
    return (await grid().locator(`tbody td[aria-colindex="${index}"]`).allInnerTexts()).map((text) => text.trim());
  };
  /** With this many columns only the visible ones are rendered. */
  const scrollTo = (title: (typeof catalogueColumns)[number]) =>
    page.evaluate(
      `document.querySelector('section[aria-label="Datensätze"]').scrollTo({ left: ${(catalogueColumns.indexOf(title) - 3) * 170} })`,
    );
  /** Loading 12,000 items in three answers takes longer than a click may. */
  const loaded = () =>
    page.getByRole('progressbar', { name: 'lade Daten' }).waitFor({ state: 'detached', timeout: 60_000 });
  /** Visits as a browser without the cookie that leaves the paging to the server. */
  const visitAnew = async (query = '') => {
    await page.context().clearCookies({ name: 'kontor_artikel_laden' });
    await visit(page, `/master/${masterid}/artikel${query}`);
  };
  const waitForQuery = (part: string) => page.waitForURL((url) => decodeURIComponent(url.search).includes(part));

  it('ITE-01 GEN-01 the heading counts in German; the grid loads chunks of 5000 and shows the progress', async () => {
    const asked: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    await page.route('**/api/items/data?*', async (route) => {
      const query = new URL(route.request().url()).searchParams;
      asked.push(`${query.get('offset')}+${query.get('limit')}`);
      if (query.get('offset') === '0') await first.promise;
      if (query.get('offset') === '10000') await held.promise;
      await route.continue();
    });
    await visitAnew();
    await heading('12.000 Datensätze').waitFor();
    await page.getByText('0 von 12.000', { exact: true }).waitFor();
    // Meanwhile the server's page is shown.
    await expect.poll(() => rows().count()).toBe(50);
    first.resolve();
    await page.getByText('10.000 von 12.000').waitFor({ timeout: 60_000 });
    await page.getByText('lade Daten', { exact: true }).waitFor();
    const bar = page.getByRole('progressbar', { name: 'lade Daten' });
    await expect.poll(async () => Math.round(Number(await bar.getAttribute('aria-valuenow')))).toBe(83);
    held.resolve();
    await loaded();
    expect(asked).toEqual(['0+5000', '5000+5000', '10000+5000']);
    await heading('12.000 Datensätze').waitFor();

    // From now on the browser searches and sorts by itself, with the server's results; the URL still contains the query.
    const server: string[] = [];
    page.on('request', (request) => server.push(new URL(request.url()).pathname));
    await page.getByRole('searchbox', { name: 'In allen Feldern suchen' }).fill('überspannungsschutz');
    await page.getByText('passen zu Suche und Filter').waitFor();
    const local = await count();
    await scrollTo('Bestand');
    await grid().getByRole('button', { name: 'Bestand', exact: true }).click();
    await grid().locator('th[aria-sort="ascending"]').waitFor();
    await waitForQuery('sortierung=');
    expect(new URL(page.url()).searchParams.get('suche')).toBe('überspannungsschutz');
    expect(asked).toHaveLength(3);
    expect(server.filter((path) => path.includes('artikel'))).toEqual([]);
    const stocks = await columnTexts('Bestand');
    await page.unrouteAll();
    await page.context().addCookies([{ name: 'kontor_artikel_laden', value: 'paged', url: stage.kontor.url }]);
    await visit(page, page.url());
    await expect.poll(() => count()).toBe(local);
    await scrollTo('Bestand');
    await expect.poll(() => columnTexts('Bestand')).toEqual(stocks);
    expect(errorsOf(page)).toEqual([]);
  });

  it('ITE-02 chooses columns: at most 3 labels, Übernehmen saves show 0 and 1 and loads the grid anew', async () => {
    const field = page.getByRole('combobox', { name: 'Spalten' });
    await expect.poll(() => field.getAttribute('placeholder')).toBe('Select Fields');
    await page.getByText('+57', { exact: true }).waitFor();
    // At 1280 px the column names are not truncated.
    const cut = `[...document.querySelectorAll('.mantine-Pill-label')]
      .filter((label) => label.textContent === 'Artikelnummer').map((label) => label.scrollWidth - label.clientWidth)`;
    expect(await page.evaluate(cut)).toEqual([0]);
    await field.fill('Kurzbeschreibung');
    await page.getByRole('option', { name: 'Kurzbeschreibung' }).click();
    await expectNoAxeFindings(page);
    const saved = page.waitForRequest('**/api/items/fields/update');
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    const body = (await saved).postDataJSON() as { masterid: string; updatedColumns: { name: string; show: 0 | 1 }[] };
    expect(body.masterid).toBe(masterid);
    expect(body.updatedColumns).toHaveLength(catalogueColumns.length);
    expect(body.updatedColumns.filter(({ show }) => show === 0).map(({ name }) => name)).toEqual(['Kurzbeschreibung']);
    await grid()
      .getByRole('columnheader', { name: /^Kurzbeschreibung/ })
      .waitFor({ state: 'detached' });
    await page.getByText('+56', { exact: true }).waitFor();
    await field.fill('Kurzbeschreibung');
    await page.getByRole('option', { name: 'Kurzbeschreibung' }).click();
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    await grid()
      .getByRole('columnheader', { name: /^Kurzbeschreibung/ })
      .waitFor();
    await page.getByText('+57', { exact: true }).waitFor();
  });

  it('GEN-05 a failed save of the columns is reported, and the choice stays', async () => {
    await page.route('**/api/items/fields/update', (route) => route.abort());
    const field = page.getByRole('combobox', { name: 'Spalten' });
    await field.fill('Kurzbeschreibung');
    await page.getByRole('option', { name: 'Kurzbeschreibung' }).click();
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    await page.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Aktualisieren:'))).toBe(true);
    await page.getByText('+56', { exact: true }).waitFor();
  });

  it('GEN-05 a card that cannot be loaded is reported, and opens after another attempt', async () => {
    await page.route('**/api/items/data/id/*', (route) => route.abort());
    await rows().first().getByRole('button').first().click();
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    await card.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Laden der Daten:'))).toBe(true);
    await page.unrouteAll();
    await card.getByRole('button', { name: 'Erneut versuchen' }).click();
    await card.getByRole('rowheader').first().waitFor();
  });

  it('ITE-02 ITE-07 filters by a column, and the CSV download holds exactly this selection', async () => {
    await grid().getByRole('button', { name: 'Marke filtern' }).click();
    await page.getByLabel('Bedingung').selectOption({ label: 'ist gleich' });
    await page.getByRole('textbox', { name: 'Wert' }).fill('KÜBLER');
    await page.getByRole('button', { name: 'Filtern', exact: true }).click();
    const chip = page.getByRole('list', { name: 'Filter' }).getByText('Marke ist gleich „KÜBLER“');
    await chip.waitFor();
    const found = await count();
    expect(found).toBeGreaterThan(100);
    await expect.poll(async () => new Set(await columnTexts('Marke'))).toEqual(new Set(['Kübler']));
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Als CSV exportieren' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    const table: string[][] = parse(await readFile(await file.path(), 'utf8'), { delimiter: ';', bom: true });
    expect(table).toHaveLength(found + 1);
    const brand = table[0]?.indexOf('Marke') ?? -1;
    expect(new Set(table.slice(1).map((row) => row[brand]))).toEqual(new Set(['Kübler']));

    await visit(page, page.url());
    await chip.waitFor();
    await expect.poll(() => count()).toBe(found);
    await page.getByRole('button', { name: /^Filter entfernen: Marke/ }).click();
    await heading('12.000 Datensätze').waitFor();

    await scrollTo('Bestand');
    await grid().getByRole('button', { name: 'Bestand filtern', exact: true }).click();
    await page.getByLabel('Bedingung').selectOption({ label: 'liegt zwischen' });
    await page.getByRole('textbox', { name: 'Von' }).fill('viel');
    await page.getByText('Bitte geben Sie eine Zahl ein').waitFor();
    await page.getByRole('textbox', { name: 'Von' }).fill('10');
    await page.getByRole('textbox', { name: 'Bis' }).fill('20');
    await page.getByRole('textbox', { name: 'Bis' }).press('Enter');
    await page.getByText('Bestand liegt zwischen „10“ und „20“').waitFor();
    await expect
      .poll(async () => (await columnTexts('Bestand')).map(Number).every((stock) => stock >= 10 && stock <= 20))
      .toBe(true);
  });

  it('ITE-03 shows 50 rows of 30 px in 75vh and offers 10, 25, 50 and 100', async () => {
    const sizes = page.getByRole('combobox', { name: 'Zeilen je Seite' });
    await expect
      .poll(() => sizes.locator('option').allInnerTexts())
      .toEqual(['10 je Seite', '25 je Seite', '50 je Seite', '100 je Seite']);
    await expect.poll(() => rows().count()).toBe(50);
    await expect.poll(async () => (await rows().first().boundingBox())?.height).toBe(30);
    await expect.poll(async () => (await grid().boundingBox())?.height).toBe(0.75 * 900);
    for (const size of [10, 100]) {
      await sizes.selectOption(String(size));
      await page.getByText(`1–${size} von 12.000 Datensätzen`).waitFor();
      await expect.poll(() => rows().count()).toBe(size);
    }
    await visit(page, page.url());
    await expect.poll(() => rows().count()).toBe(100);
    await visit(page, `/master/${masterid}/artikel?seite=9999&je=100`);
    await page.getByText('11.901–12.000 von 12.000 Datensätzen').waitFor();
    expect(new URL(page.url()).searchParams.get('seite')).toBe('120');
  });

  it('ITE-07 sorts and pages on the server; the address keeps it through a reload', async () => {
    await scrollTo('Bestand');
    await grid().getByRole('button', { name: 'Bestand', exact: true }).click();
    await waitForQuery('sortierung=');
    await grid()
      .getByRole('columnheader', { name: /^Bestand/ })
      .and(page.locator('[aria-sort="ascending"]'))
      .waitFor();
    await grid().getByRole('button', { name: 'Bestand', exact: true }).click();
    await waitForQuery('richtung=ab');
    const sorted = grid().locator('th[aria-sort="descending"]');
    await sorted.waitFor();
    const stocks = (await columnTexts('Bestand')).map(Number);
    expect(stocks[0]).toBe(499);
    expect(stocks).toEqual(stocks.toSorted((a, b) => b - a));
    await page.getByRole('button', { name: 'Nächste Seite' }).click();
    await page.getByText('51–100 von 12.000 Datensätzen').waitFor();
    await page.evaluate(`document.querySelector('section[aria-label="Datensätze"]').scrollTo({ left: 0 })`);
    await grid()
      .getByRole('columnheader', { name: /^Artikelnummer/ })
      .waitFor();
    const second = await columnTexts('Artikelnummer');
    await visit(page, page.url());
    await page.getByText('Seite 2 von 240').waitFor();
    await expect.poll(() => columnTexts('Artikelnummer')).toEqual(second);
    await page.goBack();
    await page.getByText('Seite 1 von 240').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('ITE-07 searches all fields; an empty result is reported and can be reset', async () => {
    await page.getByRole('searchbox', { name: 'In allen Feldern suchen' }).fill('gibt es nicht 4711');
    await page.getByRole('heading', { name: 'Kein Artikel passt zu Suche und Filter.' }).waitFor();
    await heading('0 Datensätze').waitFor();
    await page.getByRole('button', { name: 'Suche und Filter zurücksetzen' }).click();
    await heading('12.000 Datensätze').waitFor();
  });

  it('ITE-06 a load that fails shows a red alert and leaves no rows; trying again brings them back', async () => {
    await page.route('**/api/items/data?*', (route) =>
      route.fulfill({ status: 502, body: '<html>Bad Gateway</html>' }),
    );
    await page.getByRole('button', { name: 'Alle laden' }).click();
    await page.getByRole('alert').getByText('Network response was not ok').waitFor();
    await expect.poll(() => rows().count()).toBe(0);
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Laden'))).toBe(true);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await loaded();
    await expect.poll(() => rows().count()).toBe(50);
  });

  it('ITE-06 sorting by an unknown field can be reset, and a page beyond the last is the last', async () => {
    await visit(page, `/master/${masterid}/artikel?sortierung=f9999&suche=x`);
    await page.getByRole('alert').getByText('gibt es in diesem Katalog nicht').waitFor();
    await page.getByRole('button', { name: 'Ohne Suche, Filter und Sortierung zeigen' }).click();
    await heading('12.000 Datensätze').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await visit(page, `/master/${masterid}/artikel?seite=99999999`);
    await heading('12.000 Datensätze').waitFor();
    expect(await rows().count()).toBe(50);
  });

  it('ITE-04 a card that is opened while a search is still loading keeps the search', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/artikel.data?*', async (route) => {
      if (route.request().url().includes('suche')) await held.promise;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => request.url().includes('suche'));
    await page.getByRole('searchbox', { name: 'In allen Feldern suchen' }).fill('überspannungsschutz');
    await asked;
    await rows().first().getByRole('button').first().click();
    held.resolve();
    await page.getByRole('dialog', { name: 'Artikeldaten' }).waitFor();
    await page.getByText('passen zu Suche und Filter').waitFor();
    expect(new URL(page.url()).searchParams.get('suche')).toBe('überspannungsschutz');
  });

  it('ITE-01 a wider window renders the additional columns', async () => {
    await page.setViewportSize({ width: 700, height: 900 });
    await visit(page, `/master/${masterid}/artikel`);
    const heads = grid().getByRole('columnheader');
    const before = await heads.count();
    await page.setViewportSize({ width: 2400, height: 900 });
    await expect.poll(() => heads.count()).toBeGreaterThan(before);
  });
});
