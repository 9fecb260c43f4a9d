import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { importFile, masterWith } from '../stages/kontor.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
} from '../stages/browser.ts';

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

  const open = async (path: string, options: PageOptions = {}) => {
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, path);
    return page;
  };
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

  it('the grid is saved with its order and columns, opened again, and said to be changed when it is', async () => {
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
    expect(search(page).get('spalten')).toBe('f0002,f0003');
    expect(await page.getByRole('columnheader').allInnerTexts()).not.toContain('marke');
    await menu(page);
    await expectNoAxeFindingsInBoth(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it('a standard view is what the table begins with, and „Ohne Ansicht“ stays without it', async () => {
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
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Zweite' }).waitFor();
    await choose(page, 'Umbenennen oder teilen …');
    await dialog.getByLabel('Name').fill('Dritte');
    await dialog.getByLabel('Für alle in der Firma').check();
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Ansichten: Dritte' }).waitFor();
    const { views } = await stage.kontor.ask(api.savedViews, { query: { table: 'items', masterid } });
    expect(views.map(({ name, shared }) => [name, shared])).toEqual([['Dritte', true]]);
    await choose(page, 'Löschen …');
    await page.getByText('verschwindet für alle in Ihrer Firma').waitFor();
    await dialog.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Ansichten', exact: true }).waitFor();
    // The refused save is in the log, as it should be.
    expect(errorsOf(page).filter((text) => !/Fehler beim Speichern|422/.test(text))).toEqual([]);
  });

  it('a view whose field an import took away opens without it and says so', async () => {
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
  ])('%s keeps views too, on a narrow screen as well', async (path, query) => {
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
});
