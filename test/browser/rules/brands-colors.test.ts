import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, loadList, mapped, opened, pickIn, rowsOf, save } from '../../stages/feed/assignment-page.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';

const brands = `id;name;info\n${Array.from({ length: 40 }, (_, index) => `m${index};Marke ${index};`).join('\n')}\nbo;Bosch;Werkzeug\n`;
const colors = 'id;name;info\n1;Schwarz;#000000\n2;Rot;#ff0000\n';

describe('brands and colours', () => {
  let stage: Stage;
  let id: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ id } = await catalogue(stage.kontor));
    await loadList(stage.kontor, id, 'brands', brands);
    await loadList(stage.kontor, id, 'colors', colors);
  }, 180_000);
  afterAll(() => stage.close());

  it('BRA-01 BRA-02 a new row is empty and active, its list 210 px high; the save says so under „Info“', async () => {
    const page = await opened(stage, `/exports/${id}/marken`);
    await page.getByText('Noch keine Zuweisung angelegt.').waitFor();
    await page.getByRole('button', { name: 'Werte anhand eines Feldes hinzufügen' }).waitFor();
    const heightOf = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.height;
    expect(await heightOf('Ansichten')).toBe(await heightOf('Als CSV exportieren'));
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    // CAT-04: even with a single row, which cannot be reordered.
    await page.getByRole('button', { name: /^Zeile 1\b.* verschieben$/ }).waitFor();
    await save(page);
    await page.getByRole('status').getByText('Info', { exact: true }).waitFor();
    await page.getByRole('status').getByText('Daten wurden gespeichert').waitFor();
    const load = async () => (await stage.kontor.ask(api.exportTable, { params: { id, table: 'brands' } })).rows;
    expect((await load())[0]).toMatchObject({
      field: [{ type: '_string', value: '' }],
      filter: 'is_equal',
      value: '',
      target: '',
      active: true,
    });
    await page.getByText('Info', { exact: true }).waitFor({ state: 'detached', timeout: 5000 });
    await pickIn(page, 'Zeile 1: Feld', 'marke');
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('bosch');
    await page.getByRole('button', { name: /^Zeile 1: Weise Wert zu, / }).click();
    const height = (await page.getByRole('listbox').boundingBox())?.height ?? 0;
    expect(Math.round(height)).toBe(210);
    // GEN-07: one typed character does not filter the list.
    const picker = page.getByRole('combobox', { name: 'Zeile 1: Weise Wert zu' });
    const listed = page.getByRole('listbox').getByRole('option');
    // The suggestion arrives after the list and is placed above it.
    await listed.filter({ hasText: 'gleicher Name' }).waitFor();
    const all = await listed.count();
    await picker.fill('b');
    await expect.poll(() => listed.count()).toBe(all);
    await picker.fill('BO');
    await page.getByRole('option', { name: 'Bosch' }).first().click();
    await save(page);
    expect((await load())[0]).toMatchObject({ target: 'bo', catname: 'Bosch', value: 'bosch' });
    await page.getByRole('button', { name: 'Zeile 1 löschen' }).click();
    await save(page);
    expect(await load()).toEqual([]);
  });

  it('BRA-02 GEN-05 a failure to load the brands is shown with its prefix, and a retry keeps unsaved rows', async () => {
    const page = await stage.openPage();
    await page.route('**/ajax/branddata/', (route) => route.abort());
    await signIn(page);
    await visit(page, `/exports/${id}/marken`);
    const notice = page.getByRole('alert').filter({ hasText: 'Error: ' });
    await notice.waitFor();
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('noch nicht gespeichert');
    await page.unroute('**/ajax/branddata/');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/ajax/branddata/', async (route) => {
      await held;
      await route.continue();
    });
    await notice.getByRole('button', { name: 'Erneut versuchen' }).click();
    // Until the list arrives, the picker says that it is loading.
    await page.getByRole('button', { name: /^Zeile 1: Weise Wert zu, / }).click();
    await page.getByText('Die Liste wird geladen …').waitFor();
    await page.keyboard.press('Escape');
    release();
    await notice.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Zeile 1: Wert' }).inputValue())
      .toBe('noch nicht gespeichert');
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
  });

  it('BRA-02 GEN-05 a failed reload keeps the list and unsaved rows, and can be retried', async () => {
    const page = await opened(stage, `/exports/${id}/marken`);
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('noch nicht gespeichert');
    await page.route('**/ajax/branddata/', (route) => route.abort());
    await page.getByRole('button', { name: 'Liste laden' }).click();
    const dialog = page.getByRole('dialog');
    const buffer = Buffer.from('id;name\nbo;Bosch\nnk;Nordkap neu\n');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'neu.csv', mimeType: 'text/csv', buffer });
    await dialog.getByRole('button', { name: 'Laden', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Error: ' });
    await notice.waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Zeile 1: Weise Wert zu, / }).click();
    await page.getByRole('combobox', { name: 'Zeile 1: Weise Wert zu' }).fill('Bosch');
    await page.getByRole('option', { name: 'Bosch' }).first().click();
    await page.unroute('**/ajax/branddata/');
    await notice.getByRole('button', { name: 'Erneut versuchen' }).click();
    await notice.waitFor({ state: 'detached' });
    await pickIn(page, 'Zeile 1: Weise Wert zu', 'Nordkap neu');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Zeile 1: Wert' }).inputValue())
      .toBe('noch nicht gespeichert');
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
  });

  it('BRA-02 a list whose loading is cancelled is not loaded', async () => {
    const own = await catalogue(stage.kontor);
    await loadList(stage.kontor, own.id, 'brands', 'id;name\nbo;Bosch\n');
    const page = await opened(stage, `/exports/${own.id}/marken`);
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/targets/**', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      await promise;
      return route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Liste laden' }).click();
    const dialog = page.getByRole('dialog');
    const buffer = Buffer.from('id;name\nnk;Nordkap\n');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'neu.csv', mimeType: 'text/csv', buffer });
    await dialog.getByRole('button', { name: 'Laden', exact: true }).click();
    await expect.poll(() => sent).toBe(1);
    const aborted = page.waitForEvent('requestfailed', { timeout: 5000 });
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await aborted;
    letGo();
    expect(await stage.kontor.ask(api.brandTargets, { body: { id: own.id, route: 'brands' } })).toMatchObject([
      { id: 'bo' },
    ]);
    expect(errorsOf(page)).toEqual([]);
  });

  it('GEN-07 every brand of a long list can be reached by scrolling', async () => {
    const own = await catalogue(stage.kontor);
    const many = Array.from({ length: 620 }, (_, index) => `m${index};Marke ${index}`);
    await loadList(stage.kontor, own.id, 'brands', ['id;name', ...many, ''].join('\n'));
    const page = await opened(stage, `/exports/${own.id}/marken`);
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await page.getByRole('button', { name: /^Zeile 1: Weise Wert zu, / }).click();
    const options = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => options.count()).toBe(50);
    await page.getByRole('listbox').hover();
    const scrolled = async () => {
      await page.mouse.wheel(0, 4000);
      return options.count();
    };
    await expect.poll(scrolled).toBe(620);
    await options.filter({ hasText: 'Marke 619' }).click();
    await page.getByRole('button', { name: 'Zeile 1: Weise Wert zu, Marke 619' }).waitFor();
  });

  it('COL-01 each row has hidden inputs with the chosen type, value, id, name and info', async () => {
    await stage.kontor.ask(api.saveColors, {
      params: { id },
      body: [mapped('1', 'farbe', 'rot', '2', { catname: 'Rot' }), mapped('2', 'farbe', 'blau')],
    });
    const page = await opened(stage, `/exports/${id}/farben`);
    const hidden = async (row: number) =>
      Object.fromEntries(
        await Promise.all(
          ['type', 'value', 'id', 'name', 'info'].map(
            async (name) =>
              [name, await rowsOf(page).nth(row).locator(`input[type=hidden][name=${name}]`).inputValue()] as const,
          ),
        ),
      );
    await expect
      .poll(() => hidden(0))
      .toEqual({ type: '_field', value: 'farbe', id: '2', name: 'Rot', info: '#ff0000' });
    await pickIn(page, 'Zeile 2: Weise Wert zu', 'Schwarz');
    await expect
      .poll(() => hidden(1))
      .toEqual({ type: '_field', value: 'farbe', id: '1', name: 'Schwarz', info: '#000000' });
    await save(page);
    expect((await stage.kontor.ask(api.exportTable, { params: { id, table: 'colors' } })).rows[1]).toMatchObject({
      target: '1',
      catname: 'Schwarz',
    });
  });

  it('has no finding of axe in light and dark and never scrolls sideways', async () => {
    for (const path of [`/exports/${id}/farben`, `/exports/${id}/marken`]) {
      const page = await opened(stage, path);
      await page.getByRole('region', { name: 'Zugeordnet in Zahlen' }).getByText(/%/).first().waitFor();
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      await expectNoAxeFindingsInBoth(page);
      const narrow = await opened(stage, path, { width: 320 });
      await expectNoSidewaysScroll(narrow);
    }
  });
});
