import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { openRules, rule } from '../../stages/feed/rule-page.ts';

const colours = ['Rot', 'Blau', 'Grün', 'Gelb', ''];
const row = (at: number) =>
  [
    `A-${at}`,
    at === 5 ? 'Ein Titel, der viel länger ist als alle anderen Titel' : `Hammer ${at % 50}`,
    at % 4 === 0 ? 'Kübler' : 'Nordkap',
    colours[at % 5],
    `${at},50`,
  ].join(';');
const catalogue = ['sku;titel;marke;farbe;preis', ...Array.from({ length: 200 }, (_, at) => row(at))].join('\n');

/** For developers: `KONTOR_SHOTS=/a/folder` saves screenshots. */
const shots = process.env['KONTOR_SHOTS'];
const picture = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};

describe('facets beside the items grid', () => {
  let stage: Stage;
  let masterid: string;
  let page: Page;
  let ids: Map<string, string>;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, catalogue, { key: 'sku' });
    const { fields } = await stage.kontor.ask(api.items, { query: { masterid, limit: 1 } });
    ids = new Map(fields.map(({ id, name }) => [name, id]));
  }, 180_000);
  afterAll(() => stage.close());
  beforeEach(async () => {
    page = await stage.openPage();
    await signIn(page);
  });

  const shown = (...fields: string[]) =>
    `/master/${masterid}/artikel?facetten=${fields.map((name) => ids.get(name)).join(',')}`;
  const panel = () => page.getByRole('complementary', { name: 'Facetten' });
  const card = (name: string) => panel().getByRole('region', { name, exact: true });
  const value = (name: string, text: string | RegExp) => card(name).getByRole('button', { name: text, exact: true });
  const counts = async (name: string) =>
    (
      await card(name)
        .getByRole('list', { name: `Häufigste Werte von ${name}` })
        .getByRole('listitem')
        .allInnerTexts()
    ).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });

  it('ITE-02 two filters removed while the items of the first are still loading are both gone', async () => {
    const fields = ['titel', 'marke'].map((name) => ids.get(name));
    const filter = JSON.stringify(fields.map((field) => ({ field, mode: 'is_not_empty', value: '' })));
    await page.context().addCookies([{ name: 'kontor_artikel_laden', value: 'paged', url: stage.kontor.url }]);
    await visit(page, `/master/${masterid}/artikel?filter=${encodeURIComponent(filter)}`);
    const held = Promise.withResolvers<void>();
    await page.route('**/artikel.data?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    const chips = page.getByRole('list', { name: 'Filter', exact: true }).getByRole('button');
    await chips.nth(0).click();
    await chips.nth(1).click();
    held.resolve();
    await chips.first().waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('filter')).toBe(null);
  });

  it('open by a button, and the shown facets are kept in the address', async () => {
    await visit(page, `/master/${masterid}/artikel`);
    await page.getByRole('button', { name: 'Facetten', exact: true }).click();
    await card('marke').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.has('facetten')).toBe(true);
    await visit(page, page.url());
    await expect.poll(() => counts('marke')).toEqual(['Nordkap nicht 150', 'Kübler nicht 50']);
    await panel().getByRole('button', { name: 'Facette marke schließen' }).click();
    await card('marke').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Facetten', exact: true }).click();
    await panel().waitFor({ state: 'detached' });
    expect(errorsOf(page)).toEqual([]);
  });

  it('a click filters grid and other facets, several values combine, and "nicht" excludes', async () => {
    await visit(page, shown('marke', 'farbe', 'preis'));
    await value('marke', 'Kübler').click();
    await heading('50 Datensätze').waitFor();
    await expect
      .poll(() => counts('farbe'))
      .toEqual(['Rot nicht 10', 'Blau nicht 10', 'Grün nicht 10', 'Gelb nicht 10']);
    // A facet is not narrowed by its own filter.
    expect(await counts('marke')).toEqual(['Nordkap nicht 150', 'Kübler nicht 50']);
    await value('farbe', 'Rot').click();
    await heading('10 Datensätze').waitFor();
    await value('farbe', 'Blau').click();
    await heading('20 Datensätze').waitFor();
    await page.getByText('farbe ist gleich einem von „Rot“, „Blau“').waitFor();
    await card('farbe').getByRole('button', { name: 'nicht Rot' }).click();
    await heading('10 Datensätze').waitFor();
    expect(await value('farbe', 'Blau').getAttribute('aria-pressed')).toBe('true');
    await expectNoAxeFindingsInBoth(page);
    await picture(page, 'facetten');
    await value('farbe', 'Blau').press('Enter');
    await heading('40 Datensätze').waitFor();
    const bars = card('preis').getByRole('list', { name: 'Verteilung der Zahlen' }).getByRole('listitem');
    const inBars = async () => (await bars.allInnerTexts()).map((text) => Number(/(\d+)\s*$/.exec(text)?.[1]));
    await expect.poll(async () => (await inBars()).reduce((sum, items) => sum + items, 0)).toBe(40);
    const [inBar = 0] = await inBars();
    await bars.first().getByRole('button').click();
    await page.getByText(/^preis liegt zwischen/).waitFor();
    await heading(inBar === 1 ? '1 Datensatz' : `${inBar} Datensätze`).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('empty, duplicate and unusually long values are filtered by one click', async () => {
    await visit(page, shown('titel', 'farbe'));
    const finding = (name: string, text: RegExp) =>
      card(name)
        .getByRole('list', { name: `Auffälliges in ${name}` })
        .getByRole('button', { name: text });
    await finding('farbe', /^leer 40$/).click();
    await heading('40 Datensätze').waitFor();
    await finding('farbe', /^leer/).click();
    await finding('titel', /^auffällig lang, über \d+ Zeichen 1$/).click();
    await heading('1 Datensatz').waitFor();
    await finding('titel', /^auffällig lang/).click();
    await finding('titel', /^doppelt 199$/).click();
    await page.getByText('titel kommt mehrfach vor', { exact: true }).waitFor();
    await heading('199 Datensätze').waitFor();
    await page.getByText('In eine Regel geht nicht über: titel kommt mehrfach vor.').waitFor();
  });

  it('a selection becomes a new, unsaved rule with a condition for each filter and the search', async () => {
    // Only with paging by the server is there a wait.
    await page.context().addCookies([{ name: 'kontor_artikel_laden', value: 'paged', url: stage.kontor.url }]);
    await visit(page, shown('marke'));
    await value('marke', 'Kübler').click();
    const searched = Promise.withResolvers<void>();
    await page.route('**/artikel.data?*suche=Hammer*', async (route) => {
      await searched.promise;
      // Going to the rules has aborted it by then.
      await route.continue().catch(() => {});
    });
    await page.getByRole('searchbox', { name: 'In allen Feldern suchen' }).fill('Hammer');
    // The link need not wait for the items of the search.
    const link = page.getByRole('link', { name: 'Als Regel …' });
    await expect.poll(() => link.getAttribute('href')).toContain('Hammer');
    await link.click();
    await page.getByRole('group', { name: 'Bedingung 2', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true }).inputValue()).toBe('Kübler');
    expect(await page.getByRole('textbox', { name: 'Bedingung 2: Wert', exact: true }).inputValue()).toBe('Hammer');
    searched.resolve();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await stage.kontor.ask(api.masterRules, { params: { id: masterid } })).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
  });

  it('a facet that fails is reported and can be retried; the others stay', async () => {
    const field = ids.get('farbe') ?? '';
    await page.route(`**/api/items/facet?*field=${field}*`, (route) => route.abort());
    await visit(page, shown('marke', 'farbe'));
    await card('farbe').getByRole('alert').waitFor();
    await expect.poll(() => counts('marke')).toHaveLength(2);
    await page.unrouteAll();
    await card('farbe').getByRole('button', { name: 'Erneut versuchen' }).click();
    await expect.poll(() => counts('farbe')).toHaveLength(4);
  });

  it.each(['light', 'dark'] as const)('is usable at 320 px and has no axe findings (%s)', async (scheme) => {
    page = await stage.openPage({ width: 320, scheme });
    await signIn(page);
    await visit(page, shown('marke', 'preis'));
    await expect.poll(() => counts('marke')).toHaveLength(2);
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    await picture(page, `facetten-320-${scheme}`);
  });
});

describe('facets of the items that a rule meets', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('show the values of these items, and a click adds a condition to the rule', async () => {
    const { page, stored } = await openRules(stage, [
      rule('Bosch', {
        query: { field: 'marke', value: 'BOSCH' },
        action: { field: 'titel', select: 'append', value: [{ type: '_string', value: ' rot' }] },
      }),
    ]);
    const met = page.getByRole('region', { name: 'Facetten der getroffenen Artikel' });
    await met.getByRole('button', { name: 'Facetten der getroffenen Artikel' }).click();
    const titles = met.getByRole('region', { name: 'titel', exact: true });
    await titles.getByRole('button', { name: 'Zange', exact: true }).waitFor();
    expect(await titles.getByRole('list', { name: 'Häufigste Werte von titel' }).getByRole('listitem').count()).toBe(2);
    await titles.getByRole('button', { name: 'nicht Zange' }).click();
    await met.getByRole('region', { name: 'marke', exact: true }).getByText('100 % gefüllt').waitFor();
    await expectNoAxeFindings(page);
    await picture(page, 'facetten-regel');
    await met.getByRole('button', { name: 'Als Bedingung übernehmen' }).click();
    await page.getByRole('group', { name: 'Bedingung 2', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Bedingung 2: Wert', exact: true }).inputValue()).toBe('Zange');
    await titles.getByRole('button', { name: 'Zange', exact: true }).waitFor({ state: 'detached' });
    expect((await stored())[0]?.querys).toHaveLength(1);
    expect(errorsOf(page)).toEqual([]);
  });
});
