import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';
import type { CategoryRow } from '#shared/assignments/schema.ts';
import { categorised, categoryTable, opened, save, storedCategories } from '../../stages/feed/assignment-page.ts';
import { openStage, type Stage } from '../../stages/browser.ts';

describe('pasted rows', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const prepared = (rows?: CategoryRow[]) => categoryTable(stage.kontor, rows);
  const stored = (id: string) => storedCategories(stage.kontor, id);

  it('100,000 pasted rows are checked and counted, and too many are refused', async () => {
    const { path } = await prepared([categorised('1', 'farbe', 'rot', '2')]);
    const page = await opened(stage, path);
    await page.getByRole('button', { name: 'Einfügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Zeilen einfügen' });
    await dialog.getByLabel('Aus Excel oder einer Tabelle einfügen').waitFor();
    await page.evaluate(`{
      const data = new DataTransfer();
      const lines = Array.from({ length: 100000 }, (_, index) => 'titel\\tWert ' + index + '\\t' + (index % 2 ? '3' : '4'));
      data.setData('text', lines.join('\\n'));
      document
        .querySelector('textarea')
        .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await dialog.getByText('100.000 Zeilen aus der Zwischenablage').waitFor();
    await dialog.getByText('Eine Tabelle hat höchstens 100.000 Zeilen.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: '100.000 Zeilen anhängen' }).isDisabled()).toBe(true);
  });

  it('two pasted columns are taken with the field that the rows of the table have', async () => {
    const { path, id } = await prepared([categorised('1', 'farbe', 'rot', '2')]);
    const page = await opened(stage, path);
    await page.getByRole('button', { name: 'Einfügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Zeilen einfügen' });
    expect(await dialog.getByRole('combobox', { name: 'Feld für alle Zeilen' }).inputValue()).toBe('farbe');
    await dialog.getByText('Feld für alle Zeilen').waitFor();
    await dialog.getByLabel('Aus Excel oder einer Tabelle einfügen').fill('gelb\t3');
    await dialog.getByRole('button', { name: '1 Zeile anhängen' }).click();
    await save(page, 'Speichern');
    expect((await stored(id))[1]).toMatchObject({ field: [{ input: { value: 'farbe' }, value: 'gelb' }] });
  });

  it('rows are taken from an Excel workbook, but none that the table has already', async () => {
    const { path, id } = await prepared([categorised('1', 'farbe', 'rot', '2')]);
    const page = await opened(stage, path);
    await page.getByRole('button', { name: 'Einfügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Zeilen einfügen' });
    const rows = [
      ['Feld', 'Wert', 'Ziel'],
      ['farbe', 'grün; hell', '3'],
      ['farbe', 'rot', '2'],
    ];
    const buffer = workbook([{ name: 'Zeilen', rows: sheetRows(rows) }]);
    await dialog.getByLabel('Datei', { exact: true }).setInputFiles({ name: 'zeilen.xlsx', mimeType: '', buffer });
    await dialog.getByText('1 Zeile steht schon in der Tabelle.').waitFor();
    await dialog.getByRole('button', { name: '1 Zeile anhängen' }).click();
    await save(page, 'Speichern');
    expect((await stored(id))[1]).toMatchObject({ field: [{ value: 'grün; hell' }] });
  });
});
