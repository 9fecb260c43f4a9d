import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { catalogue, categorised, loadList, opened } from '../../stages/feed/assignment-page.ts';
import { pickField } from '../../stages/feed/rule-page.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type Stage,
  visit,
} from '../../stages/browser.ts';

const tree = JSON.stringify([
  { id: '10', name: 'Hemden', type: 'SHIRT', attributes: [{ name: 'Ärmel', required: true }] },
  { id: '20', name: 'Hosen', type: 'PANTS' },
]);
const shop = [
  'sku;titel;art;stoff',
  ...Array.from({ length: 290 }, (_, index) => `A-${index + 1};Hemd ${index + 1};Hemden;Leinen`),
  'B-1;Hose;Hosen;Wolle',
  '',
].join('\n');

describe('attributes', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const prepared = async (channel = 'frei') => {
    const { masterid } = await catalogue(stage.kontor, shop);
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal', channel } });
    await loadList(stage.kontor, id, 'categories', tree);
    await stage.kontor.ask(api.saveCategories, {
      params: { id },
      body: [categorised('1', 'art', 'Hemden', '10'), categorised('2', 'art', 'Hosen', '20')],
    });
    const field = [{ type: '_field' as const, value: 'titel', caption: 'titel' }];
    const rows = [ConstructionRow.parse({ id: 'r1', field, exportfield: 'name', valuetype: 'field' })];
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    return `/exports/${id}/attribute`;
  };

  it('ATT-01 ATT-03 ATT-04 columns name their origin, empty required cells stand out, page numbers have an ellipsis', async () => {
    const path = await prepared();
    const page = await opened(stage, path);
    await page.getByText('Alle Items: 291').waitFor();
    await page.getByText('Wurde aus Aufbau übernommen').waitFor();
    const pages = page.getByRole('navigation', { name: 'Seiten' });
    await pages.getByRole('button', { name: 'Seite 7', exact: true }).click();
    await page.getByRole('rowheader', { name: 'A-121' }).waitFor();
    const numbers = (await pages.getByRole('button', { name: /^Seite/ }).allInnerTexts()).map(Number);
    expect(numbers).toEqual([1, 5, 6, 7, 8, 9, 15]);
    await pages.getByRole('button', { name: 'Seite 15', exact: true }).click();
    await page.getByRole('rowheader', { name: 'B-1' }).waitFor();
    expect(new URL(page.url()).search).toBe('?seite=15');
    // There may be fewer items by now: a page beyond the last shows the last.
    await visit(page, `${path}?seite=99`);
    await page.getByRole('rowheader', { name: 'B-1' }).waitFor();
    expect(new URL(page.url()).search).toBe('?seite=15');
    await page.getByRole('combobox', { name: 'Kategorie' }).click();
    await page.getByRole('option', { name: 'Hemden · SHIRT (290 Artikel)' }).click();
    await page.getByText('Items der Kategorie: 290').waitFor();
    await expect.poll(() => page.getByRole('cell', { name: 'Pflichtfeld ist leer' }).count()).toBe(20);
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it('ATT-02 ATT-05 the head opens the editor; parts of text and fields are saved for the category and shown at once', async () => {
    const path = await prepared();
    const page = await opened(stage, `${path}?kategorie=10&typ=SHIRT`);
    await page.getByRole('button', { name: 'Ärmel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ärmel' });
    await dialog.getByRole('heading', { name: 'Attribut-Wert:' }).waitFor();
    await dialog.getByText('Pflicht', { exact: true }).waitFor();
    await expectNoAxeFindings(page);
    await dialog.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).fill('lang aus ');
    await dialog.getByRole('button', { name: 'Teil hinzufügen' }).click();
    await dialog.getByRole('combobox', { name: 'Attribut-Wert, Teil 2: Quelle' }).selectOption('Feld');
    await pickField(dialog.getByRole('combobox', { name: 'Attribut-Wert, Teil 2', exact: true }), 'stoff');
    await dialog.getByRole('switch', { name: 'Als Variantenattribut benutzen' }).check({ force: true });
    await dialog.getByRole('button', { name: 'Übernehmen' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'lang aus Leinen' }).first().waitFor();
    await page.getByText('Variantenattribut').waitFor();
    await visit(page, path);
    await page.getByRole('cell', { name: 'lang aus Leinen' }).first().waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('ATT-02 a part that is removed by keyboard leaves the focus in the dialog', async () => {
    const page = await opened(stage, `${await prepared()}?kategorie=10&typ=SHIRT`);
    await page.getByRole('button', { name: 'Ärmel' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Ärmel' });
    const add = dialog.getByRole('button', { name: 'Teil hinzufügen' });
    await add.press('Enter');
    await dialog.getByRole('button', { name: 'Teil 2 entfernen' }).press('Enter');
    await add.and(page.locator(':focus')).waitFor();
  });

  it("ATT-02 ATT-05 the browser's back button asks about unsaved input, and never applies it to another category", async () => {
    const path = await prepared();
    const page = await opened(stage, path);
    const open = async () => {
      await page.getByRole('combobox', { name: 'Kategorie' }).click();
      await page.getByRole('option', { name: 'Hemden · SHIRT (290 Artikel' }).click();
      await page.getByText('Items der Kategorie: 290').waitFor();
      await page.getByRole('button', { name: 'Ärmel' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Ärmel' });
    await open();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Alle Items: 291').waitFor();
    await open();
    await dialog.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).fill('kurz');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await question.getByRole('button', { name: 'Speichern' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Alle Items: 291').waitFor();
    await page.getByRole('cell', { name: 'kurz' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(errorsOf(page)).toEqual([]);
  });

  it('ATT-02 possible values are taken over by a click; closing saves nothing', async () => {
    const page = await opened(stage, `${await prepared('google')}?kategorie=10&typ=SHIRT`);
    await page.getByRole('button', { name: 'Verfügbarkeit availability' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Mögliche Werte:' }).waitFor();
    await dialog.getByText('Beispiel:').waitFor();
    await dialog.getByRole('button', { name: 'in_stock', exact: true }).click();
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).inputValue())
      .toBe('in_stock');
    await dialog.getByText('Schließen', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('cell', { name: 'in_stock' }).count()).toBe(0);
  });

  it('ATT-04 a value that the channel does not accept is shown as Fehler in Feld with the reason', async () => {
    const page = await opened(stage, `${await prepared('google')}?kategorie=10&typ=SHIRT`);
    await page.getByRole('button', { name: 'Verfügbarkeit availability' }).click();
    await page.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).fill('demnächst vielleicht');
    await page.getByRole('dialog').getByText('Es bleibt bei 291 Artikeln mit Fehlern.').waitFor();
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    const cell = page.getByRole('cell', { name: /Fehler in Feld/ }).first();
    await cell.waitFor();
    await expect.poll(() => cell.innerText()).toContain('„demnächst vielleicht“ ist kein Wert, den der Kanal kennt.');
  });

  it('ATT-05 ATT-06 an unknown category is reported; a failed save shows its cause and keeps the value', async () => {
    const path = await prepared('google');
    const page = await opened(stage, `${path}?kategorie=99`);
    await page.getByText('gibt es in der Liste des Kanals nicht').waitFor();
    await page.getByText('Kein Artikel dieses Exports hat die Kategorie „99“ aus der Adresse.').waitFor();
    await visit(page, `${path}?kategorie=10&typ=SHIRT`);
    await page.getByRole('button', { name: 'Verfügbarkeit availability' }).click();
    await page.route('**/api/attribute/field/update/', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: '{"error":{"code":"busy","message":"Gerade nicht.","requestId":"r-1"}}',
      }),
    );
    await page.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).fill('in_stock');
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    await page.getByRole('alert').getByText('Gerade nicht.').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).inputValue()).toBe('in_stock');
  });

  it('ATT-05 nothing is sent while the address names no category of the export', async () => {
    // The category is right, its product type is missing.
    const page = await opened(stage, `${await prepared()}?kategorie=10`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/attribute/field/update/')) sent.push(request.url());
    });
    await page.getByText('Die Adresse nennt die Kategorie „10“ ohne ihren Produkttyp.').waitFor();
    await page.getByRole('button', { name: 'Ärmel' }).click();
    await page.getByRole('textbox', { name: 'Attribut-Wert, Teil 1' }).fill('kurz');
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    await page.getByRole('alert').getByText('Bitte wählen Sie zuerst eine Kategorie.').waitFor();
    expect(sent).toEqual([]);
  });

  it('ATT-06 a failed load shows Fehler with its cause and no table', async () => {
    const path = await prepared();
    const page = await opened(stage, path);
    await page.getByRole('table').waitFor();
    const { masterid } = await stage.kontor.ask(api.export, { params: { id: path.split('/')[2] ?? '' } });
    for (const file of globSync(`**/${masterid}/**/*.parquet`, { cwd: stage.kontor.dataFolder }))
      await rm(join(stage.kontor.dataFolder, file));
    await visit(page, path);
    const alert = page.getByRole('alert').filter({ hasText: 'Fehler beim Laden der Daten: ' });
    await alert.waitFor();
    await expect.poll(() => alert.innerText()).toMatch(/^Fehler\s+Fehler beim Laden der Daten: \S.*/);
    expect(await page.getByRole('table').count()).toBe(0);
  });
});
