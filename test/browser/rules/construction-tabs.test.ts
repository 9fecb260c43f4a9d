import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { addMember } from '../../stages/add-member.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { field, openConstruction, picker, previewed, row, save, tab } from '../../stages/feed/construction-page.ts';
import { pickField } from '../../stages/feed/rule-page.ts';

describe('construction, tabbed view', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const open = (options: Parameters<typeof openConstruction>[1] = {}) => openConstruction(stage, options);
  const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")');

  it("CON-01 CON-04 a tab per template group with its open fields; rows have the channel's names and priority", async () => {
    const own = row('eigenes', { field: field('marke') });
    const { page } = await open({ rows: [row('id', { mp_state: 'Required', del_allowed: false }), own] });
    await expect.poll(() => page.getByRole('tab').count()).toBe(9);
    await expect.poll(() => tab(page, /^Grunddaten/).innerText()).toMatch(/Grunddaten\s+1\s+1 offen/);
    await expect.poll(() => tab(page, /^Grunddaten/).getAttribute('aria-selected')).toBe('true');
    const line = page.getByRole('row').nth(1);
    await expect.poll(() => line.innerText()).toContain('Artikelnummer');
    await expect.poll(() => line.innerText()).toContain('Required');
    await expect.poll(() => page.getByRole('button', { name: 'Artikelnummer (id) löschen' }).count()).toBe(0);
    await tab(page, /^Weitere Felder/).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('gruppe')).toBe('weitere');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Zeile 1: Feldbezeichnung im Export' }).inputValue())
      .toBe('eigenes');
    // The keyboard moves from tab to tab, and the URL restores the tab.
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Noch keine Zuweisung angelegt.').waitFor();
    await page.reload();
    await expect.poll(() => tab(page, /^Steuerung/).getAttribute('aria-selected')).toBe('true');
    expect(errorsOf(page)).toEqual([]);
  });

  it('CON-01 an address with a row or a template field opens its tab and focuses its value', async () => {
    const { page } = await open({
      rows: [row('id', { mp_state: 'Required' }), row('price', { id: 'p1' })],
      search: '?zeile=p1',
    });
    await expect.poll(() => focused(page)).toBe('Preis (price): Internes Feld');
    const { page: other } = await open({ rows: [row('id', { mp_state: 'Required' })], search: '?neu=gtin' });
    await expect.poll(() => focused(other)).toMatch(/\(gtin\): Internes Feld$/);
  });

  it("CON-01 an export without a template has the one tab 'Weitere Felder'", async () => {
    const { page } = await open({ channel: 'frei', rows: [row('a', { field: field('titel') })] });
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual([expect.stringContaining('Weitere Felder')]);
    await page.getByRole('button', { name: 'Sichern' }).waitFor();
  });

  it("CON-05 CON-06 'Sichern' sends nothing while a required row is empty, and focuses the first of them", async () => {
    const { page, stored, id } = await open({ search: '?gruppe=control' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/construction/save')) sent.push(request.url());
    });
    await page.getByRole('button', { name: 'Sichern', exact: true }).click();
    await page.getByRole('alert').getByText('nicht alle Felder ausgefüllt !').waitFor();
    await expect.poll(() => focused(page)).toBe('Artikelnummer (id): Internes Feld');
    await expect.poll(() => tab(page, /^Grunddaten/).getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => tab(page, /^Grunddaten/).innerText()).toContain('4 fehlen');
    await page.getByRole('row').nth(1).getByText('Pflichtfeld ohne Wert').waitFor();
    expect(sent).toEqual([]);
    expect((await stored()).every(({ field: parts }) => parts.length === 0)).toBe(true);
    for (const [name, source] of Object.entries({
      'Artikelnummer (id)': 'sku',
      'Titel (title)': 'titel',
      'Beschreibung (description)': 'text',
      'Produktseite (link)': 'link',
    }))
      await pickField(picker(page, name), source);
    await expect.poll(() => tab(page, /^Grunddaten/).innerText()).not.toContain('fehl');
    await tab(page, /^Preis/).click();
    await pickField(picker(page, 'Preis (price)'), 'preis');
    await pickField(picker(page, 'Verfügbarkeit (availability)'), 'lieferbar');
    await tab(page, /^Bilder/).click();
    await pickField(picker(page, 'Hauptbild (image_link)'), 'bild_1');
    await save(page);
    await page.getByRole('status').getByText('Daten wurden gespeichert').waitFor();
    expect(sent).toEqual([expect.stringContaining(`/apis/${id}/construction/savejson`)]);
    await page.getByText('Daten wurden gespeichert').waitFor({ state: 'detached' });
    expect(errorsOf(page)).toEqual([]);
  });

  it('CON-05 an empty list is not sent either', async () => {
    const { page } = await open({ channel: 'frei' });
    await page.getByRole('button', { name: 'Sichern', exact: true }).click();
    await page.getByRole('alert').getByText('nicht alle Felder ausgefüllt !').waitFor();
    expect(await page.getByText('Daten wurden gespeichert').count()).toBe(0);
  });

  it('CON-01 a row that was added takes the focus only once, not again whenever its tab is opened', async () => {
    const { page } = await open({ rows: [row('id', { mp_state: 'Required' })] });
    await page.getByRole('button', { name: 'Neues Ausgabefeld anlegen' }).click();
    await expect.poll(() => focused(page)).toBe('Zeile 1: Feldbezeichnung im Export');
    await page.keyboard.type('eigenes');
    await tab(page, /^Grunddaten/).click();
    await page.getByRole('combobox', { name: 'Artikelnummer (id): Internes Feld' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    const named = page.getByRole('textbox', { name: 'Zeile 1: Feldbezeichnung im Export' });
    await expect.poll(() => named.inputValue()).toBe('eigenes');
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('tab');
  });

  it('CON-07 both views share unsaved input, and the labelled one saves it', async () => {
    const { page, named, id } = await open();
    await pickField(picker(page, 'Titel (title)'), 'titel');
    // The effect of saving on the items is shown above.
    await page
      .getByRole('region', { name: 'Auswirkung auf die Artikel' })
      .getByText('Die Datei enthält danach nur noch')
      .waitFor();
    await page.getByText('Tabelle', { exact: true }).click();
    await expect.poll(() => picker(page, 'Titel (title)').inputValue()).toBe('titel');
    await expect.poll(() => new URL(page.url()).searchParams.get('ansicht')).toBe('tabelle');
    const sent = page.waitForRequest((request) => request.url().endsWith(`/exports/${id}/construction/saveajax`));
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await sent;
    await page.getByRole('status').getByText('Daten wurden gespeichert').waitFor();
    expect((await named('title'))?.field).toMatchObject([{ value: 'titel' }]);
  });

  it('a changed header is announced before it is saved for a channel that already has a file', async () => {
    const rows = ['sku', 'brand', 'title'].map((name) => row(name, { field: field('marke') }));
    const { page, stored } = await open({ channel: 'idealo', rows, run: true });
    await page.getByText('Tabelle', { exact: true }).click();
    await page.getByRole('button', { name: /\(brand\) löschen$/ }).click();
    await page.getByText('Die Kopfzeile der Datei ändert sich.').waitFor();
    await page.getByText('Entfällt: brand').first().waitFor();
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Geänderte Kopfzeile speichern?' });
    await dialog.getByText('Entfällt: brand').waitFor();
    // Whether the channel has read the file is not known.
    await dialog.getByText(/^Hat idealo die letzte Datei schon eingelesen,/).waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    expect(await stored()).toHaveLength(3);
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await dialog.getByRole('button', { name: 'Trotzdem speichern' }).click();
    await page.getByRole('status').getByText('Daten wurden gespeichert').waitFor();
    expect(await stored()).toHaveLength(2);
  });

  it('GEN-05 a save that does not get through is logged and shown, and every edit stays', async () => {
    const { page, stored } = await open({ channel: 'frei', rows: [row('a', { field: field('titel') })] });
    await page.getByRole('textbox', { name: 'Zeile 1: Feldbezeichnung im Export' }).fill('neu');
    await page.route('**/savejson', (route) => route.abort());
    await page.getByRole('button', { name: 'Sichern', exact: true }).click();
    await page.getByRole('alert').getByText('Fehler beim Speichern').waitFor();
    expect(errorsOf(page).join()).toContain('Fehler beim Speichern');
    expect(await page.getByText('Daten wurden gespeichert').count()).toBe(0);
    await page.unroute('**/savejson');
    await save(page);
    expect((await stored())[0]?.exportfield).toBe('neu');
  });

  it('axe finds nothing in the tabbed view with its suggestions, in light and dark', async () => {
    const { page } = await open({ search: '?vorschlaege=1&gruppe=image' });
    await page.getByText('Die ersten 2 von 2').waitFor();
    await page.getByRole('button', { name: /^Alle ab 80 % übernehmen/ }).waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('button', { name: /^Alle ab 80 % übernehmen/ }).click();
    await page.getByRole('group', { name: 'Weitere Bilder (additional_image_link): Liste' }).waitFor();
    await page.getByText('z. B. https://x.de/1b.jpg').waitFor();
    await previewed(page);
    await page.getByRole('button', { name: /Ausgabe der Liste/ }).click();
    await expectNoAxeFindingsInBoth(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Hauptbild (image_link): Beschreibung' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoAxeFindingsInBoth(page);
  });

  it('fits a window of 320 px', async () => {
    const { page } = await open({ width: 320, search: '?vorschlaege=1&gruppe=image' });
    await page.getByRole('button', { name: /^Alle ab 80 % übernehmen/ }).click();
    await page.getByText('Die ersten 2 von 2').waitFor();
    await expectNoSidewaysScroll(page);
  });

  it('CON-01 CON-02 a viewer opens every tab and description, learns why he cannot edit, and moves no row', async () => {
    const fixed = row('eigenes', { valuetype: 'input', field: [{ type: '_string', value: 'x', caption: '' }] });
    const rows = [row('id', { mp_state: 'Required' }), row('title', { field: field('titel') }), fixed];
    const { id } = await open({ rows });
    const reader = { name: 'Leser', email: 'leser@beispiel.de', password: 'nur-lesen-darf-er' };
    await addMember(stage.kontor, { ...reader, role: 'viewer' });
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, `/exports/${id}/feldaufbau`);
    await page
      .getByText('Ihre Rolle „Betrachter“ darf hier nichts ändern. Das dürfen: Inhaber, Administrator, Bearbeiter.')
      .waitFor();
    await page.getByRole('button', { name: 'Artikelnummer (id): Beschreibung' }).click();
    await page.getByText('Jeder Artikel braucht einen eigenen Wert.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: /verschieben/ }).count()).toBe(0);
    await tab(page, /^Weitere Felder/).click();
    const names = ['Feldbezeichnung im Export', 'Fester Wert'].map((name) => `Zeile 1: ${name}`);
    for (const name of names)
      await expect.poll(() => page.getByRole('textbox', { name, disabled: true }).count()).toBe(1);
    await expectNoAxeFindingsInBoth(page);
  });
});
