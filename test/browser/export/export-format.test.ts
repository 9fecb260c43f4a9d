import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  alive,
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

describe('the format of an export', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, 'sku;Titel;Preis\nA-1;Hammer;12,50\n');
  }, 180_000);
  afterAll(() => stage.close());

  const open = async (format: object, options: PageOptions = {}) => {
    const { id } = await stage.kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', ...format },
    });
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, `/exports/${id}/einstellungen`);
    const stored = async () => (await stage.kontor.ask(api.export, { params: { id } })).settings.format;
    return { page, id, stored };
  };
  const more = (page: Page) => page.getByText('Weitere Angaben', { exact: true }).click();
  const choose = (page: Page, label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption({ label: option });
  const save = async (page: Page) => {
    const stored = page.waitForResponse((answer) => answer.request().method() !== 'GET');
    await page.getByRole('region', { name: 'Speichern' }).getByRole('button', { name: 'Speichern' }).click();
    expect((await stored).ok()).toBe(true);
    // The notice of an earlier save may still be fading out.
    await page
      .getByRole('status')
      .filter({ hasText: /^Gespeichert$/ })
      .last()
      .waitFor();
  };

  it('GEN-06 input typed before hydration is kept', async () => {
    const { page, id } = await open({ name: 'Kanal' });
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route('**/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/exports/${id}/einstellungen`, { waitUntil: 'commit' });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Vor dem Aufwachen');
    const omit = page.getByRole('switch', { name: 'Artikel mit Fehlern auslassen' });
    const before = await omit.isChecked();
    await omit.setChecked(!before, { force: true });
    const encoding = page.getByLabel('Zeichensatz');
    await encoding.selectOption({ label: 'Windows-1252' });
    release();
    await alive(page);
    await page.getByText('Ungespeicherte Änderungen (3)').waitFor();
    await expect.poll(() => encoding.inputValue()).toBe('windows-1252');
    await expect.poll(() => name.inputValue()).toBe('Vor dem Aufwachen');
    await expect.poll(() => omit.isChecked()).toBe(!before);
    await save(page);
    const { settings } = await stage.kontor.ask(api.export, { params: { id } });
    expect(settings).toMatchObject({ name: 'Vor dem Aufwachen', omitInvalid: !before });
  });

  it('shows the options of the file kind, and keeps the chosen ones', async () => {
    const { page, stored } = await open({ format: 'csv' });
    await choose(page, 'Preise', 'mit Währung (25.00 EUR)');
    await page.getByRole('textbox', { name: 'Währung' }).fill('chf');
    await page.getByRole('switch', { name: 'HTML entfernen' }).check();
    await expect.poll(() => page.getByLabel('Zeilenende').isVisible()).toBe(false);
    await more(page);
    await choose(page, 'Zeilenende', 'Unix (LF)');
    await page.getByRole('switch', { name: 'Kopfzeile mit den Feldnamen schreiben' }).uncheck();
    await save(page);
    expect(await stored()).toMatchObject({
      price: 'currency',
      currency: 'CHF',
      stripHtml: true,
      lineEnd: '\n',
      header: false,
    });
    await choose(page, 'Art der Datei', 'Excel (XLSX)');
    await expect.poll(() => page.getByLabel('Zeichensatz').count()).toBe(0);
    await page.getByRole('switch', { name: 'Zahlen als Zahlen schreiben' }).check();
    await choose(page, 'Art der Datei', 'XML');
    await choose(page, 'Aufbau', 'Atom mit g:-Feldern');
    await expect.poll(() => page.getByRole('textbox', { name: 'Wurzelelement' }).count()).toBe(0);
    await choose(page, 'Preise', 'in Cent (2500)');
    await expect.poll(() => page.getByLabel('Dezimalzeichen').count()).toBe(0);
    await save(page);
    expect(await stored()).toMatchObject({ kind: 'xml', style: 'atom', price: 'cents', typed: true });
    expect(errorsOf(page)).toEqual([]);
  });

  it('a setting that would make an invalid file is named at its field, and typed input is kept', async () => {
    const { page, stored } = await open({ format: 'json' });
    await more(page);
    await page.getByRole('textbox', { name: 'Name der Artikelliste' }).fill('messages');
    const head = page.getByRole('textbox', { name: 'Weitere Angaben neben der Liste' });
    await head.fill('{"version": ');
    await page.getByRole('region', { name: 'Speichern' }).getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('alert').filter({ hasText: 'kein JSON-Objekt' }).waitFor();
    await expect.poll(() => head.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => head.inputValue()).toBe('{"version": ');
    expect((await stored()).member).toBe('');
    await head.fill('{"version": "2.0"}');
    await save(page);
    expect(await stored()).toMatchObject({ member: 'messages', head: '{"version": "2.0"}' });
  });

  it('exporting only changes is switched on together with the handling of removed items', async () => {
    const { page, id } = await open({ format: 'csv' });
    await page.getByRole('switch', { name: /^Nur Änderungen/ }).check();
    const card = page.getByRole('region', { name: 'Umfang' });
    await card.getByLabel('Entfallene Artikel', { exact: true }).first().click();
    await page.getByRole('option', { name: 'mit Bestand 0 übergeben' }).click();
    await expectNoAxeFindings(page);
    await save(page);
    const { settings } = await stage.kontor.ask(api.export, { params: { id } });
    expect(settings.delta).toMatchObject({ active: true, removed: 'zero' });
  });

  it('an invalid currency is not saved', async () => {
    const { page, stored } = await open({ format: 'csv', price: 'currency' });
    await page.getByRole('textbox', { name: 'Währung' }).fill('E1');
    await page.getByRole('region', { name: 'Speichern' }).getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('alert').filter({ hasText: 'drei Buchstaben' }).waitFor();
    expect((await stored()).currency).toBe('EUR');
  });

  it.each([
    { scheme: 'light', width: 1280, format: { format: 'json', member: 'messages' } },
    { scheme: 'dark', width: 1280, format: { format: 'csv', price: 'currency' } },
    { scheme: 'light', width: 320, format: { format: 'xml' } },
  ] as const)('is accessible and fits the window: %j', async ({ format, ...options }) => {
    const { page } = await open(format, options);
    await more(page);
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    const shots = process.env['KONTOR_SHOTS'];
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/format-${options.scheme}-${options.width}.png`, fullPage: true });
  });
});
