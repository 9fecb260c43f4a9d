import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MappingRow } from '#shared/assignments/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { importFile, masterWith, runExport } from '../../stages/kontor.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';

const csv = 'sku;titel;preis;marke\nA-1;Hammer;20;Alt\nA-2;Zange;4;Alt\nA-3;Säge;7;Neu\n';
const hostile = '<b>Teure</b> zuerst & „mehr“';

describe('saved views of tables', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, csv, { key: 'sku' });
  });
  afterAll(() => stage.close());

  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);
  const items = (query = '') => open(`/master/${masterid}/artikel${query}`);
  const menu = async (page: Page) => {
    await page.getByRole('button', { name: /^Ansichten/ }).click();
    await page.getByRole('button', { name: 'Ansicht speichern …' }).waitFor();
  };
  const choose = async (page: Page, name: string) => {
    await menu(page);
    await page.getByRole('button', { name, exact: true }).click();
  };
  const save = async (page: Page, name: string) => {
    await choose(page, 'Ansicht speichern …');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    return dialog;
  };
  const search = (page: Page) => new URL(page.url()).searchParams;
  const rows = (page: Page) => page.getByRole('row');

  it('the grid is saved with order and columns, opened again, and marked as changed', async () => {
    const page = await items('?sortierung=f0003&richtung=ab&spalten=f0002,f0003');
    await expect.poll(() => rows(page).count()).toBe(4);
    const dialog = await save(page, hostile);
    await expectNoAxeFindingsInBoth(page);
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: `Ansichten: ${hostile}` }).waitFor();
    expect(search(page).get('gespeichert')).toMatch(/^\w{12}$/);
    expect(await page.getByText('geändert', { exact: true }).count()).toBe(0);

    await page.getByLabel('In allen Feldern suchen').fill('a');
    await page.getByText('geändert', { exact: true }).waitFor();
    await choose(page, 'Ansicht aktualisieren');
    await page.getByText('geändert', { exact: true }).waitFor({ state: 'detached' });

    await choose(page, 'Ohne Ansicht');
    await expect.poll(() => page.url()).toMatch(/artikel$/);
    await choose(page, hostile);
    await expect.poll(() => search(page).get('suche')).toBe('a');
    expect(search(page).get('spalten')).toBe('f0002-f0003');
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).not.toContain('marke');
    await menu(page);
    await expectNoAxeFindingsInBoth(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it('a default view opens with the table, and „Ohne Ansicht“ stays without it', async () => {
    const page = await items();
    await choose(page, hostile);
    await choose(page, 'Als Standard für mich');
    await page.getByText('Die Tabelle beginnt nun mit dieser Ansicht').waitFor();
    const again = await items();
    await again.getByRole('button', { name: `Ansichten: ${hostile}` }).waitFor();
    expect(search(again).get('suche')).toBe('a');
    await choose(again, 'Ohne Ansicht');
    await expect.poll(() => search(again).get('gespeichert')).toBe('ohne');
    await visit(again, again.url());
    await menu(again);
    expect(search(again).get('suche')).toBeNull();
    expect(errorsOf(again)).toEqual([]);
  });

  it('a view is renamed, shared and deleted; a failed save keeps what was typed', async () => {
    const page = await items('?gespeichert=ohne');
    const dialog = await save(page, hostile);
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Eine Ansicht mit diesem Namen gibt es hier schon.').waitFor();
    await dialog.getByLabel('Name').fill('Zweite');
    // Neither clicks outside the dialog nor Escape, however often, lose what was typed.
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByText('Ihre Änderungen sind noch nicht gespeichert.').waitFor();
    await dialog.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Zweite');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Zweite' }).waitFor();
    await choose(page, 'Umbenennen oder teilen …');
    await dialog.getByLabel('Name').fill('Dritte');
    await dialog.getByLabel('Für alle in der Firma').check();
    // Another window changed it meanwhile: the first attempt says so, the second one is meant.
    const meanwhile = { data: { name: 'Anderswo' }, headers: { 'x-kontor': '1' } };
    expect((await page.request.post(`/api/views/${search(page).get('gespeichert')}`, meanwhile)).status()).toBe(200);
    const relisted = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/views');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await (await relisted).finished();
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Dritte' }).waitFor();
    const { views } = await stage.kontor.ask(api.savedViews, { query: { table: 'items', masterid } });
    expect(views.map(({ name, shared }) => [name, shared])).toEqual([['Dritte', true]]);
    await choose(page, 'Löschen …');
    await page.getByText('verschwindet für alle in Ihrer Firma').waitFor();
    await dialog.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Ansichten', exact: true }).waitFor();
    // The refused save is logged, as it should be.
    expect(errorsOf(page).filter((text) => !/Fehler beim Speichern|409|422/.test(text))).toEqual([]);
  });

  it('a view with a field that an import removed opens without it, with a notice', async () => {
    const page = await items('?gespeichert=ohne&sortierung=f0004');
    const dialog = await save(page, 'Nach Marke');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Nach Marke' }).waitFor();
    const shorter = csv.replaceAll(/;[^;\n]*$/gm, '');
    await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes: shorter }, { key: 'sku' });
    const later = await items('?gespeichert=ohne');
    await choose(later, 'Nach Marke');
    await later.getByText('Diese Ansicht nennt, was es nicht mehr gibt: das Feld „marke“.').waitFor();
    await expect.poll(() => rows(later).count()).toBe(4);
    await later.getByText('geändert', { exact: true }).waitFor();
    await expectNoAxeFindingsInBoth(later);
    expect(errorsOf(later)).toEqual([]);
  });

  it.each([
    ['/bestellungen?filter=alle&suche=x', 'filter=alle&suche=x'],
    ['/bestand', ''],
  ])('%s has views too, also on a narrow screen', async (path, query) => {
    await stage.kontor.ask(api.saveStockSettings, { params: { masterid }, body: { field: 'preis' } });
    const page = await open(path, { width: 320 });
    const dialog = await save(page, 'Schmal');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Schmal' }).waitFor();
    await expectNoSidewaysScroll(page);
    const shown = search(page);
    shown.delete('gespeichert');
    expect(shown.toString()).toContain(query);
    await menu(page);
    await expectNoSidewaysScroll(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it('the row filter of a mapping is kept in the address and in a view, and reloads nothing', async () => {
    const part = { type: '_field' as const, value: 'marke', caption: 'marke' };
    const data = ['Alt', 'Neu', 'Gebraucht'].map((value, at) =>
      MappingRow.parse({ id: String(at), field: [part], value, target: at === 0 ? 'A' : '' }),
    );
    const body = { name: 'Marken', active: true, data };
    await stage.kontor.ask(api.saveMapping, { params: { masterid, mappingid: 'MapBlick01' }, body });
    const path = `/master/${masterid}/mappings/MapBlick01`;
    const page = await open(path);
    const shown = () => page.locator('tbody tr[data-row]').count();
    await expect.poll(shown).toBe(3);
    const loads: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.data')) loads.push(request.url());
    });
    await page.getByLabel('Welche Zeilen').selectOption('open');
    await expect.poll(shown).toBe(2);
    await page.getByLabel('In den Zeilen suchen').fill('neu');
    await expect.poll(shown).toBe(1);
    await expect.poll(() => search(page).toString()).toBe('zeilen=open&suche=neu');
    const dialog = await save(page, 'Offene Neue');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Offene Neue' }).waitFor();
    await page.getByLabel('In den Zeilen suchen').fill('');
    await page.getByText('geändert', { exact: true }).waitFor();
    await expect.poll(shown).toBe(2);
    await choose(page, 'Offene Neue');
    await expect.poll(shown).toBe(1);
    expect(await page.getByLabel('In den Zeilen suchen').inputValue()).toBe('neu');
    await choose(page, 'Ohne Ansicht');
    await expect.poll(shown).toBe(3);
    expect(loads).toEqual([]);
    const shared = await open(`${path}?zeilen=open`);
    await expect.poll(() => shared.locator('tbody tr[data-row]').count()).toBe(2);
    expect(await shared.getByLabel('Welche Zeilen').inputValue()).toBe('open');
    await expectNoAxeFindingsInBoth(shared);
    expect([...errorsOf(page), ...errorsOf(shared)]).toEqual([]);
  });

  it('the problems of a diagnosis have views; opening one keeps the shown run', async () => {
    const body = { name: 'Google', channel: 'google' };
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body });
    const field = [{ type: '_field' as const, value: 'titel', caption: 'titel' }];
    const rows = ['title', 'price'].map((exportfield, at) =>
      ConstructionRow.parse({ id: `z${at}`, exportfield, field }),
    );
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await runExport(stage.kontor, id);
    const page = await open(`/exports/${id}/diagnose?schwere=error`);
    const dialog = await save(page, 'Nur Fehler');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Nur Fehler' }).waitFor();
    await page.getByLabel('Schwere').selectOption('');
    await page.getByText('geändert', { exact: true }).waitFor();
    await choose(page, 'Nur Fehler');
    await expect.poll(() => page.getByLabel('Schwere').inputValue()).toBe('error');
    await page.getByLabel('Reihenfolge').selectOption('feld');
    await expect.poll(() => search(page).get('reihenfolge')).toBe('feld');
    await page.getByText('geändert', { exact: true }).waitFor();
    await choose(page, 'Ansicht aktualisieren');
    await page.getByText('geändert', { exact: true }).waitFor({ state: 'detached' });
    const { runid } = (await stage.kontor.ask(api.diagnosis, { params: { id }, query: {} })).run ?? {};
    const other = await open(`/exports/${id}/diagnose?lauf=${runid}`);
    await choose(other, 'Nur Fehler');
    await expect.poll(() => search(other).get('schwere')).toBe('error');
    expect(search(other).get('reihenfolge')).toBe('feld');
    expect(search(other).get('lauf')).toBe(runid);
    const sorted = async () => {
      const fields = await other.locator('article code').allInnerTexts();
      return (
        fields.length > 2 && fields.every((one, at) => at === 0 || (fields[at - 1] ?? '').localeCompare(one, 'de') <= 0)
      );
    };
    await expect.poll(sorted).toBe(true);
    await expectNoAxeFindingsInBoth(other);
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([]);
  });

  it('the security log has views of its filters', async () => {
    const path = '/einstellungen/sicherheitsprotokoll';
    const page = await open(`${path}?person=admin&je=25`);
    const dialog = await save(page, 'Anmeldungen der Leitung');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Anmeldungen der Leitung' }).waitFor();
    const other = await open(path, { width: 320 });
    await choose(other, 'Anmeldungen der Leitung');
    await expect.poll(() => search(other).get('person')).toBe('admin');
    expect(search(other).get('je')).toBe('25');
    await expect.poll(() => other.getByLabel('Person').inputValue()).toBe('admin');
    await expectNoSidewaysScroll(other);
    await expectNoAxeFindingsInBoth(other);
    await choose(other, 'Ohne Ansicht');
    await expect.poll(() => other.url()).toMatch(/sicherheitsprotokoll$/);
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([]);
  });
});
