import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addDays, berlinDay } from '#client/ui/text/days.ts';
import { errorsOf, expectNoSidewaysScroll, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';
import { insertOrderDays } from '../../stages/orders/order-days.ts';
import { insertRepricerFigures } from '../../stages/repricer/repricer-figures.ts';

/** Width of A4 between the margins, in CSS pixels. */
const portrait = 703;
const landscape = 1032;

describe('printed dashboards', () => {
  let stage: Stage;
  let repricer: string;
  const today = berlinDay(new Date());
  beforeAll(async () => {
    stage = await openStage({ KONTOR_COMPANY: 'Nordkap Handel' });
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel;bestand\nA-1;Hammer;3', { key: 'sku' });
    repricer = `/repricer/${masterid}/dashboard`;
    await kontor.ask(api.saveStockSettings, { params: { masterid }, body: { field: 'bestand' } });
    const seller = { name: 'Amazon DE', sellerId: 'A3WIR', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    const account = (await kontor.ask(api.createMarketplaceAccount, { body: seller })).id;
    const shops = await Promise.all(
      ['Laden', 'Preissuchmaschine', 'Großhandelsmarkt', 'Auktionshaus'].map((name) =>
        kontor.ask(api.createExport, { params: { masterid }, body: { name } }),
      ),
    );
    await insertOrderDays(
      kontor,
      Array.from({ length: 30 }, (_, n) =>
        [account, ...shops.map(({ id }) => id)].map((channel, place) => ({
          day: addDays(today, -n),
          channel,
          pieces: 5 + ((n * (place + 3)) % 17),
          revenue_cents: 1_234_567 + n * 1000,
          orders: 5,
        })),
      ).flat(),
    );
    await takeOrders(kontor, shops[0]?.id ?? '', [
      { orderid: 'D-1', shipInHours: 3, lines: [{ sku: 'A-1' }, { sku: 'A-2' }] },
    ]);
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    await insertRepricerFigures(kontor, {
      masterid,
      account,
      seller: 'A3WIR',
      counters: Array.from({ length: 30 }, (_, n) => ({ day: addDays(today, -n), kind: 'COMPETE_LOWEST', n: 40 + n })),
      hours: Array.from({ length: 300 }, (_, n) => ({
        hour: new Date(hour - (300 - n) * 3_600_000),
        rank_1: 20 + (n % 5),
        rank_2: 10,
        rank_3: 4,
        box: 18 + (n % 7),
        observed: 30,
        observed_box: 18,
      })),
      offers: Array.from({ length: 20 }, (_, n) => ({ item: `E-${n}`, rank: 1, box: n < 15 })),
    });
  });
  afterAll(() => stage.close());

  const printed = async (path: string, width: number, name: string) => {
    const page = await stage.openPage({ scheme: 'dark', width: 1280 });
    await signIn(page);
    await visit(page, path);
    await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
    if (path !== '/' && !['sellers', 'articles', 'list'].includes(name)) await page.locator('canvas').first().waitFor();
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.getByText(/gedruckt am \d/).waitFor();
    const folder = process.env['KONTOR_PRINTED'];
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      await page.pdf({ path: `${folder}/${name}-${width}.pdf`, format: 'A4', landscape: width === landscape });
      await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    }
    return page;
  };
  // As texts, because tests have no browser types.
  const colors = (page: Page): Promise<string[]> =>
    page.evaluate(
      `[getComputedStyle(document.body).backgroundColor, ...[...document.querySelectorAll('h1, h2')].map((one) => getComputedStyle(one).color)]`,
    );
  /** Returns the width of every drawing and of its section. */
  const widths = (page: Page): Promise<[number, number][]> =>
    page.evaluate(
      `[...document.querySelectorAll('canvas')].map((one) => [one.clientWidth, one.closest('section').clientWidth])`,
    );

  /** Returns elements whose content overflows: what scrolls on the screen is cut off on paper. */
  const cutOff = (page: Page): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('body *')]
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflow) && one.clientHeight > 0)
        .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.tagName + ' ' + one.className)`,
    );

  it.each([
    ['statistic', '/bestellungen/auswertung', portrait],
    ['statistic', '/bestellungen/auswertung', landscape],
    ['cockpit', '/', portrait],
    ['cockpit', '/', landscape],
    ['messages', '', portrait],
    ['ranks', '?tab=raenge', portrait],
    ['ranks', '?tab=raenge', landscape],
    ['sellers', '?tab=haendler', portrait],
    ['articles', '?tab=artikel', portrait],
    ['articles', '?tab=artikel', landscape],
    ['list', '?liste=rang:1', portrait],
  ])('%s: light on white, without navigation and controls, nothing cut off at %s%s', async (name, path, width) => {
    const page = await printed(path.startsWith('/') ? path : repricer + path, width, name);
    const head = await page.getByText(/gedruckt am/).innerText();
    expect(head).toContain('Nordkap Handel');
    if (path !== '/') expect(head).toMatch(/Zeitraum \d\d\.\d\d\..*–/);
    expect(await page.getByRole('navigation', { name: 'Hauptnavigation' }).count()).toBe(0);
    for (const label of ['Neu laden', 'Als CSV exportieren', 'Katalog anlegen'])
      expect(await page.getByRole('button', { name: label }).count()).toBe(0);
    for (const role of ['tab', 'combobox', 'slider', 'textbox', 'searchbox', 'radio'] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 0]);
    const [ground, ...heads] = await colors(page);
    expect(ground).toBe('rgb(255, 255, 255)');
    expect(new Set(heads)).toEqual(new Set(['rgb(24, 24, 27)']));
    await expectNoSidewaysScroll(page);
    expect(await cutOff(page)).toEqual([]);
    // A browser repeats a table's foot on every page, where its sums look like those of the page.
    expect(
      await page.evaluate(`[...document.querySelectorAll('tfoot')].map((one) => getComputedStyle(one).display)`),
    ).toEqual(name === 'statistic' ? ['table-row-group'] : []);
    const tables = page.locator('table');
    for (const table of await tables.all()) expect(await table.isVisible()).toBe(true);
    for (const [canvas, place] of await widths(page)) expect(canvas).toBeGreaterThan(place * 0.9);
    expect(errorsOf(page)).toEqual([]);
  });

  it.each([
    ['Auswertung', '/bestellungen/auswertung'],
    ['Repricer-Dashboard', '?tab=raenge'],
  ])('%s: what a browser captures when it prints are the charts for paper, completely painted', async (_name, path) => {
    const page = await stage.openPage({ width: 1280 });
    await signIn(page);
    await visit(page, path.startsWith('/') ? path : repricer + path);
    await page.locator('canvas').first().waitFor();
    await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
    const pictures = `[...document.querySelectorAll('canvas')].map((one) => one.toDataURL()).join()`;
    // Registered after the charts' own listeners: the browser captures what is painted when this one is called.
    await page.evaluate(
      `matchMedia('print').addEventListener('change', ({ matches }) => { if (matches) globalThis.captured = ${pictures}; })`,
    );
    await page.pdf({ format: 'A4' });
    const captured = await page.evaluate('globalThis.captured');
    await page.emulateMedia({ media: 'print' });
    await expect.poll(async () => (await page.evaluate(pictures)) === captured).toBe(true);
    expect(errorsOf(page)).toEqual([]);
  });

  it.each([
    ['/bestellungen', 'Bestellungen'],
    ['/bestand', 'Bestand'],
    ['/verlauf', 'Verlauf'],
    ['/papierkorb', 'Papierkorb'],
    ['/betrieb', 'Betrieb'],
    ['/einstellungen/sicherheitsprotokoll', 'Sicherheitsprotokoll'],
  ])('%s is printed without controls, and nothing of it is cut off', async (path, title) => {
    const page = await stage.openPage({ scheme: 'dark', width: 1280 });
    await signIn(page);
    await visit(page, path);
    await page.setViewportSize({ width: portrait, height: 1000 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Hauptnavigation' }).count()).toBe(0);
    for (const role of ['button', 'combobox', 'searchbox', 'textbox', 'checkbox', 'switch'] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 0]);
    await expectNoSidewaysScroll(page);
    expect(await cutOff(page)).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
  });

  it('the rank history is printed as a chart and a table by day instead of by hour', async () => {
    const page = await printed(`${repricer}?tab=raenge`, portrait, 'days');
    const table = page.getByRole('region', { name: 'Verlauf' }).getByRole('table');
    expect(await table.getByRole('columnheader').first().innerText()).toBe('Tag, im Mittel');
    // 300 hours up to now.
    const count = await table.locator('tbody tr').count();
    expect(count).toBeGreaterThanOrEqual(13);
    expect(count).toBeLessThanOrEqual(15);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('region', { name: 'Verlauf' }).getByText('Als Tabelle anzeigen').click();
    expect(await table.getByRole('columnheader').first().innerText()).toBe('Zeitpunkt');
    expect(await table.locator('tbody tr').count()).toBe(100);
  });

  it('a printed page looks as before afterwards', async () => {
    const page = await printed(`${repricer}?tab=raenge`, portrait, 'again');
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).waitFor();
    expect(await page.getByText(/gedruckt am/).count()).toBe(0);
    await expect.poll(async () => (await widths(page)).every(([canvas, place]) => canvas > place * 0.9)).toBe(true);
    expect(await page.locator('details[open]').count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });
});
