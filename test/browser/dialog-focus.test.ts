import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, mapped, opened } from '../stages/assignment-page.ts';
import { openStage, type Stage, visit } from '../stages/browser.ts';
import { undercutting } from '../stages/offer-message.ts';

describe('the focus after a dialog', () => {
  let stage: Stage;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ masterid, id } = await catalogue(stage.kontor));
    await stage.kontor.ask(api.saveMapping, {
      params: { masterid, mappingid: 'MapFokus01' },
      body: { name: 'Fokus', active: true, data: [mapped('1', 'farbe', 'rot', 'Rot')] },
    });
  }, 180_000);
  afterAll(() => stage.close());

  const hasFocus = (page: Page, opener: Locator) => opener.and(page.locator(':focus')).waitFor();
  const comesBack = async (page: Page, name: string) => {
    const opener = page.getByRole('button', { name, exact: true });
    await opener.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(page, opener);
  };

  it('returns to where it was, on every screen that renders a dialog only while it is open', async () => {
    const page = await opened(stage, `/master/${masterid}/mappings/MapFokus01`);
    await comesBack(page, 'Werte anhand eines Feldes hinzufügen');
    await comesBack(page, 'Einfügen');
    await comesBack(page, 'Zeile 1: prüfen');
    await visit(page, `/exports/${id}/marken`);
    await comesBack(page, 'Liste laden');
    await visit(page, '/');
    await comesBack(page, 'Katalog anlegen');
  });

  it('returns to where it was after the question about unsaved changes', async () => {
    const page = await opened(stage, `/master/${masterid}/mappings/MapFokus01`);
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('grün');
    const away = page.getByRole('link', { name: 'Shopsystem' });
    await away.press('Enter');
    await page.getByRole('dialog', { name: 'Änderungen speichern?' }).waitFor();
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(page, away);
  });

  it('returns to the opener of the first dialog when a second one replaced it', async () => {
    const page = await opened(stage, '/einstellungen');
    const opener = page.getByRole('button', { name: 'Zugang anlegen' });
    await opener.press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Anlegen' }).press('Enter');
    await page.getByRole('button', { name: 'Fertig' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(page, opener);
  });

  it('stays on the button whose action failed, and the dialog says why', async () => {
    const body = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
    await stage.kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: body.id }, body });
    const page = await opened(stage, `/repricer/${masterid}`);
    await page.getByRole('button', { name: 'Mehr' }).click();
    await page.getByRole('menuitem', { name: 'Notaus für die ganze Firma …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alle Preise der ganzen Firma anhalten?' });
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Falsche Einkaufspreise');
    await page.route(`**${api.stopPrices.path}`, (route) => route.abort());
    const confirm = dialog.getByRole('button', { name: 'Anhalten' });
    await confirm.press('Enter');
    await dialog.getByRole('alert').getByText('Der Server ist nicht erreichbar.').waitFor();
    await hasFocus(page, confirm);
    expect(await page.getByRole('alert').count()).toBe(1);
    // The reason itself was not wrong.
    expect(await dialog.getByRole('textbox', { name: 'Grund' }).getAttribute('aria-invalid')).not.toBe('true');
  });
});
