import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  saving,
  type Stage,
} from '../../stages/browser.ts';
import { field, kind, openConstruction, picker, row, save, tab } from '../../stages/feed/construction-page.ts';
import { pickField } from '../../stages/feed/rule-page.ts';

describe('construction, rows and suggestions', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const open = (options: Parameters<typeof openConstruction>[1] = {}) => openConstruction(stage, options);

  it('CON-03 a source that no import has any more is named below it, alone and as a part of a combination', async () => {
    const rows = [
      row('price', { field: field('VK') }),
      row('title', { valuetype: 'combine', field: [...field('titel'), ...field('Farbe')] }),
      row('brand', { field: field('marke') }),
    ];
    const { page } = await open({ rows, search: '?ansicht=tabelle' });
    await page.getByText('Das Feld „VK“ gibt es nicht (mehr).', { exact: true }).waitFor();
    await page.getByText('Das Feld „Farbe“ gibt es nicht (mehr).', { exact: true }).waitFor();
    expect(await page.getByText('gibt es nicht (mehr)').count()).toBe(2);
    await expectNoAxeFindings(page);
  });

  it('a row in a window of 1024 px has its value above and its other cells side by side', async () => {
    const rows = [row('size', { field: field('titel') }), row('color', { field: field('marke') })];
    const { page } = await open({ rows, search: '?ansicht=tabelle', width: 1024 });
    const cells = page.getByRole('row').filter({ hasText: 'Größe' }).locator('td');
    const tops = async () => Promise.all((await cells.all()).map(async (cell) => (await cell.boundingBox())?.y));
    const [value = 0, name = 0, status = 0, remove = 0, help = 0] = await tops();
    expect(name).toBeGreaterThan(value);
    expect([status, remove, help]).toEqual([name, name, name]);
    await page.setViewportSize({ width: 390, height: 900 });
    await expectNoSidewaysScroll(page);
    const phone = await tops();
    expect(phone[2]).toBeGreaterThan(phone[1] ?? 0);
  });

  it('CON-03 GEN-08 the tabbed view has four kinds; lists, pairs, fixed values and texts are saved as entered', async () => {
    const rows = [
      row('additional_image_link', {}),
      row('product_detail', {}),
      row('condition', {}),
      row('size', {}),
      row('title', { field: field('titel') }),
    ];
    const { page, named } = await open({ rows });
    const kinds = await kind(page, 'Zustand (condition)').locator('option').allInnerTexts();
    expect(kinds).toEqual(['Feld', 'Kombination', 'Liste', 'Liste mit Namen']);
    await picker(page, 'Zustand (condition)').click();
    await page.getByRole('group', { name: 'Festgelegte Werte' }).getByRole('option', { name: /^new/ }).click();
    await kind(page, 'Technische Daten (product_detail)').selectOption({ label: 'Liste mit Namen' });
    const pairs = page.getByRole('group', { name: 'Technische Daten (product_detail): Liste' });
    await pairs.getByRole('textbox', { name: /Eintrag 1, Name$/ }).fill('Hersteller');
    await pairs.getByRole('combobox', { name: /Eintrag 1: Quelle$/ }).selectOption({ label: 'Feld' });
    await pickField(pairs.getByRole('combobox', { name: /Eintrag 1$/ }), 'marke');
    await tab(page, /^Varianten/).click();
    await picker(page, 'Größe (size)').fill('Einheitsgröße');
    await page.getByRole('option', { name: 'Fester Text „Einheitsgröße“' }).click();
    await page.getByText('fester Text', { exact: true }).waitFor();
    await tab(page, /^Bilder/).click();
    await kind(page, 'Weitere Bilder (additional_image_link)').selectOption({ label: 'Liste' });
    const list = page.getByRole('group', { name: 'Weitere Bilder (additional_image_link): Liste' });
    for (const [index, name] of ['bild_1', 'bild_2'].entries()) {
      if (index > 0) await list.getByRole('button', { name: 'Eintrag hinzufügen' }).click();
      const source = list.getByRole('combobox', { name: new RegExp(`Eintrag ${index + 1}: Quelle$`) });
      await source.selectOption({ label: 'Feld' });
      await pickField(list.getByRole('combobox', { name: new RegExp(`Eintrag ${index + 1}$`) }), name);
    }
    await list.getByRole('button', { name: 'Eintrag 2 verschieben' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await list.getByRole('button', { name: /Ausgabe der Liste/ }).click();
    await list
      .getByRole('combobox', { name: 'Ausgabe der Liste' })
      .selectOption({ label: 'alle Werte in einer Spalte' });
    await list.getByRole('textbox', { name: 'Trennzeichen' }).fill('|');
    await page.getByText('z. B. https://x.de/1b.jpg|https://x.de/1.jpg').waitFor();
    await save(page);
    expect(await named('condition')).toMatchObject({ field: [{ type: '_default', value: 'new' }] });
    expect(await named('size')).toMatchObject({
      valuetype: 'field',
      field: [{ type: '_string', value: 'Einheitsgröße' }],
    });
    expect(await named('product_detail')).toMatchObject({
      valuetype: 'array_key_value',
      field: [{ key: { type: '_string', value: 'Hersteller' }, value: { type: '_field', value: 'marke' } }],
    });
    expect(await named('additional_image_link')).toMatchObject({
      valuetype: 'array',
      field: [{ value: { value: 'bild_2' } }, { value: { value: 'bild_1' } }],
      extras: { separator: '|', repeat: false },
    });
    expect(errorsOf(page)).toEqual([]);
  });

  it('CON-03 changing the kind keeps what fits, and Strg+Z restores everything', async () => {
    const { page } = await open({ rows: [row('title', { field: field('titel') })] });
    await kind(page, 'Titel (title)').selectOption({ label: 'Kombination' });
    await page.getByRole('button', { name: 'Teil hinzufügen' }).click();
    await page.getByRole('textbox', { name: 'Titel (title): Teile, Teil 2', exact: true }).fill(' – neu');
    await kind(page, 'Titel (title)').selectOption({ label: 'Feld' });
    await expect.poll(() => picker(page, 'Titel (title)').inputValue()).toBe('titel');
    await page.keyboard.press('Control+z');
    const second = page.getByRole('textbox', { name: 'Titel (title): Teile, Teil 2', exact: true });
    await expect.poll(() => second.inputValue()).toBe(' – neu');
    await page.getByRole('button', { name: 'Wiederholen' }).click();
    await expect.poll(() => picker(page, 'Titel (title)').inputValue()).toBe('titel');
  });

  it('CON-03 GEN-08 the labelled view offers choices of the channel and fixed texts', async () => {
    const { page, named } = await open({ rows: [row('condition', {})], search: '?ansicht=tabelle' });
    await kind(page, 'Zustand (condition)').selectOption({ label: 'Auswahl' });
    await page.getByRole('combobox', { name: 'Zustand (condition): Auswahl' }).click();
    await page.getByRole('option', { name: /^used/ }).click();
    await saving(page, () => page.getByRole('button', { name: 'Speichern', exact: true }).click());
    expect(await named('condition')).toMatchObject({
      valuetype: 'select',
      field: [{ type: '_default', value: 'used' }],
    });
    await kind(page, 'Zustand (condition)').selectOption({ label: 'Fester Wert' });
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Zustand (condition): Fester Wert' }).inputValue())
      .toBe('used');
  });

  it("CON-02 the help shows the channel's rules, and a value that is too long is flagged", async () => {
    const long = { type: '_string' as const, value: 'x'.repeat(51), caption: '' };
    const { page } = await open({ rows: [row('id', { field: [long], description: 'Erste Zeile.\nZweite Zeile.' })] });
    await page.getByText('51 Zeichen bei Artikel A-1, erlaubt sind 50').waitFor();
    await page.getByRole('button', { name: 'Artikelnummer (id): Beschreibung' }).click();
    const help = page.getByRole('dialog', { name: 'Artikelnummer (id): Beschreibung' });
    await expect.poll(() => help.innerText()).toContain('Erste Zeile.\nZweite Zeile.');
    await help.getByText('höchstens 50 Zeichen').waitFor();
    await help.getByText('Jeder Artikel braucht einen eigenen Wert.').waitFor();
  });

  it('CON-02 template fields are added, restored and put in template order; a row with such a name becomes one', async () => {
    const { page, stored } = await open({ rows: [row('price', { field: field('preis') }), row('title', {})] });
    await page.getByRole('button', { name: /^Feld der Vorlage hinzufügen/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Feld der Vorlage hinzufügen' });
    await dialog.getByRole('textbox', { name: 'Felder der Vorlage suchen' }).fill('material');
    await dialog.getByRole('button', { name: 'Material (material) hinzufügen' }).click();
    await expectNoAxeFindings(page);
    await page.keyboard.press('Escape');
    await picker(page, 'Material (material)').waitFor();
    await page.getByRole('button', { name: 'Neues Ausgabefeld anlegen' }).click();
    // 'size', typed on the way to 'size_eigen', must not become the template's field yet.
    const name = page.getByRole('textbox', { name: 'Zeile 1: Feldbezeichnung im Export' });
    await name.pressSequentially('size');
    await name.pressSequentially('_eigen');
    await expect.poll(() => name.inputValue()).toBe('size_eigen');
    await page.getByRole('button', { name: 'Neues Ausgabefeld anlegen' }).click();
    await page.getByRole('textbox', { name: 'Zeile 2: Feldbezeichnung im Export' }).fill('color');
    await page.keyboard.press('Tab');
    await picker(page, 'Farbe (color)').waitFor();
    await expect.poll(() => tab(page, /^Varianten/).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('button', { name: 'Reihenfolge der Vorlage' }).click();
    await save(page);
    const saved = await stored();
    expect(saved.map(({ exportfield }) => exportfield)).toEqual(['title', 'price', 'color', 'material', 'size_eigen']);
    expect(saved[2]).toMatchObject({ fieldCaption: 'Farbe', mp_state: 'Recommended', del_allowed: true });
    expect(errorsOf(page)).toEqual([]);
  });

  it('CON-02 rows are sorted within their tab by keyboard', async () => {
    const rows = ['id', 'price', 'title'].map((name) => row(name, { field: field('sku') }));
    const { page, stored } = await open({ rows });
    await page.getByRole('button', { name: 'Feld „title“ verschieben' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await save(page);
    expect((await stored()).map(({ id }) => id)).toEqual(['title', 'price', 'id']);
  });

  it('CON-01 suggestions are seen with reason, coverage and examples before they are taken over', async () => {
    const { page, named } = await open();
    await page.getByText('23 Ausgabefelder haben noch keine Quelle.').waitFor();
    await page.getByRole('button', { name: 'Quellen vorschlagen' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('vorschlaege')).toBe('1');
    const panel = page.getByRole('region', { name: 'Vorschläge für Felder ohne Quelle' });
    const line = panel.getByRole('row').filter({ hasText: 'image_link' }).first();
    await line.waitFor();
    await expect
      .poll(() => line.innerText())
      .toMatch(/Hauptbild[\s\S]+bild_1[\s\S]+%[\s\S]+die Werte sind Bildadressen[\s\S]+x\.de\/1\.jpg/);
    await panel.getByRole('button', { name: 'Titel: titel übernehmen' }).click();
    await expect.poll(() => picker(page, 'Titel (title)').inputValue()).toBe('titel');
    await panel.getByRole('button', { name: /^Alle ab 80 % übernehmen/ }).click();
    await expect.poll(() => picker(page, 'Artikelnummer (id)').inputValue()).toBe('sku');
    // One undo removes all of them again, one redo restores them.
    await page.keyboard.press('Control+z');
    await expect.poll(() => picker(page, 'Artikelnummer (id)').inputValue()).toBe('');
    await expect.poll(() => picker(page, 'Titel (title)').inputValue()).toBe('titel');
    await page.keyboard.press('Control+y');
    await save(page);
    expect(JSON.stringify((await named('additional_image_link'))?.field)).toContain('bild_2');
    expect((await named('gtin'))?.field).toMatchObject([{ type: '_field', value: 'ean' }]);
    await page.getByRole('button', { name: 'Vorschläge schließen' }).click();
    await page.getByRole('button', { name: 'Quellen vorschlagen' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('GEN-05 suggestions that fail to load are reported, and nothing says that they are still being loaded', async () => {
    const { page } = await open();
    await page.route('**/construction/suggest', (route) => route.fulfill({ status: 502, body: 'weg' }));
    await page.getByRole('button', { name: 'Quellen vorschlagen' }).click();
    const panel = page.getByRole('region', { name: 'Vorschläge für Felder ohne Quelle' });
    await panel.getByRole('alert').waitFor();
    expect(await panel.getByText('werden verglichen').count()).toBe(0);
  });

  it('CON-03 Strg+S saves a typed text that was not chosen yet', async () => {
    const { page, named } = await open({ rows: [row('title', { field: field('titel') })] });
    const title = picker(page, 'Titel (title)');
    await title.click();
    await title.fill('Ein fester Text');
    await saving(page, () => page.keyboard.press('Control+s'));
    expect(await named('title')).toMatchObject({ field: [{ type: '_string', value: 'Ein fester Text' }] });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Titel (title): Internes Feld',
    );
    expect(errorsOf(page)).toEqual([]);
  });
});
