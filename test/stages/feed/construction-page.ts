import type { Locator, Page } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { type PageOptions, saving, signIn, type Stage, visit } from '../browser.ts';
import { masterWith, runExport } from '../kontor.ts';

export const catalogue = [
  'sku;titel;marke;preis;bild_1;bild_2;link;ean;text;zustand;lieferbar',
  'A-1;Hammer;Bosch;12,50;https://x.de/1.jpg;https://x.de/1b.jpg;https://x.de/a-1;4006381333931;Ein Hammer;neu;in stock',
  'A-2;Zange;Bosch;7,00;https://x.de/2.jpg;;https://x.de/a-2;4012345678901;Eine Zange;neu;in stock',
  '',
].join('\n');

/** Returns a row of a construction with the given properties. */
export const row = (id: string, parts: Partial<ConstructionRow>): ConstructionRow => ({
  ...ConstructionRow.parse({ id, exportfield: id, valuetype: 'field' }),
  ...parts,
});
/** Returns the value of a row that takes a field. */
export const field = (value: string) => [{ type: '_field' as const, value, caption: value }];

type Opened = PageOptions & { channel?: string; rows?: ConstructionRow[]; search?: string; run?: boolean };
/** Opens the construction of a new export, with the template's rows or the given ones. */
export async function openConstruction(
  stage: Stage,
  { channel = 'google', rows, search = '', run = false, ...options }: Opened = {},
) {
  const { kontor } = stage;
  const masterid = await masterWith(kontor, catalogue, { key: 'sku' });
  const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop', channel } });
  if (rows !== undefined) await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
  if (run) await runExport(kontor, id);
  const page = await stage.openPage(options);
  await signIn(page);
  await visit(page, `/exports/${id}/feldaufbau${search}`);
  const stored = async () => (await kontor.ask(api.construction, { params: { id } })).rows;
  const named = async (name: string) => (await stored()).find(({ exportfield }) => exportfield === name);
  return { page, id, stored, named };
}
export const tab = (page: Page, name: RegExp): Locator => page.getByRole('tab', { name });
export const picker = (page: Page, name: string): Locator =>
  page.getByRole('combobox', { name: `${name}: Internes Feld` });
export const kind = (page: Page, name: string): Locator =>
  page.getByRole('combobox', { name: `${name}: Art des Werts` });
/** Saves in the tabbed view and waits until it is saved. */
export const save = async (page: Page) => {
  await saving(page, () => page.getByRole('button', { name: 'Sichern', exact: true }).click());
};

/** Waits until the preview is up to date: while it loads, the old one stays visible. */
export async function previewed(page: Page): Promise<void> {
  await page.locator('section[aria-labelledby="vorschau"][aria-busy="false"]').waitFor();
}
