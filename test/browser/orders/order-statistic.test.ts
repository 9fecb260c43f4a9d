import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addDays, berlinDay, formatDate, formatRange, formatWeekday } from '#client/ui/text/days.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { insertOrderDays } from '../../stages/orders/order-days.ts';

const address = '/bestellungen/auswertung';
const call = '**/dashboard/orders/statistic';

describe('the statistic of orders', () => {
  let stage: Stage;
  const today = berlinDay(new Date());
  const ago = (days: number) => addDays(today, -days);
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    const seller = { name: 'Amazon DE', sellerId: 'A3WIR', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    const amazon = (await kontor.ask(api.createMarketplaceAccount, { body: seller })).id;
    const shop = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: '<b>Shop</b>' } })).id;
    await insertOrderDays(kontor, [
      { day: today, channel: amazon, pieces: 12, revenue_cents: 123_456, orders: 9 },
      { day: ago(1), channel: amazon, pieces: 30, revenue_cents: 400_000, orders: 20, cancelled: 2 },
      { day: ago(1), channel: shop, pieces: 4, revenue_cents: 4004, orders: 4, unpriced: 1 },
      { day: ago(2), channel: amazon, currency: 'PLN', pieces: 7, revenue_cents: 70_000, orders: 1 },
      { day: ago(40), channel: amazon, pieces: 20, revenue_cents: 100_000, orders: 10 },
    ]);
  });
  afterAll(() => stage.close());
  const open = (path = address, options?: PageOptions) => openPage(stage, path, options);
  const loaded = async (page: Page) => {
    await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
    await page.locator('canvas').waitFor();
  };
  const lines = (page: Page) => page.getByRole('group', { name: 'Linien ein- und ausblenden' }).getByRole('button');
  const opener = (page: Page) => page.getByRole('button', { name: /Zeitraum wählen/ });
  const rowOf = (page: Page, name: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      .getByRole('cell');

  it('ORD-01 shows the last 30 days until another range is chosen, which the address then keeps', async () => {
    const page = await open();
    await expect.poll(() => opener(page).innerText()).toContain(`Letzte 30 Tage: ${formatDate(ago(29))}`);
    await opener(page).click();
    const presets = page.getByRole('list', { name: 'Zeiträume' }).getByRole('button');
    expect(await presets.allInnerTexts()).toEqual([
      'Heute',
      'Gestern',
      'Letzte 7 Tage',
      'Letzte 30 Tage',
      'Dieser Monat',
      'Letzter Monat',
    ]);
    await expectNoAxeFindings(page);
    const asked = page.waitForRequest(call);
    await presets.filter({ hasText: 'Letzte 7 Tage' }).click();
    expect((await asked).postDataJSON()).toEqual({ start: ago(6), end: today });
    await expect.poll(() => new URL(page.url()).search).toBe(`?von=${ago(6)}&bis=${today}&zeitraum=Letzte+7+Tage`);
    await page.goBack();
    await expect.poll(() => opener(page).innerText()).toContain('Letzte 30 Tage');
  });

  it('ORD-01 a range can be typed, and can be neither empty nor reversed', async () => {
    const page = await open(`${address}?von=${ago(3)}&bis=${ago(1)}`);
    await opener(page).click();
    const [from, until] = [page.getByLabel('Von', { exact: true }), page.getByLabel('Bis', { exact: true })];
    const apply = page.getByRole('button', { name: 'Anwenden' });
    await from.fill('');
    await apply.click();
    await page.getByRole('alert').getByText('Bitte beide Tage als TT.MM.JJJJ angeben.').waitFor();
    await from.fill(formatDate(today));
    await apply.click();
    await page.getByRole('alert').getByText('Das Ende liegt vor dem Anfang.').waitFor();
    await from.fill('1.1.2020');
    await apply.click();
    await page.getByRole('alert').getByText('Möglich sind höchstens 800 Tage.').waitFor();
    await from.fill(formatDate(ago(2)));
    await until.fill(formatDate(today));
    await apply.click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?von=${ago(2)}&bis=${today}`);
    await expect.poll(() => opener(page).innerText()).toContain(formatDate(ago(2)));
  });

  it('ORD-01 an address with an impossible range shows the last 30 days', async () => {
    const page = await open(`${address}?von=2026-02-30&bis=gestern`);
    await expect.poll(() => opener(page).innerText()).toContain('Letzte 30 Tage');
    await loaded(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it('ORD-02 draws a line for each channel and the sum of all; a click in the legend hides one and changes no other', async () => {
    const page = await open();
    await loaded(page);
    expect(await lines(page).allInnerTexts()).toEqual(['Amazon DE', 'Amazon DE (PLN)', '<b>Shop</b>', 'Gesamtmenge']);
    const strokes: (string | null)[] = [];
    for (const line of await lines(page).locator('line').all()) strokes.push(await line.getAttribute('stroke'));
    expect(new Set(strokes).size).toBe(4);
    expect(strokes[3]).toBe('#000000');
    const total = lines(page).filter({ hasText: 'Gesamtmenge' });
    await lines(page).first().click();
    expect(await lines(page).first().getAttribute('aria-pressed')).toBe('false');
    expect(await total.getAttribute('aria-pressed')).toBe('true');
    const chart = page.getByRole('application');
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.getByText(`${formatWeekday(today)}: Gesamtmenge 12 Stück`).waitFor({ state: 'attached' });
    await lines(page).first().click();
    expect(await lines(page).first().getAttribute('aria-pressed')).toBe('true');
  });

  it('ORD-02 arrow keys move along the lines and announce their values, 0 included', async () => {
    const page = await open();
    await loaded(page);
    await page.getByRole('application').focus();
    await page.keyboard.press('End');
    await page.getByText(`${formatWeekday(today)}: Amazon DE 12 Stück`).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowLeft');
    await page.getByText(`${formatWeekday(ago(1))}: Amazon DE 30 Stück`).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.getByText(`${formatWeekday(ago(1))}: Amazon DE (PLN) 0 Stück`).waitFor({ state: 'attached' });
    // The tooltip shows others' names as plain text.
    const shown = page.locator('canvas').locator('xpath=../..');
    await shown.getByText('<b>Shop</b>').waitFor();
    await shown.getByText('24 Bestellungen').waitFor();
    await shown.getByText('2 Stück storniert').waitFor();
  });

  it('ORD-02 an empty range is reported', async () => {
    const page = await open(`${address}?von=2020-01-01&bis=2020-01-03`);
    await loaded(page);
    await page.getByText('Keine Bestellungen im Zeitraum').waitFor();
    expect(await page.getByText('Logarithmische Skala').count()).toBe(0);
    expect(await page.getByRole('row').count()).toBe(6);
    expect(await rowOf(page, '∑ Summe').allInnerTexts()).toEqual(['0']);
    await expectNoAxeFindings(page);
  });

  it('ORD-03 lists every day with revenue and pieces of each channel, the sum last', async () => {
    const page = await open(`${address}?von=${ago(3)}&bis=${today}`);
    await loaded(page);
    const heads = await page.getByRole('columnheader').allInnerTexts();
    const pair = ['Umsatz', 'Menge'];
    expect(heads.slice(0, 5)).toEqual(['Datum', 'Amazon DE', 'Amazon DE (PLN)', '<b>Shop</b>', 'Gesamtmenge']);
    expect(heads.slice(5)).toEqual([...pair, ...pair, ...pair]);
    const days = (await page.getByRole('rowheader').allInnerTexts()).map((text) => text.trim());
    expect(days).toEqual([...[3, 2, 1, 0].map((days) => formatWeekday(ago(days))), '∑ Summe']);
    expect(await rowOf(page, formatWeekday(ago(3))).allInnerTexts()).toEqual(
      ['0,00 €', '0', '0,00 PLN', '0', '0,00 €', '0', '0'].map((text) => text.replace(' ', '\u00a0')),
    );
    expect(await rowOf(page, '∑ Summe').allInnerTexts()).toEqual(
      ['5.234,56 €', '42', '700,00 PLN', '7', '40,04 €', '4', '53'].map((text) => text.replace(' ', '\u00a0')),
    );
    await page.getByText('Ohne Kurs und nicht in der Summe: 1 Tag in PLN.').waitFor();
    await page.getByText(/^Stand \d\d:\d\d$/).waitFor();
  });

  it('ORD-03 converts another currency to euro once a rate was entered', async () => {
    const page = await open(`${address}?von=${ago(3)}&bis=${today}`);
    await loaded(page);
    const rate = page.getByLabel('Eigener Kurs: PLN für einen Euro');
    const save = page.getByRole('button', { name: 'Kurs speichern' });
    await rate.fill('vier');
    await save.click();
    await page.getByText(/^Bitte eine Zahl über 0/).waitFor();
    await rate.fill('4,2');
    await save.click();
    await page
      .getByText(/Amazon DE \(PLN\): 700,00\sPLN, in der Summe 166,67\s€ zum eigenen Kurs vom \d\d\.\d\d\.\d{4}\./)
      .waitFor();
    expect((await rowOf(page, '∑ Summe').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toContain(
      '700,00 PLN = 166,67 €',
    );
    expect(await rate.inputValue()).toBe('4,2');
    await rate.fill('');
    await save.click();
    await page.getByText('Ohne Kurs und nicht in der Summe: 1 Tag in PLN.').waitFor();
  });

  it('ORD-03 the CSV export has the range in its file name', async () => {
    const page = await open(`${address}?von=${today}&bis=${today}`);
    await loaded(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Als CSV exportieren' }).click();
    expect((await download).suggestedFilename()).toBe(`Auswertung ${today} bis ${today}.csv`);
  });

  it('compares revenue, pieces and orders of the full days with as many days before', async () => {
    const page = await open();
    await loaded(page);
    const figures = (await page.locator('dl[aria-label="Summen des Zeitraums"]').innerText()).replaceAll('\u00a0', ' ');
    expect(figures).toMatch(/5\.274,60 €[\s\S]*\+304 %[\s\S]*bis gestern 4\.040,04 €, davor 1\.000,00 €/);
    expect(figures).toMatch(/\b53\b[\s\S]*\+105 %[\s\S]*bis gestern 41 Stück, davor 20\b/);
    expect(figures).toMatch(/\b34\b[\s\S]*\+150 %[\s\S]*bis gestern 25, davor 10\b/);
    const days = `${formatRange({ start: ago(29), end: ago(1) })} mit ${formatRange({ start: ago(58), end: ago(30) })}`;
    await page.getByText(`Verglichen werden volle Tage, heute läuft noch: ${days}.`).waitFor();
  });

  it('ORD-03 ORD-04 shows loading, and in red a failure; a retry can succeed', async () => {
    const page = await stage.openPage();
    await signIn(page);
    const held = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await held.promise;
      await route.fulfill({ status: 503, body: 'kaputt' });
    });
    await visit(page, address);
    await page.getByText('Lade Daten...', { exact: true }).waitFor();
    held.resolve();
    const message = page.getByText('HTTP error! Status: 503', { exact: true });
    await message.waitFor();
    // --k-error of the light scheme.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('[role=alert] p')).color`)).toBe(
      'rgb(180, 35, 24)',
    );
    await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
    await expectNoAxeFindings(page);
    expect(errorsOf(page).join(' ')).toContain('Fehler beim Laden der Daten:');
    await page.unroute(call);
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByRole('table').waitFor();
    await message.waitFor({ state: 'hidden' });
  });

  it('ORD-02 has no finding of axe in light and dark, and scrolls sideways only inside its table', async () => {
    const page = await open();
    await loaded(page);
    await expectNoAxeFindingsInBoth(page);
    expect(await lines(page).last().locator('line').getAttribute('stroke')).toBe('#ECEDF0');
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    await opener(page).click();
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page);
  });

  it('ORD-01 is linked in the navigation, and refused to a user without the right to orders, who learns why', async () => {
    const page = await openPage(stage, '/');
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Auswertung' }).click();
    await page.getByRole('heading', { level: 1, name: 'Auswertung' }).waitFor();
    const why =
      'Ihre Rolle darf die Auswertung nicht sehen, weil sie Umsätze zeigt. Das dürfen: Inhaber, Administrator.';
    for (const role of ['viewer', 'warehouse'] as const) {
      const person = { name: 'Vera', email: `${role}@beispiel.de`, password: 'langes-rotes-geheimwort' };
      await addMember(stage.kontor, { ...person, role });
      const other = await stage.openPage();
      await signIn(other, person);
      await other.goto(address);
      await other.getByRole('heading', { name: 'Dafür fehlt Ihnen die Berechtigung' }).waitFor();
      await other.getByText(why).waitFor();
      expect(await other.getByRole('link', { name: 'Auswertung' }).count()).toBe(0);
    }
  });

  it('ORD-02 ORD-03 forty channels, a name of 200 characters and a single day are drawn and listed, at 320 pixels too', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    const long = 'Haushaltswarengroßhandelsgesellschaft '.repeat(6).slice(0, 200).trim();
    const channels: string[] = [];
    for (let n = 0; n < 40; n++) {
      const name = n === 0 ? long : `Kanal ${n}`;
      channels.push((await kontor.ask(api.createExport, { params: { masterid }, body: { name } })).id);
    }
    const day = ago(100);
    await insertOrderDays(
      kontor,
      channels.map((channel, n) => ({ day, channel, pieces: n + 1, revenue_cents: 100 * n, orders: 1 })),
    );
    const page = await open(`${address}?von=${day}&bis=${day}`, { width: 320 });
    await loaded(page);
    expect(await lines(page).count()).toBe(41);
    expect(await lines(page).first().innerText()).toBe(long);
    await expect.poll(async () => (await rowOf(page, formatWeekday(day)).allInnerTexts()).at(-1)).toBe('820');
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page);
    await page.setViewportSize({ width: 703, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    await page.getByText(/gedruckt am/).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });
});
