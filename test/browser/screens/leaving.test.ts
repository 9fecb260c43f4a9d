import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { errorsOf, openStage, type Stage, openPage } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('leaving a page with unsaved input', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    const shop = await orderChannel(stage.kontor, 'Laden');
    await takeOrders(stage.kontor, shop, [{ orderid: 'B-1', lines: [{ sku: 'A-1' }] }]);
  }, 180_000);
  afterAll(() => stage.close());

  const open = (path: string) => openPage(stage, path);
  const pathOf = (page: Page) => new URL(page.url()).pathname;
  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name, exact: true });
  const asksBeforeTheTabCloses = (page: Page) =>
    page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);

  it('asks once on a page with several forms, and the router finds one blocker', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } });
    const page = await open(`/exports/${id}/einstellungen`);
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    for (const edit of [
      () => page.getByRole('textbox', { name: 'Name' }).first().fill('Anders'),
      () => page.getByLabel('Aktion bei Differenz').selectOption({ label: 'Benachrichtigung senden' }),
    ]) {
      await edit();
      await link(page, 'Diagnose').click();
      await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
      expect(pathOf(page)).toBe(`/exports/${id}/einstellungen`);
    }
    await link(page, 'Diagnose').click();
    await question.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(() => pathOf(page)).toBe(`/exports/${id}/diagnose`);
    expect((await kontor.ask(api.export, { params: { id } })).settings.name).toBe('Anders');
    expect(warnings).toEqual([]);
  });

  it('the question goes by itself once a save that was already running has succeeded', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Langsam' } });
    const page = await open(`/exports/${id}/einstellungen`);
    const answers: (() => void)[] = [];
    await page.route('**/api/exports/*/difference', async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.continue();
    });
    await page.getByLabel('Aktion bei Differenz').selectOption({ label: 'Benachrichtigung senden' });
    const form = page.getByRole('form', { name: 'Prüfung neuer Stände' });
    await form.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(() => answers.length).toBe(1);
    await link(page, 'Diagnose').click();
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await question.waitFor();
    for (const answer of answers) answer();
    await expect.poll(() => pathOf(page), { timeout: 5000 }).toBe(`/exports/${id}/diagnose`);
    expect(await question.count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('REP-17 leaving the rules screen asks about unsaved rules; opening another rule does not', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00', { key: 'sku' });
    for (const [ruleid, name] of [
      ['AAAAAAAAAA', 'Eins'],
      ['BBBBBBBBBB', 'Zwei'],
    ] as const)
      await kontor.ask(api.saveRepricerRule, {
        params: { masterid, ruleid },
        body: undercutting(ruleid, name, ['von', 'bis', 'normal']),
      });
    const page = await open(`/repricer/${masterid}`);
    const name = page.getByRole('textbox', { name: 'Name' });
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await name.fill('Neuer Name');
    await page
      .getByRole('navigation', { name: 'Repricing-Regeln, von oben nach unten' })
      .getByRole('link', { name: /Zwei/ })
      .click();
    await expect.poll(() => name.inputValue()).toBe('Zwei');
    await link(page, 'Repricer-Dashboard').click();
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await question.waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe(`/repricer/${masterid}/BBBBBBBBBB`);
    await link(page, 'Repricer-Dashboard').click();
    await question.getByRole('button', { name: 'Speichern' }).click();
    await page.waitForURL('**/dashboard');
    const stored = await kontor.ask(api.repricerRules, { params: { masterid } });
    expect(stored['AAAAAAAAAA']?.name).toBe('Neuer Name');
    expect(errorsOf(page)).toEqual([]);
  });

  it('OIM-01 back button, links and closing the tab ask before a dialog loses typed input', async () => {
    const page = await open('/verlauf');
    await link(page, 'Bestellungen').click();
    await page.getByRole('button', { name: /^Versenden: .*B-1/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Versand melden' });
    const tracking = dialog.getByRole('textbox', { name: 'Sendungsnummer', exact: true });
    const question = page.getByRole('dialog', { name: 'Seite verlassen?' });
    expect(await asksBeforeTheTabCloses(page)).toBe(false);
    await tracking.fill('0034');
    expect(await asksBeforeTheTabCloses(page)).toBe(true);
    await page.goBack();
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await tracking.inputValue()).toBe('0034');
    expect(pathOf(page)).toBe('/bestellungen');
    await page.goBack();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    // Escape only closes the question; the dialog below must not ask one of its own.
    expect(await dialog.getByText('Ihre Änderungen sind noch nicht gespeichert.').count()).toBe(0);
    expect(await tracking.inputValue()).toBe('0034');
    await page.goBack();
    await question.getByRole('button', { name: 'Verwerfen' }).click();
    await page.waitForURL('**/verlauf');
    expect(errorsOf(page)).toEqual([]);
  });

  it('a dialog that navigates by itself does not ask', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Katalog anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Katalog anlegen' });
    await dialog.getByLabel('Name').fill('Neuer Katalog');
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await page.waitForURL('**/import');
    await page.getByRole('heading', { level: 1, name: 'Import · Neuer Katalog' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('unreported tracking numbers cause a question, also while their dialog is closed', async () => {
    const page = await open('/bestellungen');
    const question = page.getByRole('dialog', { name: 'Seite verlassen?' });
    await page.getByRole('button', { name: 'Sendungsnummern einlesen' }).click();
    const table = page.getByRole('dialog', { name: 'Sendungsnummern einlesen' });
    await table.getByLabel('Tabelle').fill('B-1;0034;DHL');
    await page.keyboard.press('Escape');
    await table.waitFor({ state: 'detached' });
    await link(page, 'Übersicht').click();
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await page.getByRole('button', { name: 'Sendungsnummern einlesen' }).click();
    expect(await table.getByLabel('Tabelle').inputValue()).toBe('B-1;0034;DHL');
    await table.getByLabel('Tabelle').fill('');
    await page.keyboard.press('Escape');
    await table.waitFor({ state: 'detached' });

    await page.getByLabel('Bestellung B-1 auswählen').check();
    await page.getByRole('region', { name: 'Auswahl' }).getByRole('button', { name: 'Versenden' }).click();
    const parcels = page.getByRole('dialog', { name: '1 Bestellung versenden' });
    await parcels.getByLabel('Sendungsnummer für B-1').fill('0034');
    await page.keyboard.press('Escape');
    await parcels.waitFor({ state: 'detached' });
    await link(page, 'Übersicht').click();
    await question.getByRole('button', { name: 'Verwerfen' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expect(errorsOf(page)).toEqual([]);
  });

  it('a download does not ask about unsaved settings', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel;bestand\nA-1;Hammer;20', { key: 'sku' });
    const page = await open(`/bestand?katalog=${masterid}`);
    await page.getByLabel('Puffer in Stück').first().click();
    await page.keyboard.type('7');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const download = page.waitForEvent('download').catch(() => undefined);
    await page.getByRole('link', { name: 'Als CSV exportieren' }).click();
    expect([(await download) === undefined, asked]).toEqual([false, []]);
  });
});
