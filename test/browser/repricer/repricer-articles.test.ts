import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOfferedArticles } from '../../stages/repricer/article-stage.ts';
import { articles } from '../../stages/repricer/articles.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  type PageOptions,
  openPage,
} from '../../stages/browser.ts';

const listCall = '**/product/datalist/**';
const down = { error: { code: 'internal', message: 'Das hat nicht geklappt.', requestId: 'r1' } };
const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll('\u00a0', ' ').trim());
const height = async (part: Locator) => (await part.boundingBox())?.height;

describe("the repricer's list of articles", () => {
  let world: Awaited<ReturnType<typeof openOfferedArticles>>;
  beforeAll(async () => {
    world = await openOfferedArticles();
  }, 240_000);
  afterAll(() => world.stage.close());

  const open = (search: string, options?: PageOptions, before?: (page: Page) => Promise<void>) =>
    openPage(world.stage, `${world.path}?${search}`, options, before);
  const opener = (page: Page, id: string) => page.getByRole('button', { name: id, exact: true });
  const row = (page: Page, id: string) => page.getByRole('row').filter({ has: opener(page, id) });
  const ids = (page: Page) => page.getByRole('rowheader').allInnerTexts();
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const head = (page: Page, name: string, nth = 0) => page.getByRole('columnheader', { name, exact: true }).nth(nth);
  /** Answers a list with chunks of fictitious articles; `other` may answer instead. */
  const pieces =
    (all: number, other: (offset: number, route: Route) => Promise<boolean> | boolean = () => false) =>
    async (page: Page) => {
      await page.route(listCall, async (route) => {
        const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
        if (await other(offset, route)) return;
        const data = articles(Math.min(10_000, all - offset), offset);
        await route.fulfill({ json: { data, total: all, finished: offset + 10_000 >= all, pageCount: 3 } });
      });
    };

  it("RDA-06 RDA-08 shows our values next to the competitor's under the named heads, with links to product and reason", async () => {
    const page = await open('tab=artikel');
    await opener(page, 'A-0').waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    const named = (from: number, to?: number) => plain(heads).slice(from, to).join('; ');
    expect([named(0, 6), named(6, 12), named(12)]).toEqual([
      'Artikel-ID; ASIN; Brand; Meine Werte; Gegner; Vergleich',
      'BuyBox; Min Price; Standart Price; Max Price; Offer Price; Shipping',
      'Offer Price; Shipping; BuyBox; Name; Messages; Preislage; Erklärung',
    ]);
    const cells = async (id: string) => plain(await row(page, id).getByRole('cell').allInnerTexts());
    // RDA-06: the box is of the newest message; the price next to it may be newer.
    await row(page, 'A-2')
      .getByTitle(/^Gesehen am \d/)
      .first()
      .waitFor();
    const limits = ['10,00 €', '15,00 €', '20,00 €'];
    expect((await cells('A-2')).slice(1, 13)).toEqual([
      'Bosch',
      'JA',
      ...limits,
      '9,00 € (−40 %)',
      '0,00 €',
      '14,00 €',
      '0,00 €',
      'NEIN',
      'K2',
      '1',
    ]);
    expect((await cells('A-3')).slice(4, 7)).toEqual(['–', '20,00 €', '15,00 €']);
    expect((await cells('A-9')).slice(8, 13)).toEqual(['–', '–', '–', '–', '0']);
    const product = row(page, 'A-2').getByRole('link', { name: /^B2 bei Amazon\.de/ });
    expect(await product.getAttribute('href')).toBe('https://www.amazon.de/dp/B2');
    expect([await product.getAttribute('target'), await product.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    const why = row(page, 'A-2').getByRole('link', { name: 'Warum dieser Preis? A-2' });
    expect(await why.getAttribute('href')).toMatch(/\/artikel\/A-2#preis$/);
    expect(plain([(await row(page, 'A-2').getByRole('img').getAttribute('aria-label')) ?? ''])).toEqual([
      'Preise auf einer Skala: Ihr Preis 9,00 €; Min 10,00 €; Gegner 14,00 €; Standard 15,00 €; Max 20,00 €.',
    ]);
    expect(await height(row(page, 'A-2'))).toBe(36);
    expect(errorsOf(page)).toEqual([]);
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
  });

  it('RDA-04 RDA-06 searches, sorts and pages the loaded list; the address keeps it, and the file has the filtered rows', async () => {
    const page = await open('tab=artikel');
    await opener(page, 'A-0').waitFor();
    await page.getByRole('searchbox').fill('öko');
    await page.keyboard.press('Enter');
    await expect.poll(() => parameter(page, 'a.suche')).toBe('öko');
    await expect.poll(async () => (await ids(page)).length).toBe(15);
    await head(page, 'Artikel-ID').getByRole('button').click();
    await expect.poll(async () => (await ids(page)).slice(0, 2)).toEqual(['A-29', 'A-27']);
    expect(await head(page, 'Artikel-ID').getAttribute('aria-sort')).toBe('descending');
    // The list changes at once, the URL a moment later; a reloaded page only knows the URL.
    await expect.poll(() => parameter(page, 'a.sort')).toBe('-_id');
    await head(page, 'Offer Price', 1).getByRole('button').click();
    await expect.poll(async () => (await ids(page)).slice(0, 3)).toEqual(['A-1', 'A-3', 'A-11']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Als CSV exportieren' }).click();
    expect((await download).suggestedFilename()).toBe('Artikelliste.csv');
    await expect.poll(() => parameter(page, 'a.sort')).toBe('comp_offer_price');
    await page.reload();
    await expect.poll(async () => (await ids(page)).slice(0, 3)).toEqual(['A-1', 'A-3', 'A-11']);
    await page.goBack();
    await expect.poll(async () => (await ids(page)).slice(0, 2)).toEqual(['A-29', 'A-27']);
    await page.getByRole('searchbox').fill('gibt es nicht');
    await page.getByRole('heading', { name: 'Keine passenden Artikel' }).waitFor();
    await page.getByRole('button', { name: 'Suche und Filter aufheben' }).click();
    await expect.poll(async () => (await ids(page)).length).toBe(30);
    const sizes = page.getByLabel('Zeilen je Seite');
    expect(await sizes.getByRole('option').allInnerTexts()).toEqual(
      [25, 50, 100, 200].map((size) => `${size} je Seite`),
    );
    expect(await sizes.inputValue()).toBe('100');
    await sizes.selectOption('25');
    await expect.poll(async () => (await ids(page)).length).toBe(25);
    await page.getByRole('button', { name: 'Nächste Seite' }).click();
    await expect.poll(async () => (await ids(page)).length).toBe(5);
    expect(await page.getByRole('navigation', { name: 'Seiten' }).getByRole('button').count()).toBeLessThanOrEqual(5);
    await expect.poll(() => [parameter(page, 'a.je'), parameter(page, 'a.seite')]).toEqual(['25', '2']);
  });

  it('RDA-04 RDA-06 a failed chunk keeps the loaded rows usable, and loading resumes where it stopped', async () => {
    const asked: number[] = [];
    let fails = true;
    const page = await open(
      'tab=artikel',
      {},
      pieces(25_000, async (offset, route) => {
        asked.push(offset);
        if (offset !== 10_000 || !fails) return false;
        fails = false;
        await route.fulfill({ status: 500, json: down });
        return true;
      }),
    );
    await page.getByRole('alert').getByText('Das hat nicht geklappt.').waitFor();
    await page.getByText('10.000 von 25.000 Datensätze').waitFor();
    expect(asked).toEqual([0, 10_000]);
    await page.getByRole('searchbox').fill('NK-9999');
    await opener(page, 'NK-9999').waitFor();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByText('1–1 von 1 Datensatz').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('1–100 von 25.000 Datensätzen').waitFor();
    expect(asked).toEqual([0, 10_000, 10_000, 20_000]);
    expect(await page.getByRole('progressbar').count()).toBe(0);
    // Of a hundred rows only visible ones are rendered; sorting still covers all.
    expect((await ids(page)).length).toBeLessThan(80);
    await head(page, 'Messages').getByRole('button').click();
    await head(page, 'Messages').getByRole('button').click();
    await expect.poll(() => parameter(page, 'a.sort')).toBe('-comp_count');
    await expect.poll(() => page.getByRole('row').nth(2).getByRole('cell').nth(12).innerText()).toBe('399');
  });

  it('RDA-04 loading can be stopped and resumed', async () => {
    let held: Route | undefined;
    const page = await open(
      'tab=artikel',
      {},
      pieces(12_000, (offset, route) => {
        if (offset === 0 || held !== undefined) return false;
        held = route;
        return true;
      }),
    );
    await opener(page, 'NK-0').waitFor();
    await page.getByRole('button', { name: 'Laden abbrechen' }).click();
    await page.getByText('Noch nicht alles geladen').waitFor();
    await page.getByText('10.000 von 12.000 Datensätze').waitFor();
    expect(await page.getByRole('button', { name: 'Als CSV exportieren' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Weiter laden' }).click();
    await page.getByText('1–100 von 12.000 Datensätzen').waitFor();
  });

  it('RDA-05 lists the articles of a rank and of a competitor, filters by buy boxes, and Zurück resets everything', async () => {
    const page = await open('tab=raenge&liste=rang:1');
    await page.getByRole('heading', { name: 'Artikeldaten' }).waitFor();
    await expect.poll(() => ids(page)).toEqual(['A-0', 'A-2']);
    await page.goto(`${world.path}?tab=haendler&liste=haendler:K1`);
    await expect.poll(() => ids(page)).toEqual(['A-0', 'A-1']);
    const choose = (name: string, word: string) =>
      page.getByRole('radiogroup', { name }).getByText(word, { exact: true }).click();
    await choose('Gegner Buybox', 'JA');
    await expect.poll(() => ids(page)).toEqual(['A-1']);
    await choose('Eigene Buybox', 'JA');
    await page.getByRole('heading', { name: 'Keine passenden Artikel' }).waitFor();
    await choose('Gegner Buybox', 'NEIN');
    await expect.poll(() => ids(page)).toEqual(['A-0']);
    await head(page, 'Brand').getByRole('button').click();
    await expect.poll(() => new URL(page.url()).search).toContain('a.sort=brand');
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Zurück' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=haendler');
    await page.getByRole('tab', { name: 'Artikelliste' }).click();
    await expect.poll(async () => (await ids(page)).length).toBe(30);
  });

  it('RDA-05 a competitor with odd characters yields an empty list', async () => {
    const odd = `<b>"%/\\?#&;=+ ${'ü'.repeat(200)}`;
    const page = await open(`liste=${encodeURIComponent(`haendler:${odd}`)}`);
    await page.getByRole('heading', { name: 'Keine Artikel' }).waitFor();
    await page.getByText(/auch <b>"%\/\\\?#&;=\+ ü+ anbietet/).waitFor();
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.goto(`${world.path}?liste=haendler:..`);
    await page.getByText(/auch \.\. anbietet/).waitFor();
  });
});
