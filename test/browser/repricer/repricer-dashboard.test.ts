import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, berlinDay, formatDate, formatWeekday } from '#client/ui/text/days.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  type PageOptions,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';
import { cellsOf, loaded, longName, openDashboardStage } from '../../stages/repricer/dashboard-stage.ts';

describe('the dashboard of the repricer', () => {
  let stage: Stage;
  let address: string;
  const today = berlinDay(new Date());
  const ago = (days: number) => addDays(today, -days);
  beforeAll(async () => {
    ({ stage, address } = await openDashboardStage());
  }, 180_000);
  afterAll(() => stage.close());

  const open = (query = '', options?: PageOptions) => openPage(stage, `${address}${query}`, options);
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const lines = (page: Page) => page.getByRole('group', { name: 'Linien ein- und ausblenden' }).getByRole('button');
  const opener = (page: Page) => page.getByRole('button', { name: /Zeitraum wählen/ });
  const csvOf = async (page: Page, press: () => Promise<void>) => {
    const download = page.waitForEvent('download');
    await press();
    return readFile(await (await download).path(), 'utf8');
  };

  it('RDA-01 shows messages of 30 days, a line per reason; range, group and tab are kept in the address', async () => {
    const page = await open();
    await loaded(page);
    await expect.poll(() => opener(page).innerText()).toContain(`Last 30 Days: ${formatDate(ago(29))}`);
    expect(await lines(page).allInnerTexts()).toEqual([
      'Unter Mindestpreis: auf Mindestpreis',
      'Günstigster Wettbewerber',
    ]);
    await opener(page).click();
    const presets = page.getByRole('list', { name: 'Zeiträume' }).getByRole('button');
    expect(await presets.allInnerTexts()).toEqual([
      'last 7 days',
      'Last 30 Days',
      'This Month',
      'Last Month',
      'Last 3 Month',
    ]);
    await presets.first().click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?von=${ago(6)}&bis=${today}&zeitraum=last+7+days`);
    await page.getByText('Als Tabelle anzeigen').click();
    await expect.poll(() => cellsOf(page, formatWeekday(today))).toEqual(['0', '1.200']);
    await page.getByLabel('Art der Nachrichten').selectOption({ label: 'Angehalten' });
    await expect.poll(() => lines(page).allInnerTexts()).toEqual(['Vorige Änderung zu kurz her']);
    expect(new URL(page.url()).searchParams.get('gruppe')).toBe('held');
    await tab(page, 'BuyBox Anteil je Rang').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('raenge');
    expect(new URL(page.url()).searchParams.get('von')).toBe(ago(6));
    expect(errorsOf(page)).toEqual([]);
  });

  it('RDA-01 lines hidden by keyboard stay hidden after a reload; arrow keys announce the values', async () => {
    const page = await open();
    await loaded(page);
    await lines(page).first().focus();
    await page.keyboard.press('Space');
    expect(await lines(page).first().getAttribute('aria-pressed')).toBe('false');
    const again = page.waitForResponse('**/merch/repricer/statistic**');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Neu laden' }).click();
    await again;
    await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
    expect(await lines(page).first().getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('application').focus();
    await page.keyboard.press('End');
    await page.getByText(`${formatWeekday(today)}: Günstigster Wettbewerber 1.200`).waitFor({ state: 'attached' });
  });

  it('RDA-01 handles forty lines, reversed and too long ranges, a single day and no messages', async () => {
    const page = await open(`?von=${ago(201)}&bis=${ago(199)}`);
    await loaded(page);
    expect(await lines(page).count()).toBe(40);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await visit(page, `${address}?von=${today}&bis=${ago(3)}`);
    await expect.poll(() => opener(page).innerText()).toContain('Last 30 Days');
    await visit(page, `${address}?von=2000-01-01&bis=${today}`);
    await expect.poll(() => opener(page).innerText()).toContain('Last 30 Days');
    await visit(page, `${address}?von=${today}&bis=${today}`);
    await loaded(page);
    expect(await lines(page).allInnerTexts()).toEqual(['Günstigster Wettbewerber']);
    await visit(page, `${address}?von=2020-01-01&bis=2020-01-03`);
    await page.getByText('Keine Nachrichten im Zeitraum').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('RDA-02 lists our offers by rank with the box, explains two cells, and opens the list of a rank', async () => {
    const page = await open('?tab=raenge');
    await loaded(page);
    const heads = (await page.getByRole('columnheader').allInnerTexts()).slice(0, 4);
    expect(heads).toEqual(['Rang', 'Artikelanzahl', 'Buybox', 'Non-Buybox']);
    expect(await cellsOf(page, 'ohne Rang')).toEqual(['1', '0', '1', 'Liste']);
    expect(await cellsOf(page, '1')).toEqual(['20', '15', '5', 'Liste']);
    expect(await cellsOf(page, '2')).toEqual(['6', '2', '4', 'Liste']);
    await page.getByText('Rang 1 ohne BuyBox: 5.').waitFor();
    await page.getByText('BuyBox ohne Rang 1: 2.').waitFor();
    await page
      .getByRole('tabpanel')
      .getByText(/^Stand \d\d:\d\d$/)
      .waitFor();
    await page.getByRole('button', { name: 'Liste der Artikel auf Rang 2' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('liste')).toBe('rang:2');
    await page.goBack();
    await page.getByText('Rang 1 ohne BuyBox: 5.').waitFor();
    await page.getByLabel('Eigene Verkäuferkennung').selectOption('A9AUCH');
    await page.getByText('Von dieser Verkäuferkennung sind noch keine Angebote bekannt.').waitFor();
    expect(new URL(page.url()).searchParams.get('verkaeufer')).toBe('A9AUCH');
  });

  it('RDA-02 the history has its lines; a section chosen by keyboard persists over a reload and can be navigated', async () => {
    const page = await open('?tab=raenge');
    await loaded(page);
    expect(await lines(page).allInnerTexts()).toEqual(['rang 1', 'rang 2', 'rang 3', 'buy_box', 'Zeitanteil']);
    expect(await lines(page).nth(3).locator('line').getAttribute('stroke')).toBe('#000000');
    const from = page.getByRole('slider', { name: 'Von' });
    await from.focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight');
    expect(await from.inputValue()).toBe('3');
    const chosen = await from.getAttribute('aria-valuetext');
    const again = page.waitForResponse('**/merch/repricer/statistic**');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Neu laden' }).click();
    await again;
    await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
    expect(await from.getAttribute('aria-valuetext')).toBe(chosen);
    await page.getByRole('application').first().focus();
    await page.keyboard.press('Home');
    await page.getByText(`${chosen}: rang 1 23 Angebote`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Ganzen Zeitraum zeigen' }).click();
    expect(await from.inputValue()).toBe('0');
    // The brush below the drawing matches the two fields.
    const drawing = page.locator('canvas').first();
    await drawing.scrollIntoViewIfNeeded();
    const { x, y, height } = (await drawing.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.move(x + 28, y + height - 17);
    await page.mouse.down();
    await page.mouse.move(x + 228, y + height - 17, { steps: 10 });
    await page.mouse.up();
    await expect.poll(async () => Number(await from.inputValue())).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Ganzen Zeitraum zeigen' }).click();
    expect(await from.inputValue()).toBe('0');
    const csv = await csvOf(page, async () => {
      await page.getByText('Als Tabelle anzeigen').first().click();
      await page.getByRole('button', { name: 'Als CSV exportieren' }).first().click();
    });
    expect(csv).toContain('Zeitpunkt;rang 1;rang 2;rang 3;buy_box');
    expect(csv.split('\r\n').length).toBeGreaterThan(48);
  });

  it('RDA-03 lists 5,000 competitors by pages, sorted and searched, with a link to each at the marketplace', async () => {
    const page = await open('?tab=haendler');
    await page.getByText('1–100 von 5.000 Händler').waitFor();
    const heads = (await page.getByRole('columnheader').allInnerTexts()).slice(0, 5).map((text) => text.trim());
    expect(heads).toEqual(['Amazon SellerID', 'Händlername', 'Anzahl Artikel', 'davon Buybox', 'davon Non-Buybox']);
    const names = page.getByRole('rowheader');
    await expect.poll(() => names.first().innerText()).toContain('K0');
    expect(await page.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual([
      longName.trim(),
      '2',
      '2',
      '0',
      'Liste',
    ]);
    const link = names.first().getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://www.amazon.de/sp?seller=K0');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await page.getByRole('button', { name: 'davon Buybox' }).click();
    await expect.poll(async () => (await names.nth(1).innerText()).trim()).toMatch(/^K1\b/);
    await page.getByRole('searchbox', { name: 'Händler suchen' }).fill('k4711');
    await page.getByText('1–1 von 1 Händler').waitFor();
    const csv = await csvOf(page, () => page.getByRole('button', { name: 'Als CSV exportieren' }).click());
    expect(csv).toContain('Amazon SellerID;Händlername;Anzahl Artikel;davon Buybox;davon Non-Buybox\r\nK4711;;2;0;2');
    // Search and sort order are in the URL: a copied link shows the same table.
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=haendler&h.sort=-buybox_count&h.suche=k4711');
    const copied = await open('?tab=haendler&h.sort=name&h.je=25&h.seite=2');
    await copied.getByText('26–50 von 5.000 Händler').waitFor();
    expect(await copied.getByRole('columnheader', { name: 'Händlername' }).getAttribute('aria-sort')).toBe('ascending');
    await copied.getByRole('button', { name: 'Ansichten', exact: true }).waitFor();
    await expectNoAxeFindings(copied);
    await page.getByRole('button', { name: 'Liste der Artikel mit K4711' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('liste')).toBe('haendler:K4711');
  });

  it('above the tabs are the current boxes, their share of time, and the holders of lost ones with a link', async () => {
    const page = await open();
    const head = page.getByRole('region', { name: 'Auf einen Blick' });
    await head.getByText('17 von 29 Angeboten mit bekanntem Stand; in 10 hat sie niemand.').waitFor();
    await head.getByText(/in den letzten 7 Tagen 60\s%/).waitFor();
    await head.getByText('Kein errechneter Preis wartet.').waitFor();
    const rivals = head.getByRole('listitem');
    await expect
      .poll(() => rivals.allInnerTexts())
      .toEqual([`${longName.trim()}\n2\u00a0Artikel`, 'K1\n1\u00a0Artikel']);
    await rivals.last().getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('liste')).toBe('haendler:K1');
  });

  it('RDA-01 shows a failure in red and keeps the former figures', async () => {
    const page = await open();
    await loaded(page);
    await page.route('**/merch/repricer/statistic**', (route) => route.fulfill({ status: 503, body: 'kaputt' }));
    await page.getByRole('tabpanel').getByRole('button', { name: 'Neu laden' }).click();
    await page.getByText('HTTP error! Status: 503', { exact: true }).waitFor();
    expect(await lines(page).count()).toBe(2);
    await page.unroute('**/merch/repricer/statistic**');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByText('HTTP error! Status: 503').waitFor({ state: 'hidden' });
  });

  it('RDA-01 RDA-02 RDA-03 has no axe findings in light and dark, no sideways scroll at 320 px, one current page in the navigation', async () => {
    const page = await open();
    const current = page.getByRole('navigation', { name: 'Hauptnavigation' }).locator('[aria-current=page]');
    expect(await current.allInnerTexts()).toEqual(['Repricer-Dashboard']);
    for (const name of ['Nachrichten', 'BuyBox Anteil je Rang', 'Händler BuyBox Anteil']) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await tab(page, name).click();
      await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
      await expectNoAxeFindingsInBoth(page);
      await page.setViewportSize({ width: 320, height: 900 });
      await expectNoSidewaysScroll(page);
    }
  });
});
