import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../../stages/browser.ts';
import { listedRules, openRules, pickField, rule, saveRules } from '../../stages/feed/rule-page.ts';

describe('undo and redo of rules', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
  const undo = (page: Page) => page.getByRole('button', { name: 'Rückgängig' });
  const redo = (page: Page) => page.getByRole('button', { name: 'Wiederholen' });
  const listed = (page: Page) => page.getByRole('navigation', { name: 'Regeln, von oben nach unten' });
  const saveButton = (page: Page) => page.getByRole('button', { name: 'Speichern', exact: true });

  it('RUL-02 Strg+Z in a text field undoes one typing burst with the caret after it; Strg+Y redoes it', async () => {
    const { page } = await openRules(stage, [rule('Hammer weg')]);
    await expect.poll(() => undo(page).getAttribute('aria-disabled')).toBe('true');
    await name(page).click();
    await page.keyboard.press('Home');
    await page.keyboard.type('Alle ');
    await expect.poll(() => name(page).inputValue()).toBe('Alle Hammer weg');
    await page.waitForTimeout(1000);
    await page.keyboard.type('alten ');
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Alle Hammer weg');
    await expect.poll(() => name(page).evaluate('document.activeElement.selectionStart')).toBe(5);
    await page.getByText('Rückgängig gemacht. Regel „Alle Hammer weg“').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Hammer weg');
    await expect.poll(() => saveButton(page).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Hammer weg');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => name(page).inputValue()).toBe('Alle alten Hammer weg');
  });

  /** By position: the check of other rules may name it too. */
  const firstRule = (page: Page) => listed(page).getByRole('link', { name: 'Eins' }).first();

  it('RUL-08 RUL-09 order, copies, new rules and choices are undo steps; each selects its rule', async () => {
    const { page } = await openRules(stage, [rule('Eins'), rule('Zwei'), rule('Drei')]);
    await page.getByRole('link', { name: 'Zwei' }).click();
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), 'marke');
    await page.getByRole('button', { name: 'und: Bedingung hinzufügen' }).click();
    await page.getByRole('button', { name: /„Drei“ verschieben/ }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await firstRule(page).click();
    await page.getByRole('button', { name: 'Regel kopieren' }).click();
    await expect.poll(() => listedRules(page)).toEqual(['1\nEins', '2\nEins (copy)', '3\nDrei', '4\nZwei']);

    await undo(page).click();
    await expect.poll(() => listedRules(page)).toEqual(['1\nEins', '2\nDrei', '3\nZwei']);
    await expect.poll(() => name(page).inputValue()).toBe('Eins');
    await undo(page).click();
    await expect.poll(() => listedRules(page)).toEqual(['1\nEins', '2\nZwei', '3\nDrei']);
    await firstRule(page).click();
    await undo(page).click();
    await expect.poll(() => name(page).inputValue()).toBe('Zwei');
    await expect.poll(() => page.getByRole('group', { name: /^Bedingung \d$/ }).count()).toBe(1);
    await undo(page).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Bedingung 1: Feld' }).inputValue()).toBe('Alle Felder');
    await expect.poll(() => saveButton(page).count()).toBe(0);
    for (let step = 0; step < 4; step += 1) await redo(page).click();
    await expect.poll(() => listedRules(page)).toEqual(['1\nEins', '2\nEins (copy)', '3\nDrei', '4\nZwei']);
    await expect.poll(() => name(page).inputValue()).toBe('Eins (copy)');
    await expect.poll(() => redo(page).getAttribute('aria-disabled')).toBe('true');
  });

  it('RUL-02 undo after a save makes the form dirty again, and the old state can be saved', async () => {
    const { page, stored } = await openRules(stage, [rule('Eins')]);
    await name(page).fill('Eins neu');
    await saveRules(page);
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Eins');
    await saveRules(page);
    expect((await stored())[0]?.name).toBe('Eins');
  });

  it('RUL-08 undo restores a deleted rule, which is saved again; so do discarded edits', async () => {
    const { page, stored } = await openRules(stage, [rule('Eins'), rule('Zwei')]);
    await page.getByRole('link', { name: 'Zwei' }).click();
    await page.getByRole('button', { name: 'Regel löschen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('link', { name: 'Zwei' }).waitFor({ state: 'detached' });
    expect(await stored()).toHaveLength(1);
    await undo(page).click();
    await expect.poll(() => name(page).inputValue()).toBe('Zwei');
    await saveRules(page);
    expect((await stored()).map(({ name: text }) => text)).toEqual(['Eins', 'Zwei']);

    await name(page).fill('Zwei geändert');
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => name(page).inputValue()).toBe('Zwei');
    await undo(page).click();
    await expect.poll(() => name(page).inputValue()).toBe('Zwei geändert');
  });

  it('Strg+Z in an open field picker stays there and undoes no edit', async () => {
    const { page } = await openRules(stage, [rule('Eins')]);
    await name(page).fill('Eins neu');
    const picker = page.getByRole('combobox', { name: 'Bedingung 1: Feld' });
    await picker.click();
    await picker.pressSequentially('ma');
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Eins neu');
  });
});
