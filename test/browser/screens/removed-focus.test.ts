import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue, opened } from '../../stages/feed/assignment-page.ts';
import { openStage, type Stage } from '../../stages/browser.ts';
import { openRules, rule } from '../../stages/feed/rule-page.ts';

describe('the focus of a keyboard user whose key press removes the focused element', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const hasFocus = (page: Page, element: Locator) => element.and(page.locator(':focus')).waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('goes back to where it was before the save bar', async () => {
    const { page } = await openRules(stage, [rule('Eins'), rule('Zwei')]);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Drei');
    await button(page, 'Speichern').press('Enter');
    await hasFocus(page, name);
    await name.fill('Vier');
    await button(page, 'Verwerfen').press('Enter');
    await hasFocus(page, name);
  });

  it('goes back to what still exists after a row is removed', async () => {
    const { page } = await openRules(stage, [rule('Eins')]);
    const add = button(page, 'und: Bedingung hinzufügen');
    await add.press('Enter');
    await button(page, 'Bedingung 2 entfernen').press('Enter');
    await hasFocus(page, add);
  });

  it('is in the name of a copied rule and of a new mapping', async () => {
    const { page } = await openRules(stage, [rule('Eins')]);
    await button(page, 'Regel kopieren').press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.inputValue()).not.toBe('Eins');
    await hasFocus(page, name);
    const { masterid } = await catalogue(stage.kontor);
    const mappings = await opened(stage, `/master/${masterid}/mappings`);
    await button(mappings, 'Neue').first().press('Enter');
    await hasFocus(mappings, mappings.getByRole('textbox', { name: 'Name' }));
  });
});
