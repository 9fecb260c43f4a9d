import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
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

describe('the command palette', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Bohrer groß\nA/2;Säge\n');
    await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Bohrwelt' } });
    const rule = Rule.parse({ id: 'RuleBohr01', name: 'Bohrer aufwerten', querys: [{}], actions: [{}] });
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [rule] });
  }, 120_000);
  afterAll(() => stage.close());

  it('RUL-02 Strg+K opens a rule, an export, an item and a screen by keyboard', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    const field = page.getByRole('combobox', { name: 'Seiten, Regeln, Exporte und Artikel suchen' });
    const goTo = async (text: string, option: string) => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await page.getByRole('option', { name: option }).waitFor();
      while ((await page.getByRole('option', { name: option, selected: true }).count()) === 0)
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'hidden' });
    };
    await goTo('bohrer auf', 'Bohrer aufwerten');
    await page.waitForURL(`**/master/${masterid}/regeln/RuleBohr01`);
    await goTo('bohrw', 'Bohrwelt Export von Testkatalog');
    await page.waitForURL('**/exports/*');
    await goTo('a/2', 'Säge');
    await page.waitForURL(`**/master/${masterid}/artikel/A%2F2`);
    await goTo('konto', 'Konto');
    await page.waitForURL('**/konto');
    expect(errorsOf(page)).toEqual([]);
  });

  it('opens by its button, says that nothing was found, closes by Escape and gives the focus back', async () => {
    const page = await stage.openPage({ scheme: 'dark' });
    await signIn(page);
    await visit(page, '/');
    const opener = page.getByRole('button', { name: 'Suchen' });
    await opener.click();
    await page.getByRole('option', { name: 'Übersicht' }).waitFor();
    await expectNoAxeFindings(page);
    await page.getByRole('combobox').fill('gibt es gewiss nicht');
    await page.getByText('Nichts gefunden.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)).toBe('Suchen');
  });

  it('the key ? shows all shortcuts, but not while somebody types and not where it is switched off', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/artikel`);
    const sheet = page.getByRole('dialog', { name: 'Tastenkürzel' });
    const search = page
      .getByRole('searchbox')
      .or(page.getByRole('textbox', { name: /suchen/ }))
      .first();
    await search.click();
    await page.keyboard.press('?');
    expect(await search.inputValue()).toBe('?');
    // The search text is in the URL, and the grid is dimmed until the result arrives.
    await page.waitForURL(({ search: query }) => query !== '');
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    expect(await sheet.count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await sheet.getByText('Zeile nach oben').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await sheet.getByRole('link', { name: 'Konto' }).click();
    await page.waitForURL('**/konto');
    const keys = page.getByRole('switch', { name: 'Kürzel aus einer einzelnen Taste' });
    await keys.uncheck();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.reload();
    await expect.poll(() => keys.isChecked()).toBe(false);
    expect(await sheet.count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('keeps text typed while it loads, and leaves the previously focused field unchanged', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/artikel`);
    const search = page.getByRole('searchbox').first();
    await search.click();
    let load = () => {};
    const held = new Promise<void>((resolve) => (load = resolve));
    await page.route(/\/palette-[^/]*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('kontx');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('o');
    load();
    const field = page.getByRole('combobox', { name: 'Seiten, Regeln, Exporte und Artikel suchen' });
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe('konto');
    expect(await search.inputValue()).toBe('');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/konto');
    expect(errorsOf(page)).toEqual([]);
  });

  it('Enter never opens what was found for an earlier text', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox');
    await field.fill('bohrw');
    const found = page.getByRole('option', { name: 'Bohrwelt Export von Testkatalog' });
    await found.waitFor();
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(`**${api.search.path}?**`, async (route) => {
      await promise;
      await route.continue();
    });
    await field.fill('bohrwer');
    await page.keyboard.press('Enter');
    await expect.poll(() => found.count(), { timeout: 5000 }).toBe(0);
    // What still fits stays, so that the list does not flicker.
    await field.fill('bohrwe');
    await found.waitFor();
    letGo();
    await field.fill('bohrwer');
    await page.getByText('Nichts gefunden.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('still finds screens when the server is unreachable', async () => {
    const page = await stage.openPage({ width: 320 });
    await signIn(page);
    await visit(page, '/');
    await page.getByRole('button', { name: 'Suchen' }).click();
    const field = page.getByRole('combobox');
    await field.waitFor();
    await page.context().setOffline(true);
    await field.fill('Konto');
    await page.getByText('Regeln und Artikel können gerade nicht durchsucht werden').waitFor();
    await page.getByRole('option', { name: 'Konto' }).waitFor();
    await expectNoAxeFindings(page);
  });
});
