import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PriceHistory, RepricedArticle } from '#shared/repricer/dashboard.ts';
import { openOfferedArticles } from '../../stages/repricer/article-stage.ts';
import { articleOf } from '../../stages/repricer/articles.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  type PageOptions,
  openPage,
} from '../../stages/browser.ts';

const listCall = '**/product/datalist/**';
const pricesCall = '**/details/**';
const down = { error: { code: 'internal', message: 'Das hat nicht geklappt.', requestId: 'r1' } };
const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll('\u00a0', ' ').trim());
const height = async (part: Locator) => (await part.boundingBox())?.height;

describe('the prices of an article', () => {
  let world: Awaited<ReturnType<typeof openOfferedArticles>>;
  beforeAll(async () => {
    world = await openOfferedArticles();
  }, 240_000);
  afterAll(() => world.stage.close());

  const open = (search: string, options?: PageOptions, before?: (page: Page) => Promise<void>) =>
    openPage(world.stage, `${world.path}?${search}`, options, before);
  const opener = (page: Page, id: string) => page.getByRole('button', { name: id, exact: true });
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it('RDA-07 expands one row at a time by keyboard, with the prices of all sellers as a chart and a table', async () => {
    const page = await open('tab=artikel');
    await opener(page, 'A-0').focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Preisverlauf A-0' });
    await panel.locator('canvas').waitFor();
    expect(await opener(page, 'A-0').getAttribute('aria-expanded')).toBe('true');
    expect(await height(panel)).toBe(500);
    const lines = panel.getByRole('group', { name: 'Linien ein- und ausblenden' }).getByRole('button');
    expect(await lines.allInnerTexts()).toEqual(['Ihr Preis (Konto)', 'K1', 'K2']);
    await panel.getByRole('application').focus();
    await page.keyboard.press('End');
    await panel.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d: Ihr Preis \(Konto\) 12,50/).waitFor({ state: 'attached' });
    await panel.getByText(/^In der BuyBox: Ihr Preis \(Konto\) 12,50/).waitFor();
    await expectNoAxeFindings(page);
    await panel.getByText('Tabelle', { exact: true }).click();
    const table = panel.getByRole('table');
    const cells = async (nth: number) => plain(await table.getByRole('row').nth(nth).getByRole('cell').allInnerTexts());
    expect(await cells(1)).toEqual(['12,50 €BuyBox', '13,50 €', '–']);
    expect(await cells(2)).toEqual(['15,00 €', '13,50 €BuyBox', '16,00 €']);
    expect(await table.getByRole('rowheader').first().innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    await expectNoAxeFindingsInBoth(page);
    await opener(page, 'A-1').click();
    await page.getByRole('region', { name: 'Preisverlauf A-1' }).locator('canvas').waitFor();
    expect(await page.getByRole('region', { name: /^Preisverlauf/ }).count()).toBe(1);
    await expect.poll(() => parameter(page, 'a.offen')).toBe('A1PA6795UKMFR9:A-1');
    await page.getByRole('region', { name: 'Preisverlauf A-1' }).getByRole('application').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region', { name: /^Preisverlauf/ }).count()).toBe(0);
    await expect.poll(() => page.locator(':focus').innerText()).toBe('A-1');
    expect(errorsOf(page)).toEqual([]);
  });

  it('RDA-07 reports missing data, and can be closed', async () => {
    const page = await open(`tab=artikel&a.suche=A-9&a.offen=${encodeURIComponent('A1PA6795UKMFR9:A-9')}`, {
      width: 320,
    });
    const panel = page.getByRole('region', { name: 'Preisverlauf A-9' });
    await panel.getByText('keine Daten vorhanden').waitFor();
    // Axe reports elements half under the page's header as too small targets.
    await page.evaluate('scrollTo(0, 0)');
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    await panel.getByRole('button', { name: 'Schließen', exact: true }).click();
    await expect.poll(() => parameter(page, 'a.offen')).toBe(null);
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('RDA-07 forty sellers fit, a failure can be retried, and a button loads earlier minutes', async () => {
    const moments = (from: number, count: number): PriceHistory['repricerdata'] =>
      Array.from({ length: count }, (_, n) => ({
        amz_timestamp: new Date(Date.UTC(2026, 10, 1, 10, from + n)).toISOString(),
        comp_data: Array.from({ length: 40 }, (_, seller) => ({
          sellerid: seller === 0 ? 'WIR' : `VERKAEUFER${seller}`,
          offer_price: 10 + seller / 10,
          offer_shipping_price: 0,
          is_buybox: seller === 7,
          own: seller === 0,
        })),
        info: '',
      }));
    const asked: URLSearchParams[] = [];
    const one: RepricedArticle = articleOf(1, { currency: 'PLN', masterid: world.masterid });
    const page = await open('tab=artikel', { scheme: 'dark' }, async (made) => {
      await made.route(listCall, (route) =>
        route.fulfill({ json: { data: [one], total: 1, finished: true, pageCount: 1 } }),
      );
      await made.route(pricesCall, (route) => {
        asked.push(new URL(route.request().url()).searchParams);
        if (asked.length === 1) return route.fulfill({ status: 500, json: down });
        const earlier = asked.length > 2;
        return route.fulfill({ json: { repricerdata: earlier ? moments(0, 5) : moments(5, 5), finished: earlier } });
      });
    });
    await opener(page, 'NK-1').click();
    const panel = page.getByRole('region', { name: 'Preisverlauf NK-1' });
    await panel.getByRole('alert').getByText('Das hat nicht geklappt.').waitFor();
    await panel.getByRole('button', { name: 'Erneut versuchen' }).click();
    const lines = panel.getByRole('group', { name: 'Linien ein- und ausblenden' }).getByRole('button');
    await expect.poll(() => lines.count()).toBe(40);
    expect((await lines.allInnerTexts()).slice(0, 2)).toEqual(['Ihr Preis (Konto)', 'VERKAEUFER7']);
    await expectNoAxeFindings(page);
    const chart = panel.getByRole('application');
    await chart.focus();
    await page.keyboard.press('End');
    const told = panel.getByText(/^In der BuyBox: VERKAEUFER7/);
    await told.waitFor();
    const bottom = async (part: Locator) => {
      const box = await part.boundingBox();
      return box === null ? Number.NaN : box.y + box.height;
    };
    expect(await bottom(told)).toBeLessThan(await bottom(chart));
    await panel.getByRole('button', { name: 'Frühere Minuten laden' }).click();
    await panel.getByText('2026-11-01 11:00 bis 2026-11-01 11:09').waitFor();
    expect(asked.at(-1)?.get('end')).toBe('2026-11-01T10:04:59.999Z');
    expect(asked.at(-1)?.get('start')).toBe(asked[0]?.get('start'));
    expect(await panel.getByRole('button', { name: 'Frühere Minuten laden' }).count()).toBe(0);
    await page.setViewportSize({ width: 320, height: 900 });
    await panel.getByText('Tabelle', { exact: true }).click();
    expect(plain([await panel.getByRole('cell').first().innerText()])).toEqual(['10,00 PLN']);
    await expectNoSidewaysScroll(page);
  });
});
