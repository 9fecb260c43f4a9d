import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CategoryRow } from '#shared/assignments/schema.ts';
import {
  categorised,
  categoryTable,
  countRequests,
  loadList,
  opened,
  pickIn,
  rowsOf,
  save,
  storedCategories,
  tree,
  valuesOf,
} from '../../stages/feed/assignment-page.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';

describe('categories', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const prepared = (rows?: CategoryRow[]) => categoryTable(stage.kontor, rows);
  const stored = (id: string) => storedCategories(stage.kontor, id);

  it('CAT-02 CAT-03 CAT-07 CAT-04 a new row gets its conditions, its read-only product type, and is saved', async () => {
    const { id, path } = await prepared();
    await loadList(stage.kontor, id, 'categories', 'id;name;info\n7;Werkzeug > Bohrer;Bohrmaschine\n8;Jacken;\n');
    const page = await opened(stage, path);
    await page.getByText('Noch keine Zuweisung angelegt.').waitFor();
    for (const name of ['Fehlende Kategorie hinzufügen', 'Nach Feld sortieren', 'Speichern'])
      await page.getByRole('button', { name, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Neue Kategorie anlegen' }).click();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((text) => text.trim())).toEqual([
      '',
      'Feld',
      'Filter',
      'Wert',
      'Weise Kategorie zu',
      'Items',
      'Aktiv',
      'Löschen',
    ]);
    // CAT-09
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Zeile 1: Filter' }).locator('option').allInnerTexts())
      .toEqual(['enthält', 'enthält nicht', 'entspricht', 'entspricht nicht', 'beginnt mit', 'endet mit']);
    // GEN-08: a fixed text is allowed in place of a field.
    await pickIn(page, 'Zeile 1: Feld', 'immer', 'Fester Text „immer“');
    await page.getByRole('button', { name: 'Zeile 1: Feld, „immer“' }).waitFor();
    await pickIn(page, 'Zeile 1: Feld', 'titel');
    await page.getByRole('combobox', { name: 'Zeile 1: Filter' }).selectOption('beginnt mit');
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('bohr');
    await pickIn(page, 'Zeile 1: Weise Kategorie zu', 'Werkzeug > Bohrer');
    await page.getByText('Produkttyp: Bohrmaschine').waitFor();
    await page.getByRole('button', { name: 'Zeile 1: prüfen' }).getByText('2').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Zeile 1: prüfen' }).getAttribute('title')).toBe('prüfen');
    await page.getByRole('button', { name: 'Zeile 1: prüfen' }).click();
    const items = page.getByRole('dialog', { name: 'Artikel der Zeile 1' });
    await items.getByText('Zeile 1 trifft 2 Artikel.').waitFor();
    await items.getByRole('row', { name: 'A-2 Bohrhammer' }).getByRole('link', { name: 'A-2' }).waitFor();
    await page.keyboard.press('Escape');
    await items.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('Daten wurden gespeichert').waitFor();
    const [row] = await stored(id);
    expect(row).toMatchObject({
      active: true,
      target: '7',
      catname: 'Werkzeug > Bohrer',
      producttyp: 'Bohrmaschine',
      field: [{ input: { type: '_field', value: 'titel' }, filter: 'begins_with', value: 'bohr' }],
    });
    // GEN-02: a time in milliseconds.
    expect(row?.id).toMatch(/^\d{13}$/);
  });

  it('CAT-01 HDR-04 the banner counts on opening and after a save; a failure shows its status', async () => {
    const { path } = await prepared([categorised('1', 'farbe', 'rot', '2')]);
    const page = await opened(stage, path);
    const banner = page.getByRole('region', { name: 'Kategorisiert in Zahlen' });
    await banner.getByText('40 %').waitFor();
    // A percent sign follows a no-break space.
    const words = async () => (await banner.innerText()).replaceAll(/\s+/g, ' ');
    await expect.poll(() => words()).toContain('Artikel 5 Kategorisiert 2 Nicht kategorisiert 3');
    await banner.getByText('Die Kategorien kommen nicht in die Datei').waitFor();
    await page.getByRole('switch', { name: 'Zeile 1: Aktiv' }).uncheck();
    await banner.getByText(/Mit Ihren Änderungen: 0 von 5/).waitFor();
    await expect.poll(() => words()).toContain('40 %');
    const counted = countRequests(page, '/ajax/count_categories/');
    await save(page, 'Speichern');
    await banner.getByText('0 %', { exact: true }).waitFor();
    expect(counted()).toBe(1);

    await page.route('**/ajax/count_categories/', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'busy', message: 'Gerade überlastet.', requestId: 'x' } }),
      }),
    );
    await page.reload();
    await banner.getByText('HTTP error! Status: 503').waitFor();
    expect(errorsOf(page).join('\n')).toContain('Fehler beim Laden der Daten:');
  });

  it('CAT-05 CAT-06 a second condition can be added and removed; rows are sorted by the first value', async () => {
    const { id, path } = await prepared([
      categorised('1', 'farbe', 'rot', '2'),
      categorised('2', 'farbe', 'Blau', '3'),
      categorised('3', 'farbe', 'ähnlich', '3'),
    ]);
    const page = await opened(stage, path);
    const toggle = page.getByRole('button', { name: /^Zeile 1: (Wenn|Und)$/ });
    await expect.poll(() => toggle.innerText()).toBe('Wenn');
    await toggle.click();
    await expect.poll(() => toggle.innerText()).toBe('Und');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Zeile 1, Bedingung 2: Filter' }).inputValue())
      .toBe('is_equal');
    await expect.poll(() => page.getByRole('textbox', { name: 'Zeile 1, Bedingung 2: Wert' }).inputValue()).toBe('');
    await toggle.click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Zeile 1, Bedingung 2: Wert' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Nach Feld sortieren' }).click();
    await expect.poll(() => valuesOf(page)).toEqual(['ähnlich', 'Blau', 'rot']);
    await save(page, 'Speichern');
    // CAT-10: the whole list in its order.
    expect((await stored(id)).map((row) => row.id)).toEqual(['3', '2', '1']);
  });

  it("CAT-08 CAT-11 the values of a field become rows; the channel's list is requested once", async () => {
    const { path } = await prepared();
    const page = await stage.openPage();
    const asked = countRequests(page, '/ajax/getcatddata/');
    await signIn(page);
    await visit(page, path);
    await page.getByRole('button', { name: 'Fehlende Kategorie hinzufügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Werte von Feld' });
    const fetched = countRequests(page, '/fields/missing');
    await dialog.getByRole('button', { name: 'Werte holen' }).click();
    expect(fetched()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Feld' }).fill('titel');
    await page.getByRole('option', { name: 'titel' }).click();
    await expect.poll(() => dialog.getByText('Wert in Zielfeld übernehmen').count()).toBe(0);
    // Escape aborts the loading and appends nothing; the dialog stays open.
    let release = () => {};
    const arrived = new Promise<void>((arrive) => {
      void page.route('**/fields/missing', async (route) => {
        arrive();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        await route.continue().catch(() => undefined);
      });
    });
    await dialog.getByRole('button', { name: 'Werte holen' }).click();
    await arrived;
    await page.keyboard.press('Escape');
    await dialog.getByText('Abgebrochen. Es wurde keine Zeile angehängt.').waitFor();
    release();
    await page.unroute('**/fields/missing');
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Werte holen' }).click();
    await dialog.getByText('5 Zeilen angehängt.').waitFor();
    await dialog.getByText('Schließen', { exact: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(5);
    expect(asked()).toBe(1);
  });

  it('suggestions show their reasons before they are accepted, one by one or all above a threshold', async () => {
    const { id, path } = await prepared([
      categorised('1', 'titel', 'Bohrer'),
      categorised('2', 'titel', 'Hosen'),
      categorised('3', 'titel', 'Jacken'),
    ]);
    const page = await opened(stage, path);
    await page.getByRole('button', { name: '3 Vorschläge ansehen' }).waitFor();
    await page.getByRole('button', { name: /^Zeile 1: Vorschlag Werkzeug > Bohrer übernehmen/ }).click();
    await page.getByRole('button', { name: 'Zeile 1: Weise Kategorie zu, Werkzeug > Bohrer' }).waitFor();
    await page.getByRole('button', { name: '2 Vorschläge ansehen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Vorschläge übernehmen' });
    await expect.poll(() => dialog.getByRole('row').nth(1).innerText()).toMatch(/Bekleidung > .+%.+\S/s);
    await dialog.getByRole('checkbox', { name: /^Jacken/ }).uncheck();
    await expectNoAxeFindings(page);
    expect((await stored(id)).map((row) => row.target)).toEqual(['', '', '']);
    await dialog.getByRole('button', { name: '1 Vorschlag übernehmen' }).click();
    await save(page, 'Speichern');
    expect((await stored(id)).map((row) => row.target)).toEqual(['2', '4', '']);

    await page.route('**/suggest**', (route) => route.abort());
    await page.reload();
    await page.getByText('Die Vorschläge ließen sich nicht laden').waitFor();
  });

  it('a newer list flags rows whose target it lacks, and a shadowed row links to the row above it', async () => {
    const { path } = await prepared([
      categorised('1', 'farbe', 'rot', '2'),
      categorised('2', 'farbe', 'ROT', '3'),
      categorised('3', 'farbe', 'blau', '4'),
    ]);
    const page = await opened(stage, path);
    await page.getByText('Kommt nie zum Zug:').waitFor();
    // CAT-02: the rows were saved with ids alone; the list knows the names.
    await page.getByRole('button', { name: 'Zeile 3: Weise Kategorie zu, Bekleidung > Hosen' }).waitFor();
    await page.getByRole('button', { name: 'Zeile 1', exact: true }).click();
    await expect
      .poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""'))
      .toContain('Zeile 1: Feld');
    await page.getByRole('button', { name: 'Liste laden' }).click();
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({
        name: 'neu.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(tree.replace('4 - Bekleidung > Hosen\n', '')),
      });
    await page.getByRole('dialog').getByRole('button', { name: 'Laden', exact: true }).click();
    await page.getByText('noch von Zeilen benutzt').waitFor();
    await page.getByText('Dieses Ziel gibt es in der Liste nicht mehr.').waitFor();
    await page.getByRole('combobox', { name: 'Welche Zeilen' }).selectOption('Ziel gibt es nicht mehr (1)');
    await expect.poll(() => valuesOf(page)).toEqual(['blau']);
    // The row stays visible while its target is corrected.
    await pickIn(page, 'Zeile 3: Weise Kategorie zu', 'Bekleidung > Jacken');
    await expect.poll(() => valuesOf(page)).toEqual(['blau']);
    await save(page, 'Speichern');
  });

  it('GEN-08 a fixed value of one row can be picked in another, under its own heading', async () => {
    const input = { type: '_default', value: 'neu', caption: 'Neuware' };
    const { id, path } = await prepared([
      categorised('1', 'farbe', 'rot', '2', { field: [{ input, filter: 'is_equal', value: 'neu' }] }),
      categorised('2', 'farbe', 'blau', '2'),
    ]);
    const page = await opened(stage, path);
    await page.getByRole('button', { name: 'Zeile 2: Feld, farbe' }).click();
    await page
      .getByRole('group', { name: 'Festgelegte Werte' })
      .getByRole('option', { name: /^Neuware/ })
      .click();
    await page.getByRole('button', { name: 'Zeile 2: Feld, „neu“' }).waitFor();
    await save(page, 'Speichern');
    expect((await stored(id))[1]?.field[0]?.input).toEqual(input);
  });

  it('has no finding of axe in light and dark and never scrolls sideways', async () => {
    const { path } = await prepared([
      categorised('1', 'farbe', 'rot', '2'),
      categorised('2', 'farbe', 'ROT', 'weg'),
      categorised('3', 'titel', 'Hosen', '', { active: false }),
    ]);
    const page = await opened(stage, path);
    await page.getByText('Dieses Ziel gibt es in der Liste nicht mehr.').waitFor();
    await page.getByRole('button', { name: 'Artikel ohne Ziel' }).click();
    await page.getByRole('heading', { name: 'Noch ohne Ziel' }).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('button', { name: /^Zeile 3: Weise Kategorie zu, / }).click();
    await page.getByRole('listbox').waitFor();
    await expectNoAxeFindingsInBoth(page);
    const narrow = await opened(stage, path, { width: 320 });
    await narrow.getByText('Dieses Ziel gibt es in der Liste nicht mehr.').waitFor();
    await expectNoSidewaysScroll(narrow);
  });
});
