import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { Rule } from '#shared/rules/schema.ts';
import {
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { listedRules, openRules, rule, saveRules } from '../../stages/feed/rule-page.ts';

describe('two people save the same rules', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
  const save = (page: Page) => page.getByRole('button', { name: 'Speichern', exact: true }).click();
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
  const names = (rules: readonly Rule[]) => rules.map((one) => one.name);
  const saveForeign = (masterid: string, body: Rule[]) =>
    stage.kontor.ask(api.saveMasterRules, { params: { masterid }, body });

  it('RUL-14 GEN-05 the first save detects a save made after the page was opened; both versions are shown', async () => {
    const [one, two] = [rule('Eins'), rule('Zwei')];
    const { page, masterid, stored } = await openRules(stage, [one, two]);
    await saveForeign(masterid, [one, { ...two, name: 'Fremde Zwei' }, rule('Fremde Drei')]);
    await name(page).fill('Meine Eins');
    await save(page);
    const mine = dialog(page).getByRole('region', { name: 'Ihre Änderungen' });
    await mine.getByText('Regel „Meine Eins“: hieß vorher „Eins“.').waitFor();
    await expect.poll(() => mine.getByRole('listitem').count()).toBe(1);
    const theirs = dialog(page).getByRole('region', { name: /^Änderungen von .+, \d\d\.\d\d\.\d{4}, \d\d:\d\d$/ });
    await expect
      .poll(() => theirs.getByRole('listitem').allInnerTexts())
      .toEqual(['Regel „Fremde Zwei“: hieß vorher „Zwei“.', expect.stringMatching(/^Regel „Fremde Drei“ angelegt/)]);
    expect(names(await stored())).toEqual(['Eins', 'Fremde Zwei', 'Fremde Drei']);

    await dialog(page).getByRole('button', { name: 'Beide übernehmen' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('Gespeichert', { exact: true }).last().waitFor();
    expect(names(await stored())).toEqual(['Meine Eins', 'Fremde Zwei', 'Fremde Drei']);
    await expect.poll(() => listedRules(page)).toEqual(['1\nMeine Eins', '2\nFremde Zwei', '3\nFremde Drei']);
    await name(page).fill('Noch einmal');
    await saveRules(page);
  });

  it('GEN-05 of a rule that both changed one version is chosen', async () => {
    const one = rule('Eins');
    const { page, masterid, stored } = await openRules(stage, [one, rule('Zwei')]);
    await saveForeign(masterid, [{ ...one, name: 'Ihre Eins' }, rule('Drei')]);
    await name(page).fill('Meine Eins');
    await save(page);
    const choice = dialog(page).getByRole('radiogroup', { name: 'Regel „Meine Eins“' });
    await expect.poll(() => choice.getByRole('radio', { name: /^Ihre:/ }).isChecked()).toBe(true);
    await choice.getByRole('radio', { name: /^Von / }).check();
    await page.evaluate('window.scrollTo(0, 0)');
    await expectNoAxeFindings(page);
    await dialog(page).getByRole('button', { name: 'Beide übernehmen' }).click();
    await page.getByText('Gespeichert', { exact: true }).last().waitFor();
    expect(names(await stored())).toEqual(['Ihre Eins', 'Drei']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Meine Eins');
  });

  it('GEN-05 my version can be saved over the other one', async () => {
    const { page, masterid, stored } = await openRules(stage, [rule('Eins')]);
    await saveForeign(masterid, [rule('Fremd')]);
    await name(page).fill('Mein Stand');
    await save(page);
    await dialog(page).getByRole('button', { name: 'Meinen Stand speichern' }).click();
    await page.getByText('Gespeichert', { exact: true }).last().waitFor();
    expect(names(await stored())).toEqual(['Mein Stand']);
  });

  it('GEN-05 the other version can be loaded, and undo restores the own input', async () => {
    const { page, masterid, stored } = await openRules(stage, [rule('Eins')]);
    await saveForeign(masterid, [rule('Fremd')]);
    await name(page).fill('Mein Stand');
    await save(page);
    await dialog(page)
      .getByRole('button', { name: /^Stand von .+ laden$/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => listedRules(page)).toEqual(['1\nFremd']);
    await expect.poll(() => page.getByRole('button', { name: 'Speichern', exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Mein Stand');
    await saveRules(page);
    expect(names(await stored())).toEqual(['Mein Stand']);
  });

  it('GEN-05 closing the dialog saves nothing and loses nothing; the next save asks again', async () => {
    const { page, masterid, stored } = await openRules(stage, [rule('Eins')]);
    await saveForeign(masterid, [rule('Fremd')]);
    await name(page).fill('Mein Stand');
    await save(page);
    await dialog(page).getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => name(page).inputValue()).toBe('Mein Stand');
    expect(names(await stored())).toEqual(['Fremd']);
    await page.getByRole('alert').getByRole('button', { name: 'Erneut versuchen' }).click();
    await dialog(page).waitFor();
  });

  it('RUL-14 a save between two of mine is detected, and another one while the dialog is open', async () => {
    const { page, masterid, stored } = await openRules(stage, [rule('Eins')]);
    await name(page).fill('Erster');
    await saveRules(page);
    await saveForeign(masterid, [rule('Fremd')]);
    await name(page).fill('Zweiter');
    await save(page);
    await dialog(page).waitFor();
    await saveForeign(masterid, [rule('Noch fremder')]);
    await dialog(page).getByRole('button', { name: 'Meinen Stand speichern' }).click();
    await dialog(page).getByText('Regel „Noch fremder“ angelegt').waitFor();
    expect(names(await stored())).toEqual(['Noch fremder']);
  });

  it("RUL-14 the user's own save in another window is named as such", async () => {
    const { page, masterid } = await openRules(stage, [rule('Eins')]);
    const other = await page.context().newPage();
    await visit(other, `/master/${masterid}/regeln`);
    await name(other).fill('Im anderen Fenster');
    await saveRules(other);
    await name(page).fill('Hier');
    await save(page);
    await dialog(page).getByText('wurde hier von Ihnen in einem anderen Fenster gespeichert').waitFor();
    await dialog(page)
      .getByRole('region', { name: /^Ihre Änderungen aus dem anderen Fenster, / })
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Ihren Stand aus dem anderen Fenster laden' }).click();
    await expect.poll(() => name(page).inputValue()).toBe('Im anderen Fenster');
  });

  it('the dialog has no axe findings in light and dark, and fits 320 px', async () => {
    const one = rule('Eins');
    const { page, masterid } = await openRules(stage, [one]);
    await saveForeign(masterid, [{ ...one, name: 'Ihre' }]);
    await name(page).fill('Meine');
    await save(page);
    await dialog(page).waitFor();
    await page.evaluate('window.scrollTo(0, 0)');
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
  });
});
