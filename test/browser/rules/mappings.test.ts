import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { MappingRow } from '#shared/assignments/schema.ts';
import {
  catalogue,
  countRequests,
  mapped,
  opened,
  pickIn,
  rowsOf,
  save,
  valuesOf,
} from '../../stages/feed/assignment-page.ts';
import {
  alive,
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  saving,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { moveTo } from '../../stages/lifted-row.ts';
import { runExport } from '../../stages/kontor.ts';

const pausedText =
  'Dieses Mapping ist pausiert, Sie können diese ändern, sie wird jedoch von der Ausführung ausgeschlossen.';

describe('value mappings', () => {
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

  it('MAP-06 MAP-05 MAP-04 MAP-02 a new mapping is inactive and empty; without a name nothing is sent', async () => {
    const page = await opened(stage, `/master/${masterid}/mappings`);
    await page.getByRole('heading', { name: 'Noch kein Mapping angelegt' }).waitFor();
    await page.getByRole('button', { name: 'Neue' }).click();
    await page.getByText(pausedText).waitFor();
    await page.getByText('Noch keine Zuweisung angelegt.').waitFor();
    await expect.poll(() => list(page).getByRole('link').innerText()).toContain('...');
    await expect.poll(() => list(page).getByText('inaktiv').count()).toBe(1);
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect
      .poll(async () => [await name.inputValue(), await name.getAttribute('placeholder')])
      .toEqual(['', 'z.B. Farben']);
    await page.getByText('Das Feld Name wird im Feldaufbau verwendet, und sollte eindeutig sein.').waitFor();
    const sent = countRequests(page, '/save');
    await page.getByRole('button', { name: 'Mapping speichern' }).click();
    await page.getByText('Bitte geben Sie einen Namen ein.').waitFor();
    expect(sent()).toBe(0);
    await expect.poll(() => name.and(page.locator(':focus')).count()).toBe(1);
    expect(errorsOf(page)).toEqual([]);

    await name.fill('Grundfarbe');
    await page.getByRole('button', { name: 'Beschreibung' }).click();
    await page.getByRole('textbox', { name: 'Beschreibung' }).fill('Farben auf Deutsch');
    await page.getByRole('button', { name: 'Aktiviere Mapping' }).click();
    await page.getByRole('button', { name: 'Deaktiviere Mapping' }).waitFor();
    await expect.poll(() => page.getByText(pausedText).count()).toBe(0);
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await pickIn(page, 'Zeile 1: Feld', 'farbe');
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('rot');
    await page.getByRole('textbox', { name: 'Zeile 1: Weise Wert zu' }).fill('Rot');
    await page.getByRole('button', { name: 'Mapping speichern' }).click();
    const toast = page.getByRole('status').getByText('Daten wurden gespeichert');
    await toast.waitFor();
    expect(sent()).toBe(1);
    const [mapping] = await stored();
    expect(mapping).toMatchObject({ name: 'Grundfarbe', description: 'Farben auf Deutsch', active: true });
    expect(mapping?.id).toMatch(/^[A-Za-z0-9]{10}$/);
    expect(mapping?.data).toEqual([
      { ...mapped(mapping?.data[0]?.id ?? '', 'farbe', 'rot', 'Rot'), filter: 'is_equal', active: true },
    ]);
    // MAP-03: visible for 2 seconds.
    await toast.waitFor({ state: 'detached', timeout: 4000 });
  });

  it('MAP-02 MAP-07 the table has its columns and filters; the values of a field become rows and targets', async () => {
    await store('MapTabelle', 'Tabelle', [mapped('1', 'farbe', 'ROT', 'Rot')]);
    const page = await opened(stage, path('MapTabelle'));
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((text) => text.trim())).toEqual([
      '',
      'Feld',
      'Filter',
      'Wert',
      'Weise Wert zu',
      'Items',
      'Aktiv',
      'Löschen',
    ]);
    const options = await page.getByRole('combobox', { name: 'Zeile 1: Filter' }).locator('option').allInnerTexts();
    expect(options).toEqual(['enthält', 'entspricht', 'beginnt mit', 'endet mit']);

    await page.getByRole('button', { name: 'Werte anhand eines Feldes hinzufügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Werte von Feld' });
    const asked = countRequests(page, '/fields/missing');
    await dialog.getByRole('button', { name: 'Werte holen' }).click();
    expect(asked()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Feld' }).fill('farbe');
    await page.getByRole('option', { name: 'farbe' }).first().click();
    await dialog.getByRole('checkbox', { name: 'Wert in Zielfeld übernehmen' }).check();
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Werte holen' }).click();
    await dialog.getByText('2 Zeilen angehängt.').waitFor();
    await dialog.getByText('Schließen', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await valuesOf(page)).toSorted()).toEqual(['ROT', 'blau', 'dunkelblau']);
    const target = page.getByRole('textbox', { name: 'Zeile 2: Weise Wert zu' });
    await expect.poll(() => target.inputValue()).toBe((await valuesOf(page))[1]);
    // Counts items by row, from the unsaved form.
    await page.getByRole('button', { name: 'Zeile 1: prüfen' }).getByText('2').waitFor();
    await page.getByRole('switch', { name: 'Zeile 1: Aktiv' }).uncheck();
    await page.getByRole('button', { name: 'Zeile 1: prüfen' }).getByText('0').waitFor();
    await page.getByRole('button', { name: 'Zeile 3 löschen' }).click();
    await saving(page, () => page.keyboard.press('Control+s'));
    const saved = (await stored()).find((one) => one.id === 'MapTabelle')?.data ?? [];
    expect(saved.map((row) => row.active)).toEqual([false, true]);
  });

  it('MAP-01 MAP-06 the list is reordered by drag, minimised, copied without its name, and deleted from', async () => {
    await store('MapEins001', 'Erste Farbe');
    await store('MapZwei001', 'Zweite Farbe', [], { active: false });
    const page = await opened(stage, path('MapZwei001'));
    const names = () => list(page).getByRole('link').allInnerTexts();
    await expect.poll(async () => (await names()).find((text) => text.startsWith('Zweite'))).toContain('inaktiv');
    await expect
      .poll(() => list(page).getByRole('button').allInnerTexts())
      .toEqual(expect.arrayContaining(['Neue', 'Kopieren', 'Ausgewählte Regeln löschen', 'minimieren']));
    const before = (await stored()).length;
    const handle = list(page).getByRole('button', { name: /„Zweite Farbe“ verschieben$/ });
    const from = await handle.boundingBox();
    if (from === null) throw new Error('the handle is not in sight');
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/order'));
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, from.y - 10, { steps: 4 });
    await page.mouse.move(from.x + 8, from.y - 32, { steps: 8 });
    await page.mouse.up();
    expect((await saved).status()).toBe(200);
    const order = (await stored()).map(({ name }) => name);
    expect(order.indexOf('Zweite Farbe')).toBeLessThan(order.indexOf('Erste Farbe'));

    // The list's URL opens the first mapping; it stays open, with its unsaved row, wherever it is dragged.
    await visit(page, `/master/${masterid}/mappings`);
    const first = await list(page).getByRole('link').first().innerText();
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    const rows = await rowsOf(page).count();
    const moved = page.waitForResponse((answer) => answer.url().endsWith('/order'));
    await list(page)
      .getByRole('button', { name: / verschieben$/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Nach unten' }).first().click();
    expect((await moved).status()).toBe(200);
    await expect.poll(() => list(page).getByRole('link').first().innerText()).not.toBe(first);
    await expect.poll(() => rowsOf(page).count()).toBe(rows);
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
    await expect.poll(() => list(page).locator('[aria-current="page"]').innerText()).toBe(first);
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await list(page)
      .getByRole('link', { name: /^Zweite Farbe/ })
      .click();

    await page.getByRole('button', { name: 'Kopieren' }).click();
    await list(page).getByRole('link', { name: '...' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
    await expect.poll(async () => (await names()).at(-1)).toContain('...');
    await page.getByRole('textbox', { name: 'Name' }).fill('Kopie');
    await expect.poll(async () => (await names()).at(-1)).toContain('Kopie');
    await save(page);
    expect((await stored()).map(({ name }) => name)).toContain('Kopie');
    await page.getByRole('checkbox', { name: '„Kopie“ auswählen' }).check();
    await page.getByRole('checkbox', { name: '„Kopie“ auswählen' }).uncheck();
    await page.getByRole('button', { name: 'Ausgewählte Regeln löschen' }).click();
    await page.getByRole('dialog').getByText('„Kopie“. Im Verlauf bleibt es').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await expect.poll(stored).toHaveLength(before);
    await page.getByRole('button', { name: 'minimieren' }).click();
    await expect.poll(() => list(page).getByRole('link').count()).toBe(0);
    // One line with the open mapping's name; the choice is stored.
    await visit(page, page.url());
    await expect.poll(async () => (await list(page).boundingBox())?.height).toBeLessThan(60);
    await page.getByRole('button', { name: 'maximieren' }).click();
    await expect.poll(() => list(page).getByRole('link').count()).toBe(before);
  });

  it('GEN-08 MAP-09 a mapping is picked in an export rule and in the construction, and the file shows it', async () => {
    const own = await catalogue(stage.kontor);
    await stage.kontor.ask(api.saveMapping, {
      params: { masterid: own.masterid, mappingid: 'MapGebr001' },
      body: { name: 'Grundton', active: true, data: [mapped('1', 'farbe', 'rot', 'ROT!')] },
    });
    const page = await opened(stage, `/exports/${own.id}/regeln`);
    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Warm');
    const pick = async (label: string, heading: string, option: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('group', { name: heading }).getByRole('option', { name: option, exact: true }).click();
    };
    await pick('Bedingung 1: Feld', 'Mapping Felder', 'Grundton');
    await page.getByRole('textbox', { name: 'Bedingung 1: Wert' }).fill('ROT!');
    await pick('Aktion 1: Feld', 'Projektfelder', 'titel');
    await page.getByRole('textbox', { name: 'Aktion 1: Wert' }).fill('warm');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByRole('status').getByText('Gespeichert', { exact: true }).last().waitFor();

    await page.goto(`/exports/${own.id}/feldaufbau?ansicht=tabelle`);
    await alive(page);
    await page.getByRole('button', { name: 'Neues Ausgabefeld anlegen' }).click();
    await pick('Zeile 1: Internes Feld', 'Mapping Felder', 'Grundton');
    await page.getByRole('textbox', { name: 'Zeile 1: Feldbezeichnung im Export' }).fill('farbton');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('Daten wurden gespeichert').waitFor();
    const { rows } = await stage.kontor.ask(api.construction, { params: { id: own.id } });
    expect(rows[0]?.field).toEqual([{ type: '_mapping', value: 'Grundton', caption: 'Grundton' }]);
    const { text } = await runExport(stage.kontor, own.id);
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)[0],
    ).toMatchObject({ farbton: 'ROT!' });
    const [rule] = await stage.kontor.ask(api.rules, { params: { masterid: own.id } });
    expect(rule?.querys[0]?.field).toBe('_mapping:Grundton');
  });

  it('twenty thousand rows can be scrolled, edited, extended and sorted by keyboard', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => mapped(String(index + 1), 'farbe', `Wert ${index}`, 'x'));
    const own = await catalogue(stage.kontor);
    await stage.kontor.ask(api.saveMapping, {
      params: { masterid: own.masterid, mappingid: 'MapViele01' },
      body: { name: 'Viele', active: true, data: many },
    });
    const page = await opened(stage, `/master/${own.masterid}/mappings/MapViele01`);
    page.setDefaultTimeout(60_000);
    await expect.poll(() => rowsOf(page).count()).toBeLessThan(80);
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('20001');
    await page.getByRole('textbox', { name: 'Zeile 2: Wert' }).fill('getippt');
    const handle = page.getByRole('button', { name: /^Zeile 1 .* verschieben$/ });
    await handle.focus();
    await page.keyboard.press('Space');
    await moveTo(page, 26);
    await page.getByText('Position 26 von 20000').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await page.getByText('Ungespeicherte Änderungen').waitFor();
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await page.getByRole('button', { name: /^Zeile 20001: Feld, / }).waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""'))
      .toContain('Zeile 20001: Feld');
    await save(page);
    const data = (await stage.kontor.ask(api.mappings, { params: { id: own.masterid } }))[0]?.data ?? [];
    expect(data).toHaveLength(20_001);
    expect(data.findIndex((row) => row.value === 'Wert 0')).toBe(25);
    await page.getByRole('textbox', { name: 'In den Zeilen suchen' }).fill('Wert 19999');
    await page.getByRole('textbox', { name: 'Zeile 20000: Wert' }).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
  }, 300_000);

  it('has no finding of axe in light and dark and never scrolls sideways', async () => {
    await store('MapAxe0001', 'Axe', [
      mapped('1', 'farbe', 'rot', 'Rot'),
      mapped('2', 'farbe', 'rot', 'Nie'),
      mapped('3', 'farbe', 'blau', '', { active: false }),
    ]);
    const page = await opened(stage, path('MapAxe0001'));
    await page.getByText('Kommt nie zum Zug:').waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('button', { name: 'Zeile 1: Feld, farbe' }).click();
    await page.getByRole('listbox').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Einfügen' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoAxeFindingsInBoth(page);
    const narrow = await opened(stage, path('MapAxe0001'), { width: 320 });
    await expectNoSidewaysScroll(narrow);
  });
});
