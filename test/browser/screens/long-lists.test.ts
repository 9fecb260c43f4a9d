import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  catalogue,
  categorised,
  countRequests,
  mapped,
  opened,
  rowsOf,
  save,
} from '../../stages/feed/assignment-page.ts';
import { alive, errorsOf, expectNoAxeFindings, openStage, type Stage, visit } from '../../stages/browser.ts';

const count = 2000;
const rows = () =>
  Array.from({ length: count }, (_, index) => mapped(String(index + 1), 'farbe', `Wert ${index}`, 'x'));

/** Holds the remaining chunks of a list back until released. */
async function hold(page: Page, address: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let free = false;
  await page.route(address, (route) => (free ? route.continue() : void held.push(route)));
  return async () => {
    free = true;
    for (const route of held) await route.continue();
  };
}

const progress = (page: Page) => page.getByRole('progressbar', { name: 'lade Daten' });
const value = (page: Page, place: number) => page.getByRole('textbox', { name: `Zeile ${place}: Wert`, exact: true });
const scrollTo = (page: Page, top: number) =>
  page.evaluate(`document.querySelector('section:has(> div > table)').scrollTop = ${top}`);

describe('long lists', () => {
  let stage: Stage;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ masterid, id } = await catalogue(stage.kontor));
    for (const [mappingid, name] of [
      ['MapLang001', 'Lang'],
      ['MapLang002', 'Auch lang'],
    ] as const)
      await stage.kontor.ask(api.saveMapping, {
        params: { masterid, mappingid },
        body: { name, data: rows(), active: true },
      });
  }, 180_000);
  afterAll(() => stage.close());

  const path = (mappingid: string) => `/master/${masterid}/mappings/${mappingid}`;
  const stored = async (mappingid: string) =>
    (await stage.kontor.ask(api.mappings, { params: { id: masterid } })).find((one) => one.id === mappingid)?.data ??
    [];

  it('MAP-02 eight rows fit 1280 x 720; keys move between targets, columns are resized, targets set in bulk', async () => {
    const twelve = Array.from({ length: 12 }, (_, index) => mapped(`r${index}`, 'farbe', `Wert ${index}`));
    await stage.kontor.ask(api.saveMapping, {
      params: { masterid, mappingid: 'MapSicht01' },
      body: { name: 'Sicht', active: true, data: twelve },
    });
    const page = await opened(stage, path('MapSicht01'));
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'minimieren' }).click();
    const eighth = await rowsOf(page).nth(7).boundingBox();
    expect((eighth?.y ?? Infinity) + (eighth?.height ?? 0)).toBeLessThan(720);
    const field = value(page, 1);
    await expect.poll(async () => (await field.boundingBox())?.width).toBeGreaterThan(160);

    const target = (row: number) => page.getByRole('textbox', { name: `Zeile ${row}: Weise Wert zu` });
    await target(1).fill('Eins');
    await page.keyboard.press('Enter');
    await target(2).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await target(3).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowUp');
    await target(2).and(page.locator(':focus')).waitFor();

    const edge = page.getByRole('separator', { name: 'Breite der Spalte Wert' });
    await edge.focus();
    const before = (await field.boundingBox())?.width ?? 0;
    for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await field.boundingBox())?.width).toBeGreaterThan(before + 30);

    await page.getByRole('checkbox', { name: 'Alle gezeigten Zeilen auswählen' }).check();
    await page.getByRole('button', { name: 'Ziel setzen …' }).click();
    await page.getByRole('textbox', { name: 'Ziel aller ausgewählten Zeilen' }).fill('Bunt');
    await page.getByRole('button', { name: 'Setzen', exact: true }).click();
    await expect.poll(() => target(12).inputValue()).toBe('Bunt');
    await save(page);
    expect((await stored('MapSicht01')).map((row) => row.target)).toEqual(twelve.map(() => 'Bunt'));
    await page.getByRole('button', { name: 'maximieren' }).click();
  });

  it('MAP-02 the first rows of a long list are editable while the others load; saving waits for all', async () => {
    const page = await opened(stage, `/master/${masterid}/import`);
    const letGo = await hold(page, '**/excerpt*');
    const sent = countRequests(page, 'MapLang001/save');
    await visit(page, path('MapLang001'));
    await progress(page).waitFor();
    await expect.poll(() => page.getByText('100 von 2.000 Zeilen').count()).toBe(1);
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(count + 1));
    await value(page, 3).fill('getippt');
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
    for (const name of ['Mapping speichern', 'Neue Zeile anlegen', 'Einfügen', 'Als CSV exportieren', 'Kopieren'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('textbox', { name: 'In den Zeilen suchen' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: /^Zeile .* verschieben$/ }).count()).toBe(0);
    await page.keyboard.press('Control+s');
    await expectNoAxeFindings(page);
    await page.getByRole('link', { name: 'Auch lang' }).click();
    const guard = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await guard.getByRole('button', { name: 'Speichern' }).click();
    await guard.waitFor({ state: 'detached' });
    await page.getByRole('alert').getByText('Die Liste wird noch geladen').waitFor();
    expect(sent()).toBe(0);

    await letGo();
    await progress(page).waitFor({ state: 'detached' });
    await expect.poll(() => value(page, 3).inputValue()).toBe('getippt');
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect.poll(() => value(page, 3).inputValue()).toBe('Wert 2');
    await page.getByRole('button', { name: 'Wiederholen' }).click();
    await save(page);
    const expected = rows().map((row, index) => (index === 2 ? { ...row, value: 'getippt' } : row));
    expect(await stored('MapLang001')).toEqual(expected);
  });

  it('MAP-02 a failure to load the other rows is shown, keeps typed input and can be retried', async () => {
    const page = await opened(stage, `/master/${masterid}/import`);
    await page.route('**/excerpt*', (route) => route.abort());
    await visit(page, path('MapLang002'));
    const notice = page.getByRole('alert').filter({ hasText: 'Fehler beim Laden der Daten:' });
    await notice.getByText('Gespeichert werden kann erst, wenn alle 2.000 Zeilen da sind.').waitFor();
    expect(errorsOf(page).join('\n')).toContain('Fehler beim Laden der Daten:');
    await value(page, 1).fill('bleibt');
    await expect.poll(() => page.getByRole('button', { name: 'Mapping speichern' }).isDisabled()).toBe(true);
    await page.unroute('**/excerpt*');
    await notice.getByRole('button', { name: 'Erneut versuchen' }).click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => value(page, 1).inputValue()).toBe('bleibt');
    await save(page);
    expect(await stored('MapLang002')).toHaveLength(count);
  });

  it('MAP-02 a row being edited stays while scrolling; other rows get controls when scrolling stops', async () => {
    const page = await opened(stage, path('MapLang002'));
    await progress(page).waitFor({ state: 'detached' });
    await value(page, 2).fill('halb');
    for (let step = 1; step <= 30; step += 1) await scrollTo(page, step * 607);
    // While scrolling, rows have texts but no controls.
    await rowsOf(page).getByText('Wert 470', { exact: true }).waitFor();
    await value(page, 471).waitFor();
    await page.keyboard.type(' getippt');
    await expect.poll(() => value(page, 2).inputValue()).toBe('halb getippt');
    // Typing scrolled it back into view.
    await scrollTo(page, 18_210);
    await page.getByRole('button', { name: /^Zeile 471 .* verschieben$/ }).focus();
    // The Tab key moves row by row, also into rows that have just become visible.
    const names: string[] = [];
    for (let step = 0; step < 90; step += 1) {
      await page.keyboard.press('Tab');
      names.push(await page.evaluate<string>('document.activeElement?.getAttribute("aria-label") ?? ""'));
    }
    const storagePaths = names.flatMap((name) => name.match(/^Zeile (\d+): Wert$/)?.[1] ?? []).map(Number);
    expect(storagePaths).toEqual(storagePaths.map((_, index) => 471 + index));
    expect(storagePaths.length).toBeGreaterThan(8);
    await scrollTo(page, 0);
    await value(page, 1).waitFor();
    await expect.poll(() => value(page, 2).inputValue()).toBe('halb getippt');
    await save(page);
    expect((await stored('MapLang002'))[1]?.value).toBe('halb getippt');
  });

  it('MAP-06 a copy of a long list has all its rows, also when its page is loaded anew', async () => {
    const page = await opened(stage, path('MapLang001'));
    await progress(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Kopieren' }).click();
    await page.getByRole('link', { name: '...' }).waitFor();
    await page.reload();
    await alive(page);
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.inputValue()).toBe('');
    await name.fill('Kopie');
    await save(page);
    const copy = (await stage.kontor.ask(api.mappings, { params: { id: masterid } })).find(
      ({ name }) => name === 'Kopie',
    );
    expect(copy?.data).toHaveLength(count);
  });

  it('CAT-02 categories are edited while the others load, and saved with all of them', async () => {
    const many = Array.from({ length: count }, (_, index) => categorised(String(index + 1), 'farbe', `Wert ${index}`));
    await stage.kontor.ask(api.saveCategories, { params: { id }, body: many });
    const page = await opened(stage, `/exports/${id}/import`);
    const letGo = await hold(page, '**/tables/categories');
    await visit(page, `/exports/${id}/kategorien`);
    await progress(page).waitFor();
    await page.getByRole('switch', { name: 'Zeile 2: Aktiv' }).uncheck();
    await expect.poll(() => page.getByRole('button', { name: 'Speichern', exact: true }).isDisabled()).toBe(true);
    await letGo();
    await progress(page).waitFor({ state: 'detached' });
    await save(page, 'Speichern');
    const saved = await stage.kontor.ask(api.exportTable, { params: { id, table: 'categories' } });
    expect(saved.rows).toHaveLength(count);
    expect(saved.rows.map(({ active }) => active).indexOf(false)).toBe(1);
  });
});
