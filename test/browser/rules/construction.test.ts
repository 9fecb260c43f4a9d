import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  saving,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { catalogue, pickField } from '../../stages/feed/rule-page.ts';

describe('construction, labelled view', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const row = (id: string, parts: Partial<ConstructionRow>): ConstructionRow => ({
    ...ConstructionRow.parse({ id, exportfield: id, valuetype: 'field' }),
    ...parts,
  });
  const field = (value: string) => [{ type: '_field' as const, value, caption: value }];
  const template = [
    row('id', {
      field: field('sku'),
      mp_state: 'Required',
      del_allowed: false,
      description: 'Eindeutig.\nÄndert sich nie.',
    }),
    row('title', { mp_state: 'Required', del_allowed: false }),
    row('brand', { field: field('marke'), mp_state: 'Recommended', del_allowed: false }),
    row('color', { mp_state: 'Optional', del_allowed: false }),
    row('own', { field: field('preis') }),
  ];

  async function open(rows: ConstructionRow[], options: PageOptions = {}) {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, catalogue, { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop' } });
    if (rows.length > 0) await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    const page = await stage.openPage(options);
    await signIn(page);
    if (options.javaScript === false) await page.goto(`/exports/${id}/feldaufbau?ansicht=tabelle`);
    else await visit(page, `/exports/${id}/feldaufbau?ansicht=tabelle`);
    const stored = async () => (await kontor.ask(api.construction, { params: { id } })).rows;
    return { page, id, stored };
  }
  const cell = (page: Page, line: number, column: string) =>
    page.getByRole('textbox', { name: `Zeile ${line}: ${column}` });
  const choice = (page: Page, line: number, column: string) =>
    page.getByRole('combobox', { name: `Zeile ${line}: ${column}` });
  const save = async (page: Page) => {
    await saving(page, () => page.getByRole('button', { name: 'Speichern', exact: true }).click());
  };

  it('CON-02 an empty construction is shown as such; new rows have a timestamp as id and are saved', async () => {
    const { page, stored } = await open([]);
    await page.getByRole('heading', { name: 'Noch keine Zuweisung angelegt.' }).waitFor();
    const before = Date.now();
    await page.getByRole('button', { name: 'Neues Ausgabefeld anlegen' }).click();
    // The preview below has a table of its own, which appears later.
    await expect
      .poll(() => page.getByRole('table').first().getByRole('columnheader').allInnerTexts())
      .toEqual(['Internes Feld', 'Feldbezeichnung im Export', 'Status', 'Löschen', 'Beschreibung']);
    await cell(page, 1, 'Feldbezeichnung im Export').fill('titel_neu');
    await pickField(choice(page, 1, 'Internes Feld'), 'titel');
    await choice(page, 1, 'Status').selectOption({ label: 'Empfohlen' });
    await save(page);
    await page.getByRole('status').getByText('Daten wurden gespeichert').waitFor();
    const [saved] = await stored();
    expect(saved).toMatchObject({
      exportfield: 'titel_neu',
      mp_state: 'Recommended',
      field: [{ type: '_field', value: 'titel' }],
      valuetype: 'field',
    });
    // GEN-02
    expect(Number(saved?.id)).toBeGreaterThanOrEqual(before);
    expect(Number(saved?.id)).toBeLessThanOrEqual(Date.now());
    await page.getByText('Daten wurden gespeichert').waitFor({ state: 'detached' });
    expect(errorsOf(page)).toEqual([]);
  });

  it("CON-01 GEN-08 source fields are listed under 'Projektfelder', the item number under 'Interne Felder'", async () => {
    const { page, stored } = await open(template);
    await choice(page, 2, 'Internes Feld').click();
    const list = page.getByRole('listbox');
    await list.getByText('Projektfelder').waitFor();
    await list.getByText('Interne Felder').waitFor();
    const internal = INTERNAL_FIELDS.map(({ name }) => name);
    expect(internal[0]).toBe('Artikelnummer');
    await expect
      .poll(() => list.getByRole('option').allInnerTexts())
      .toEqual(['sku', 'titel', 'marke', 'preis', ...internal]);
    await list.getByRole('option', { name: 'Artikelnummer' }).click();
    await save(page);
    expect((await stored())[1]?.field).toMatchObject([{ type: '_intern', value: '_id' }]);
  });

  it('CON-04 GEN-09 status shows priority in words; a row that may not be deleted has no delete button', async () => {
    const { page, stored } = await open(template);
    const statusOf = (line: number) => page.getByRole('row').nth(line).getByRole('cell').nth(2);
    await expect.poll(() => statusOf(1).innerText()).toContain('Pflicht');
    await expect.poll(() => statusOf(3).innerText()).toContain('Empfohlen');
    await expect.poll(() => statusOf(4).innerText()).toContain('Optional');
    await expect
      .poll(() => choice(page, 5, 'Status').locator('option').allInnerTexts())
      .toEqual(['Pflicht', 'Empfohlen', 'Optional', 'keine Angaben']);
    await expect.poll(() => page.getByRole('button', { name: 'Zeile 1 löschen' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Zeile 5 löschen' }).click();
    await save(page);
    expect((await stored()).map(({ id }) => id)).toEqual(['id', 'title', 'brand', 'color']);
  });

  it('CON-02 the description opens with its line breaks', async () => {
    const { page } = await open(template);
    await page.getByRole('button', { name: 'Zeile 1: Beschreibung' }).click();
    const help = page.getByRole('dialog', { name: 'Zeile 1: Beschreibung' });
    await expect.poll(() => help.innerText()).toBe('Eindeutig.\nÄndert sich nie.');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });

  it('CON-05 CON-07 a required row without a value is marked, and the list is saved all the same', async () => {
    const { page, stored } = await open([
      ...template.slice(0, 1),
      row('title', { valuetype: 'input', mp_state: 'Required' }),
    ]);
    await expect.poll(() => page.getByText('nicht alle Felder ausgefüllt !').count()).toBe(0);
    await cell(page, 2, 'Fester Wert').fill('   ');
    await save(page);
    await page.getByRole('alert').getByText('nicht alle Felder ausgefüllt !').waitFor();
    await page.getByRole('row').nth(2).getByText('Pflichtfeld ohne Wert').waitFor();
    await page.getByRole('status').getByText('Daten wurden gespeichert').waitFor();
    expect((await stored())[1]?.field).toMatchObject([{ value: '   ' }]);
    await cell(page, 2, 'Fester Wert').fill('Hammer');
    await page.getByText('nicht alle Felder ausgefüllt !').waitFor({ state: 'detached' });
  });

  it('CON-05 an empty list counts as incomplete, and is sent', async () => {
    const { page, id } = await open([]);
    const sent = page.waitForRequest((request) => request.url().endsWith(`/exports/${id}/construction/saveajax`));
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    expect((await sent).postDataJSON()).toEqual([]);
    await page.getByRole('alert').getByText('nicht alle Felder ausgefüllt !').waitFor();
  });

  it('CON-03 a row takes a field, a fixed text or a combination; rows are sorted by keyboard', async () => {
    const { page, stored } = await open([row('a', { field: field('titel') }), row('b', { field: field('marke') })]);
    await choice(page, 1, 'Art des Werts').selectOption({ label: 'Kombination' });
    await page.getByRole('button', { name: 'Teil hinzufügen' }).click();
    await page.getByRole('textbox', { name: 'Zeile 1: Teile, Teil 2', exact: true }).fill(' neu');
    await choice(page, 2, 'Art des Werts').selectOption({ label: 'Fester Wert' });
    await cell(page, 2, 'Fester Wert').fill('Nordkap');
    await page.getByRole('button', { name: 'Feld „b“ verschieben' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    // The preview follows the form before it is saved.
    await page
      .getByRole('region', { name: 'Vorschau', exact: true })
      .getByRole('cell', { name: 'Hammer neu' })
      .waitFor();
    expect((await stored()).map(({ id }) => id)).toEqual(['a', 'b']);
    await save(page);
    expect(await stored()).toMatchObject([
      { id: 'b', valuetype: 'input', field: [{ type: '_string', value: 'Nordkap' }] },
      {
        id: 'a',
        valuetype: 'combine',
        field: [
          { type: '_field', value: 'titel' },
          { type: '_string', value: ' neu' },
        ],
      },
    ]);
  });

  it('all fields can be added at once; a duplicate name is flagged', async () => {
    const { page, stored } = await open([row('titel', { field: field('marke') })]);
    await page.getByRole('button', { name: 'Alle Felder übernehmen (3)' }).click();
    await expect.poll(() => page.getByText('Diese Bezeichnung kommt mehrfach vor.').count()).toBe(2);
    await save(page);
    expect((await stored()).map(({ exportfield }) => exportfield)).toEqual(['titel', 'sku', 'titel', 'preis']);
    expect(new Set((await stored()).map(({ id }) => id)).size).toBe(4);
  });

  it('GEN-05 a save that does not get through is logged and shown, and every edit stays', async () => {
    const { page, stored } = await open(template);
    await cell(page, 5, 'Feldbezeichnung im Export').fill('preis_neu');
    await page.route('**/saveajax', (route) => route.abort());
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByRole('alert').getByText('Fehler beim Speichern').waitFor();
    expect(errorsOf(page).join()).toContain('Fehler beim Speichern');
    expect(await page.getByText('Daten wurden gespeichert').count()).toBe(0);
    await expect.poll(() => cell(page, 5, 'Feldbezeichnung im Export').inputValue()).toBe('preis_neu');
    await page.unroute('**/saveajax');
    await save(page);
    expect((await stored())[4]?.exportfield).toBe('preis_neu');
  });

  it('GEN-05 a stale form shows both versions and merges them row by row; undo restores the other one', async () => {
    const { page, id, stored } = await open(template);
    const before = await stored();
    const foreign = before.map((one, index) =>
      index === 4 ? { ...one, exportfield: 'ihrs' } : index === 1 ? { ...one, exportfield: 'fremd' } : one,
    );
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body: foreign });
    await cell(page, 5, 'Feldbezeichnung im Export').fill('meins');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
    await dialog.getByText('Exportfeld „fremd“: hieß vorher').waitFor();
    await dialog.getByText('Exportfeld „meins“: hieß vorher').waitFor();
    await dialog
      .getByRole('radiogroup', { name: 'Exportfeld „meins“' })
      .getByRole('radio', { name: /^Ihre:/ })
      .waitFor();
    await dialog.getByRole('button', { name: 'Beide übernehmen' }).click();
    await page.getByText('Keine ungespeicherten Änderungen').waitFor();
    const names = (await stored()).map(({ exportfield }) => exportfield);
    expect([names[1], names[4]]).toEqual(['fremd', 'meins']);
    await expect.poll(() => cell(page, 2, 'Feldbezeichnung im Export').inputValue()).toBe('fremd');

    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [row('allein', {})] });
    await cell(page, 5, 'Feldbezeichnung im Export').fill('noch eins');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await dialog.getByRole('button', { name: /^Stand von .+ laden$/ }).click();
    await page.getByText('Keine ungespeicherten Änderungen').waitFor();
    await expect.poll(() => cell(page, 1, 'Feldbezeichnung im Export').inputValue()).toBe('allein');
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect.poll(() => cell(page, 5, 'Feldbezeichnung im Export').inputValue()).toBe('noch eins');
  });

  it('GEN-06 the rows are in the page without JavaScript', async () => {
    const { page } = await open(template, { javaScript: false });
    await expect.poll(() => cell(page, 3, 'Feldbezeichnung im Export').inputValue()).toBe('brand');
    await expect.poll(() => page.getByRole('row').count()).toBe(6);
  });

  it('axe finds nothing in the construction screen, in light and dark', async () => {
    const { page } = await open(template);
    await page.getByText('Die ersten 4 von 4').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await save(page);
    await page.getByRole('alert').getByText('nicht alle Felder ausgefüllt !').waitFor();
    await page.getByText('Daten wurden gespeichert').waitFor({ state: 'detached' });
    await expectNoAxeFindingsInBoth(page);
    await choice(page, 5, 'Internes Feld').click();
    await page.getByRole('option', { name: 'titel' }).waitFor();
    await expectNoAxeFindingsInBoth(page);
  });

  it('while new preview values are computed the old ones stay readable, below a progress line', async () => {
    const { page } = await open(template);
    await page.getByText('Die ersten 4 von 4').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/exports/*/preview', async (route) => {
      await held.promise;
      await route.continue();
    });
    await cell(page, 5, 'Feldbezeichnung im Export').fill('eigenes');
    const preview = page.getByRole('region', { name: 'Vorschau' });
    await expect.poll(() => preview.getAttribute('aria-busy')).toBe('true');
    await expectNoAxeFindingsInBoth(page);
    const line = `getComputedStyle(document.querySelector('.k-renewing'), '::before').height`;
    expect(await page.evaluate(line)).toBe('3px');
    held.resolve();
    await preview.getByRole('columnheader', { name: 'eigenes' }).waitFor();
    expect(await page.evaluate(line)).toBe('auto');
  });

  it('fits a window of 320 px', async () => {
    const { page } = await open(template, { width: 320 });
    await page.getByText('Die ersten 4 von 4').waitFor();
    await expectNoSidewaysScroll(page);
  });
});
