import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { MappingRow } from '#shared/assignments/schema.ts';
import { catalogue, mapped, opened, save } from '../../stages/feed/assignment-page.ts';
import { errorsOf, openStage, type Stage } from '../../stages/browser.ts';

describe('saving value mappings', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ masterid } = await catalogue(stage.kontor));
  }, 180_000);
  afterAll(() => stage.close());

  const store = (mappingid: string, name: string, data: MappingRow[] = [], more: object = {}) =>
    stage.kontor.ask(api.saveMapping, { params: { masterid, mappingid }, body: { name, data, active: true, ...more } });
  const stored = () => stage.kontor.ask(api.mappings, { params: { id: masterid } });
  const path = (mappingid: string) => `/master/${masterid}/mappings/${mappingid}`;
  const list = (page: Awaited<ReturnType<typeof opened>>) =>
    page.getByRole('navigation', { name: 'Mappings', exact: true });

  it('GEN-05 a failed save and a conflict keep what was typed and say what to do', async () => {
    await store('MapFehler1', 'Fehler', [mapped('1', 'farbe', 'rot', 'Rot')]);
    const page = await opened(stage, path('MapFehler1'));
    await page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' }).fill('Mein Rot');
    await page.route('**/save', (route) => route.abort());
    await page.getByRole('button', { name: 'Mapping speichern' }).click();
    await page.getByRole('alert').getByText('Ihre Änderungen stehen noch im Formular.').waitFor();
    expect(errorsOf(page).join('\n')).toContain('Fehler beim Speichern');
    expect(await page.getByText('Daten wurden gespeichert').count()).toBe(0);
    await page.unroute('**/save');
    await store('MapFehler1', 'Fehler', [
      mapped('1', 'farbe', 'rot', 'Fremdes Rot'),
      mapped('2', 'farbe', 'blau', 'Blau'),
    ]);
    await page.getByRole('button', { name: 'Mapping speichern' }).click();
    const dialog = page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
    await dialog.getByText('Zeile angelegt: Wenn farbe entspricht „blau“, dann „Blau“.').waitFor();
    const choice = dialog.getByRole('radiogroup', { name: 'Zeile „rot“' });
    await expect.poll(() => choice.getByRole('radio', { name: /^Ihre:.*Mein Rot/ }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Beide übernehmen' }).click();
    await page.getByText('Keine ungespeicherten Änderungen').waitFor();
    const targets = async () =>
      (await stored()).find((one) => one.id === 'MapFehler1')?.data.map(({ target }) => target);
    expect(await targets()).toEqual(['Mein Rot', 'Blau']);
    await expect.poll(() => page.getByRole('textbox', { name: 'Zeile 2: Weise Wert zu' }).inputValue()).toBe('Blau');
  });

  it('a row without a field is kept by the save, whose bar says which row that is', async () => {
    await store('MapLeer1', 'Leer', [mapped('1', 'farbe', 'rot', 'Rot')]);
    const page = await opened(stage, path('MapLeer1'));
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await page.getByRole('textbox', { name: 'Zeile 2: Wert' }).fill('blau');
    const bar = page.getByRole('region', { name: 'Speichern' });
    const hint = bar.getByText('Zeile 2 hat noch kein Feld. Bitte wählen Sie, welches Feld sie prüft.');
    await hint.waitFor();
    await save(page);
    await hint.waitFor();
    expect((await stored()).find((one) => one.id === 'MapLeer1')?.data.map(({ value }) => value)).toEqual([
      'rot',
      'blau',
    ]);
    await page.getByRole('button', { name: 'Zeile 2: Feld, Feld wählen' }).click();
    await page.getByRole('option', { name: 'farbe' }).click();
    await hint.waitFor({ state: 'detached' });
  });

  it("GEN-05 another user's save of another mapping causes no conflict", async () => {
    await store('MapFremd11', 'Meins', [mapped('1', 'farbe', 'rot', 'Rot')]);
    const page = await opened(stage, path('MapFremd11'));
    await store('MapFremd22', 'Fremdes');
    await page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' }).fill('Mein Rot');
    await save(page);
    expect((await stored()).find((one) => one.id === 'MapFremd11')?.data[0]?.target).toBe('Mein Rot');
    await list(page).getByRole('link', { name: 'Fremdes' }).waitFor();
  });

  it('another mapping is opened only after unsaved edits were handled; undo and redo work', async () => {
    await store('MapSchutz1', 'Schutz', [mapped('1', 'farbe', 'rot', 'Rot')]);
    await store('MapSchutz2', 'Anderes');
    const page = await opened(stage, path('MapSchutz1'));
    const target = page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' });
    await target.fill('Purpur');
    await list(page).getByRole('link', { name: 'Anderes' }).click();
    const guard = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await guard.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await guard.waitFor({ state: 'detached' });
    await expect.poll(() => target.inputValue()).toBe('Purpur');
    await page.getByRole('button', { name: 'Neue', exact: true }).click();
    await guard.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await guard.waitFor({ state: 'detached' });
    await expect.poll(() => list(page).getByText('...', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect.poll(() => target.inputValue()).toBe('Rot');
    await page.getByRole('button', { name: 'Wiederholen' }).click();
    await expect.poll(() => target.inputValue()).toBe('Purpur');
    await list(page).getByRole('link', { name: 'Anderes' }).click();
    await guard.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByText('Noch keine Zuweisung angelegt.').waitFor();
  });
});
