import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { heldFileServer } from '../../servers/held-file-server.ts';
import { catalogue, opened } from '../../stages/feed/assignment-page.ts';
import { openStage, type Stage, visit } from '../../stages/browser.ts';
import { admin } from '../../stages/kontor.ts';
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
    await hasFocus(page, page.getByRole('combobox', { name: 'Bedingung 2: Feld' }));
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

  it('is in the content of the page that follows the sign-in', async () => {
    const page = await stage.openPage();
    await visit(page, '/login');
    await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(admin.email);
    await page.getByLabel('Passwort', { exact: true }).fill(admin.password);
    await page.getByLabel('Passwort', { exact: true }).press('Enter');
    await hasFocus(page, page.getByRole('main'));
  });

  it('goes from the start of an import to what says that it runs, and then to its result', async () => {
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name: 'Fokus' } });
    const server = await heldFileServer('sku;titel\nA-1;Hammer\n');
    onTestFinished(() => server.close());
    const page = await opened(stage, `/master/${masterid}/import`);
    await page.getByText('Adresse', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Adresse der Datei' }).first().fill(server.url);
    await button(page, 'Import starten').press('Enter');
    await hasFocus(page, page.getByRole('heading', { name: 'Import läuft' }));
    server.release();
    await hasFocus(page, page.getByRole('heading', { name: 'Letztes Ergebnis' }));
  });
});
