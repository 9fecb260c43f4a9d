import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { errorsOf, expectNoAxeFindings, openStage, type Stage, visit, openPage } from '../../stages/browser.ts';
import { masterWith, runExport } from '../../stages/kontor.ts';

const catalogue = 'Artikelnummer;Titel;Preis;Bestand\nA-1;Hammer;12,50;3\nA-2;Säge;8,90;0\n';

describe('the export screens', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, catalogue);
  }, 120_000);
  afterAll(() => stage.close());

  const newExport = async (name: string) =>
    (await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name } })).id;
  const open = (path: string) => openPage(stage, path);

  it('runs, shows the file, downloads it, and the pull address serves the same', async () => {
    const page = await open(`/exports/${await newExport('Marktplatz')}`);
    await page.getByText('Es gibt noch keine Datei.').waitFor();
    await page.getByText('Die ersten 2 von 2 Artikeln').waitFor();
    await page.getByRole('button', { name: 'Export starten' }).click();
    const file = page.getByRole('region', { name: 'Datei', exact: true });
    await file.getByText('Größe').waitFor();
    await page.getByRole('region', { name: 'Letzte Läufe' }).getByText('fertig').waitFor();

    const download = page.waitForEvent('download');
    await file.getByRole('link', { name: 'Herunterladen' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain('A-2;Säge;8,90;0');

    await page.getByRole('button', { name: 'Adresse der Datei kopieren' }).click();
    await page.getByText('Kopiert').first().waitFor({ state: 'attached' });
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toBe(await page.getByRole('textbox', { name: 'Adresse der Datei' }).inputValue());
    expect(await (await stage.kontor.raw(new URL(copied).pathname, { as: null })).text()).toBe(text);
    expect(errorsOf(page)).toEqual([]);
  });

  it('HDR-03 choosing a feed type fills in its address, and every address is served', async () => {
    const page = await open(`/exports/${await newExport('Feeds')}`);
    await page.getByRole('button', { name: 'Export starten' }).click();
    await page.getByRole('link', { name: 'Herunterladen' }).waitFor();
    const address = page.getByRole('textbox', { name: 'Feed-URL' });
    const contents: Record<string, string> = {
      '1 spezification': '"Feld";"Status"',
      '2 productdata_all_provider': 'A-1;Hammer',
      '3 quantityprice': 'A-1',
    };
    for (const [label, content] of Object.entries(contents)) {
      await page.getByLabel('Feed-Typ').selectOption({ label });
      const url = new URL(await address.inputValue());
      expect(url.pathname.endsWith(`/${label.slice(2)}`)).toBe(true);
      const answer = await stage.kontor.raw(url.pathname, { as: null });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain(content);
    }
  });

  it('HDR-03 without stock or price fields feed type 3 explains it instead of an address, and the fields can be set', async () => {
    const id = await newExport('Ohne Namen');
    const named = (exportfield: string, value: string) =>
      ConstructionRow.parse({ id: exportfield, exportfield, field: [{ type: '_field', value, caption: '' }] });
    const body = [named('Kennung', 'sku'), named('Vorrat', 'bestand')];
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body });
    await runExport(stage.kontor, id);
    const page = await open(`/exports/${id}`);
    await page.getByLabel('Feed-Typ').selectOption({ label: '3 quantityprice' });
    const fields = page.getByRole('group', { name: 'Felder für Bestand und Preis' });
    await fields.getByText('In diesem Export ist kein Feld für die Artikelnummer und kein Feld').waitFor();
    const address = page.getByRole('textbox', { name: 'Feed-URL' });
    await expect.poll(() => address.count()).toBe(0);
    await fields.getByLabel('Feld für Artikelnummer').selectOption('Kennung');
    await fields.getByLabel('Feld für Bestand').selectOption('Vorrat');
    await expectNoAxeFindings(page);
    await fields.getByRole('button', { name: 'Felder speichern' }).click();
    await fields.getByText('Die Datei entsteht mit dem nächsten Lauf').waitFor();
    await expect.poll(() => address.inputValue()).toMatch(/\/quantityprice$/);
    await fields.getByText('Artikelnummer: Kennung · Bestand: Vorrat · Preis: kein Feld').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('an export that cannot run says why', async () => {
    const empty = (await stage.kontor.ask(api.createMaster, { body: { name: 'Leer' } })).masterid;
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid: empty }, body: { name: 'Leer' } });
    const page = await open(`/exports/${id}`);
    await page.getByText('Der Katalog hat noch keine Artikel.').waitFor();
    await page.getByRole('button', { name: 'Export starten' }).click();
    await page.getByRole('alert').getByText('noch keine Artikel').waitFor();
  });

  const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
  const saveButton = (page: Page) =>
    page.getByRole('region', { name: 'Speichern' }).getByRole('button', { name: 'Speichern' });

  it('GEN-04 a save is confirmed for 2 seconds and persists over a reload', async () => {
    const page = await open(`/exports/${await newExport('Alt')}/einstellungen`);
    await expect.poll(() => page.getByText('Ungespeicherte Änderungen').count()).toBe(0);
    await name(page).fill('Neu');
    await page.getByText('Ungespeicherte Änderungen').waitFor();
    await saveButton(page).click();
    const confirmation = page.getByRole('status').filter({ hasText: /^Gespeichert$/ });
    await confirmation.waitFor();
    const shown = performance.now();
    await confirmation.waitFor({ state: 'detached' });
    const seconds = (performance.now() - shown) / 1000;
    expect(seconds).toBeGreaterThan(1.5);
    expect(seconds).toBeLessThan(6);
    await expect.poll(() => page.getByText('Ungespeicherte Änderungen').count()).toBe(0);
    await visit(page, page.url());
    await expect.poll(() => name(page).inputValue()).toBe('Neu');
    expect(errorsOf(page)).toEqual([]);
  });

  it('GEN-04 a confirmation disappears even when hovered, and never covers the buttons of the next save', async () => {
    const page = await open(`/exports/${await newExport('Alt')}/einstellungen`);
    await name(page).fill('Neu');
    await saveButton(page).click();
    const confirmation = page.getByRole('status').filter({ hasText: /^Gespeichert$/ });
    await confirmation.hover();
    await name(page).fill('Neuer');
    await saveButton(page).waitFor();
    const [toast, bar] = await Promise.all([
      confirmation.boundingBox(),
      page.getByRole('region', { name: 'Speichern' }).boundingBox(),
    ]);
    if (toast !== null && bar !== null) expect(toast.y + toast.height).toBeLessThanOrEqual(bar.y);
    await confirmation.waitFor({ state: 'detached' });
  });

  it('GEN-05 a failed save shows a red notice with the cause, logs "Fehler beim Speichern" and keeps every edit', async () => {
    const page = await open(`/exports/${await newExport('Alt')}/einstellungen`);
    await name(page).fill('Neuer Name');
    await page.getByLabel('Zeichensatz').selectOption({ label: 'Windows-1252' });
    await page.context().setOffline(true);
    await saveButton(page).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Fehler beim Speichern' });
    await notice.getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Speichern'))).toBe(true);
    expect(
      await page
        .getByRole('status')
        .filter({ hasText: /^Gespeichert$/ })
        .count(),
    ).toBe(0);
    await expect.poll(() => name(page).inputValue()).toBe('Neuer Name');
    await expect.poll(() => page.getByLabel('Zeichensatz').inputValue()).toBe('windows-1252');
    await page.context().setOffline(false);
    await page.keyboard.press('Control+s');
    await page
      .getByRole('status')
      .filter({ hasText: /^Gespeichert$/ })
      .waitFor();
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('a form that someone else has changed meanwhile is not overwritten', async () => {
    const id = await newExport('Alt');
    const page = await open(`/exports/${id}/einstellungen`);
    const { settings } = await stage.kontor.ask(api.export, { params: { id } });
    await stage.kontor.ask(api.saveExport, { params: { id }, body: { ...settings, name: 'Vom Kollegen' } });
    await name(page).fill('Von mir');
    await saveButton(page).click();
    await page.getByRole('alert').filter({ hasText: 'Fehler beim Speichern' }).waitFor();
    await expect.poll(() => name(page).inputValue()).toBe('Von mir');
    expect((await stage.kontor.ask(api.export, { params: { id } })).settings.name).toBe('Vom Kollegen');
  });

  it('a file name with forbidden characters is reported at its field and not sent', async () => {
    const page = await open(`/exports/${await newExport('Alt')}/einstellungen`);
    await page.getByRole('textbox', { name: 'Dateiname' }).fill('../geheim.csv');
    await saveButton(page).click();
    await page.getByRole('alert').getByText('Erlaubt sind Buchstaben').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Dateiname' }).getAttribute('aria-invalid')).toBe('true');
  });

  it('leaving with unsaved changes asks: stay, throw away, or save', async () => {
    const id = await newExport('Alt');
    const page = await open(`/exports/${id}/einstellungen`);
    const leave = () =>
      page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Übersicht' }).click();
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await name(page).fill('Neu');
    await leave();
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await expect.poll(() => name(page).inputValue()).toBe('Neu');
    await leave();
    await question.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    expect((await stage.kontor.ask(api.export, { params: { id } })).settings.name).toBe('Alt');

    await visit(page, `/exports/${id}/einstellungen`);
    await name(page).fill('Neu');
    const plan = page.getByRole('region', { name: 'Zeitplan', exact: true });
    await plan.getByRole('switch', { name: 'Nach Zeitplan ausführen' }).check();
    await leave();
    await question.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    expect((await stage.kontor.ask(api.export, { params: { id } })).settings.name).toBe('Neu');
    const { settings } = await stage.kontor.ask(api.exportSchedule, { params: { id } });
    expect(settings.active).toBe(true);
  });
});
