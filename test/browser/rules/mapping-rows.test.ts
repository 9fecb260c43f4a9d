import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { mapped, opened, rowsOf, save } from '../../stages/feed/assignment-page.ts';
import { expectNoAxeFindings, openStage, type Stage } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

describe('rows and mappings while other things happen', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  /** Returns the path of the first of some mappings of a new catalogue. */
  const prepared = async (csv: string, targets: readonly string[]) => {
    const masterid = await masterWith(stage.kontor, csv, { key: 'sku' });
    for (const [index, target] of targets.entries()) {
      const data = target.split('').map((letter) => mapped(letter, 'farbe', letter, `Ziel ${letter}`));
      const body = { name: `Mapping ${index + 1}`, active: true, data };
      await stage.kontor.ask(api.saveMapping, { params: { masterid, mappingid: `Mapping00${index}` }, body });
    }
    return `/master/${masterid}/mappings/Mapping000`;
  };

  it('MAP-02 the items without a target are still shown if they no longer reach the page or value chosen', async () => {
    const items = Array.from({ length: 30 }, (_, index) => `S-${index};${index < 20 ? 'rot' : 'blau'}`);
    const page = await opened(stage, await prepared(['sku;marke', ...items, ''].join('\n'), ['']));
    await page.getByRole('button', { name: 'Artikel ohne Ziel' }).click();
    const open = page.getByRole('region', { name: 'Noch ohne Ziel' });
    const listed = () => open.getByRole('group', { name: 'Artikel ohne Ziel' }).getByRole('row').count();
    await open.getByText('30 Artikel ohne Ziel').waitFor();
    await open.getByRole('button', { name: 'Nächste Seite' }).click();
    await expect.poll(listed).toBe(6);
    await open.getByRole('button', { name: 'Zeile für rot anlegen' }).click();
    await page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' }).fill('Rot');
    await open.getByText('10 Artikel ohne Ziel').waitFor();
    await expect.poll(listed, { timeout: 5000 }).toBe(11);
    // A chosen value without items left can still be given up.
    await open.getByRole('button', { name: /^blau/ }).click();
    await open.getByText('10 Artikel ohne Ziel mit „blau“').waitFor();
    await page.getByRole('textbox', { name: 'Zeile 1: Wert', exact: true }).fill('blau');
    await open.getByText('0 Artikel ohne Ziel mit „blau“', { exact: true }).waitFor();
    await open.getByRole('button', { name: /^blau/ }).click({ timeout: 5000 });
    await open.getByText('20 Artikel ohne Ziel', { exact: true }).waitFor();
  });

  it('MAP-02 a row whose field is gone from the catalogue says so', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;farbe\nA-1;a\n', { key: 'sku' });
    const data = [mapped('a', 'farbe', 'a', 'Ziel a'), mapped('b', 'farbe alt', 'b', 'Ziel b')];
    const body = { name: 'Farben', active: true, data };
    await stage.kontor.ask(api.saveMapping, { params: { masterid, mappingid: 'Mapping0000' }, body });
    const page = await opened(stage, `/master/${masterid}/mappings/Mapping0000`);
    await rowsOf(page).nth(1).getByText('Das Feld „farbe alt“ gibt es nicht (mehr).').waitFor({ timeout: 5000 });
    expect(await page.getByText('gibt es nicht (mehr)').count()).toBe(1);
    const heightOf = async (row: number) => (await rowsOf(page).nth(row).boundingBox())?.height ?? 0;
    expect(await heightOf(1)).toBe((await heightOf(0)) + 20);
    await expectNoAxeFindings(page);
  });

  it('MAP-02 a row that undo brings back while another one is being moved is kept', async () => {
    const page = await opened(stage, await prepared('sku;farbe\nA-1;a\n', ['abc']));
    await page.getByRole('button', { name: 'Zeile 3 löschen' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.getByRole('button', { name: /^Zeile 1 .*verschieben$/ }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Position 1 von 2').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+z');
    await page.getByText(/^Rückgängig gemacht\./).waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await page.getByText(/abgelegt, Position/).waitFor({ state: 'attached' });
    expect(await rowsOf(page).count()).toBe(3);
  });

  it('MAP-01 an order that could not be saved takes back nothing else', async () => {
    const page = await opened(stage, await prepared('sku;farbe\nA-1;a\n', ['a', 'b']));
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/order', async (route) => {
      await promise;
      await route.abort();
    });
    const target = page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' });
    const list = page.getByRole('navigation', { name: 'Mappings', exact: true });
    await page.getByRole('button', { name: /^Mapping 1 .*verschieben$/ }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => list.getByRole('link').allInnerTexts()).toEqual(['Mapping 2', 'Mapping 1']);
    await target.fill('Neu');
    await save(page);
    letGo();
    await page.getByRole('alert').getByText('Fehler beim Speichern').waitFor();
    await expect.poll(() => list.getByRole('link').allInnerTexts()).toEqual(['Mapping 1', 'Mapping 2']);
    await list.getByRole('link', { name: 'Mapping 2' }).click();
    await expect.poll(() => target.inputValue()).toBe('Ziel b');
    await list.getByRole('link', { name: 'Mapping 1' }).click();
    await expect.poll(() => target.inputValue(), { timeout: 5000 }).toBe('Neu');
  });
});
