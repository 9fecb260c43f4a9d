import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoAxeFindings, openStage, type Stage } from '../../stages/browser.ts';
import { listedRules, openRules, rule, ruleList, saveRules } from '../../stages/feed/rule-page.ts';

describe('the effect of every rule in the list', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  // By its beginning: the effect of a rule may name another one.
  const entry = (page: Page, name: string) =>
    ruleList(page).getByRole('link', { name: new RegExp(`^\\d+ ${name}\\b`) });
  const setTitle = (name: string, marke: string) =>
    rule(name, {
      query: { field: 'marke', value: marke },
      action: { field: 'titel', select: 'set', value: [{ type: '_string', value: 'Zange' }] },
    });

  it('RUL-11 GEN-03 the list shows changed and excluded items per rule; none for paused ones, 0 is flagged', async () => {
    const { page } = await openRules(stage, [
      rule('Billiges', { query: { field: 'preis', select: 'is_less_than', value: '1' } }),
      setTitle('Zangen', 'BOSCH'),
      setTitle('Niemand', 'Xylophon'),
      rule('Ruhe', { active: false }),
    ]);
    await entry(page, 'Billiges').getByText('2 ausgeschlossen').waitFor();
    await entry(page, 'Zangen').getByText('1 geändert').waitFor();
    await entry(page, 'Niemand').getByText('0 getroffen').waitFor();
    await expect.poll(() => entry(page, 'Ruhe').innerText()).toBe('4\nRuhe\npausiert');

    // The counts follow the form, not the saved rule.
    await entry(page, 'Billiges').click();
    await page.getByRole('switch', { name: 'Aktiv' }).click();
    await entry(page, 'Zangen').getByText('2 getroffen, 1 geändert').waitFor();
    await expectNoAxeFindings(page);
  });

  it('the check flags shadowed and never matching rules, names the causing rule and links to it', async () => {
    const { page } = await openRules(stage, [
      rule('Bosch raus', { query: { field: 'marke', value: 'BOSCH' } }),
      setTitle('Verdeckt', 'BOSCH'),
      setTitle('Wolf', 'Wolf'),
    ]);
    const mark = (name: string) => entry(page, name).getByLabel(/^Prüfung: /);
    await mark('Verdeckt').waitFor();
    await expect.poll(() => mark('Wolf').count()).toBe(0);
    await entry(page, 'Verdeckt').click();
    const notice = page.getByRole('list', { name: 'Prüfung' });
    await notice.getByText('Bosch raus').first().waitFor();
    await expectNoAxeFindings(page);
    await notice.getByRole('link', { name: 'Zur Regel „Bosch raus“' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Bosch raus');
    // The check runs again while the user edits.
    await page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true }).fill('Xylophon');
    await mark('Verdeckt').waitFor({ state: 'detached' });
    await mark('Bosch raus').waitFor();
  });

  it('the back and forward buttons lead to the rules opened before', async () => {
    const { page } = await openRules(stage, [setTitle('Eins', 'A'), setTitle('Zwei', 'B'), setTitle('Drei', 'C')]);
    const shown = () => page.getByRole('textbox', { name: 'Name' }).inputValue();
    for (const name of ['Zwei', 'Drei']) {
      await entry(page, name).click();
      await page.waitForURL(/regeln\/[A-Za-z0-9]{10}$/);
      await expect.poll(shown).toBe(name);
      await expect.poll(() => entry(page, name).getAttribute('href')).toBe(new URL(page.url()).pathname);
    }
    await page.goBack();
    await expect.poll(shown, { timeout: 5000 }).toBe('Zwei');
    await page.goBack();
    await expect.poll(shown).toBe('Eins');
    await page.goForward();
    await expect.poll(shown).toBe('Zwei');
  });

  it('more than eight rules get a search box by name and field, usable by keyboard', async () => {
    const many = Array.from({ length: 9 }, (_, index) => setTitle(`Nummer ${index + 1}`, 'BOSCH'));
    const { page, stored } = await openRules(stage, [
      ...many,
      rule('Preise', { query: { field: 'preis', value: '1' } }),
    ]);
    const search = page.getByRole('searchbox', { name: 'Regeln suchen' });
    await search.fill('nummer 3');
    await expect.poll(() => listedRules(page)).toEqual(['3\nNummer 3']);
    await page.getByText('1 von 10 Regeln').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /verschieben$/ }).count()).toBe(0);
    await search.fill('preis');
    await search.press('Enter');
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Preise');
    await search.focus();
    await search.press('ArrowDown');
    await expect.poll(() => entry(page, 'Preise').and(page.locator(':focus')).count()).toBe(1);
    await search.press('Control+z');
    await search.focus();
    await search.press('Escape');
    await expect.poll(() => listedRules(page)).toHaveLength(10);
    await search.fill('gibt es nicht');
    await page.getByText('Keine Regel gefunden.').waitFor();
    await expectNoAxeFindings(page);
    expect(await stored()).toHaveLength(10);

    const few = await openRules(stage, many.slice(0, 8));
    await expect.poll(() => few.page.getByRole('searchbox', { name: 'Regeln suchen' }).count()).toBe(0);
  });

  it('RUL-08 sorting in a long list still saves the whole list', async () => {
    const many = Array.from({ length: 10 }, (_, index) => setTitle(`Nummer ${index}`, 'BOSCH'));
    const { page, stored } = await openRules(stage, many);
    await page.getByRole('button', { name: /„Nummer 9“ verschieben/ }).click();
    await page.getByRole('menuitem', { name: 'An den Anfang' }).click();
    await saveRules(page);
    expect((await stored()).map(({ name }) => name.slice(-1)).join('')).toBe('9012345678');
  });
});
