import type { Locator, Page } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import { CategoryRow, MappingRow } from '#shared/assignments/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { type PageOptions, saving, signIn, type Stage, visit } from '../browser.ts';
import { masterWith, type TestKontor } from '../kontor.ts';

export const wares = [
  'sku;titel;marke;farbe',
  'A-1;Bohrer;BOSCH;rot',
  'A-2;Bohrhammer;Bosch GmbH;blau',
  'A-3;Jacke;Fjord;dunkelblau',
  'A-4;Hose;fjord;rot',
  'A-5;Messer;;',
  '',
].join('\n');

const part = (value: string) => ({ type: '_field', value, caption: value });

/** Returns a row of a mapping, brand or colour table: the field equals the value. */
export const mapped = (id: string, field: string, value: string, target = '', more: object = {}): MappingRow =>
  MappingRow.parse({ id, field: [part(field)], value, target, catname: target, ...more });

/** Returns a row of the category table. */
export const categorised = (id: string, field: string, value: string, target = '', more: object = {}): CategoryRow =>
  CategoryRow.parse({
    id,
    field: [{ input: part(field), filter: 'is_equal', value }],
    target,
    catname: target,
    ...more,
  });

/** Creates a catalogue of the wares with an export. */
export async function catalogue(kontor: TestKontor, csv = wares): Promise<{ masterid: string; id: string }> {
  const masterid = await masterWith(kontor, csv, { key: 'sku' });
  const { id } = await kontor.ask(api.createExport, {
    params: { masterid },
    body: { name: 'Kanal', format: { kind: 'jsonl' } },
  });
  return { masterid, id };
}

/** Opens a signed-in page at an address. */
export async function opened(stage: Stage, path: string, options: PageOptions = {}): Promise<Page> {
  const page = await stage.openPage(options);
  await signIn(page);
  await visit(page, path);
  return page;
}

type Table = 'categories' | 'brands' | 'colors';

export async function loadList(kontor: TestKontor, id: string, table: Table, text: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([text]), 'liste.csv');
  const answer = await kontor.raw(pathOf(api.uploadTargets, { id, table }), { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`list -> ${answer.status}: ${await answer.text()}`);
}

/** Returns the rows of the table without its head, and without placeholder rows. */
export const rowsOf = (page: Page): Locator => page.locator('tbody tr[data-row]');

/** Returns the texts of the value column, top to bottom. */
export async function valuesOf(page: Page): Promise<string[]> {
  const inputs = await rowsOf(page)
    .getByRole('textbox', { name: /: Wert$/ })
    .all();
  return Promise.all(inputs.map((input) => input.inputValue()));
}

/** Chooses an option in a cell that turns into a picker. */
export async function pickIn(page: Page, cell: string, typed: string, option = typed): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${cell}, `) }).click();
  await page.getByRole('combobox', { name: cell }).fill(typed);
  await page.getByRole('option', { name: option }).first().click();
}

/** Saves and waits until nothing is unsaved. */
export async function save(page: Page, button = 'Mapping speichern'): Promise<void> {
  await saving(page, () => page.getByRole('button', { name: button, exact: true }).click());
}

/** Returns a counter of requests to an address, so that a test need not wait for a request that must not come. */
export function countRequests(page: Page, part: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes(part)) count += 1;
  });
  return () => count;
}

export const tree = [
  '# Taxonomie_Version: 1',
  '1 - Werkzeug',
  '2 - Werkzeug > Bohrer',
  '3 - Bekleidung > Jacken',
  '4 - Bekleidung > Hosen',
  '',
].join('\n');

/** Creates a catalogue whose export has this tree of categories, and these rows of them. */
export async function categoryTable(kontor: TestKontor, rows: CategoryRow[] = []) {
  const { id, masterid } = await catalogue(kontor);
  await loadList(kontor, id, 'categories', tree);
  if (rows.length > 0) await kontor.ask(api.saveCategories, { params: { id }, body: rows });
  return { id, masterid, path: `/exports/${id}/kategorien` };
}

export const storedCategories = async (kontor: TestKontor, id: string) =>
  (await kontor.ask(api.exportTable, { params: { id, table: 'categories' } })).rows as CategoryRow[];
