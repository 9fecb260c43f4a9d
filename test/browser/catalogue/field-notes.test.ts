import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

const catalogue = 'sku;titel;preis\nA-1;Hammer;12,50\nA-2;Zange;3,90\n';
const reader = { name: 'Leserin', email: 'leserin@beispiel.de', password: 'nur-lesen-darf-sie' };

describe('notes on fields', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await addMember(stage.kontor, { ...reader, role: 'viewer' });
  }, 180_000);
  afterAll(() => stage.close());

  const open = async (options?: PageOptions): Promise<{ page: Page; masterid: string }> => {
    const masterid = await masterWith(stage.kontor, catalogue, { key: 'sku' });
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, `/master/${masterid}/import`);
    return { page, masterid };
  };
  const cell = (page: Page, field: string) => page.getByRole('button', { name: `Notiz zu ${field}:` });
  const input = (page: Page, field: string) => page.getByRole('textbox', { name: `Notiz zu ${field}`, exact: true });
  const noteOf = async (masterid: string, field: string) => {
    const { fields } = await stage.kontor.ask(api.items, { query: { masterid } });
    return fields.find(({ name }) => name === field)?.note;
  };

  it('HDR-08 a cell accepts 100 characters; Enter saves, the focus returns, and the note persists over a reload', async () => {
    const { page, masterid } = await open();
    await cell(page, 'preis').click();
    await expect.poll(() => input(page, 'preis').getAttribute('maxlength')).toBe('100');
    await page.keyboard.type('p'.repeat(105));
    await expect.poll(async () => (await input(page, 'preis').inputValue()).length).toBe(100);
    await input(page, 'preis').fill('Bruttopreis des Lieferanten');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Notiz zu preis: Bruttopreis des Lieferanten' }).waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Notiz zu preis: Bruttopreis des Lieferanten');
    await expect.poll(() => page.getByRole('status').getByText('Notiz zu preis: gespeichert').count()).toBe(1);
    expect(await noteOf(masterid, 'preis')).toBe('Bruttopreis des Lieferanten');
    await visit(page, page.url());
    await cell(page, 'preis').getByText('Bruttopreis des Lieferanten').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('HDR-08 Enter and F2 open a cell, Escape reverts it and gives the focus back', async () => {
    const { page, masterid } = await open();
    for (const key of ['Enter', 'F2']) {
      await cell(page, 'titel').focus();
      await page.keyboard.press(key);
      await input(page, 'titel').fill('verworfen');
      await page.keyboard.press('Escape');
      await cell(page, 'titel').waitFor();
      await expect
        .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
        .toBe('Notiz zu titel: Notiz schreiben');
    }
    expect(await noteOf(masterid, 'titel')).toBeUndefined();
  });

  it('HDR-08 a note with a line break, as a program may write it, keeps it when its cell is opened, left or edited', async () => {
    const masterid = await masterWith(stage.kontor, catalogue, { key: 'sku' });
    const { fields } = await stage.kontor.ask(api.items, { query: { masterid } });
    const updatedColumns = fields
      .filter(({ name }) => name === 'titel')
      .map(({ id, name }) => ({ id, name, note: 'eins\nzwei' }));
    await stage.kontor.ask(api.updateFields, { body: { masterid, updatedColumns } });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/import`);
    await cell(page, 'titel').click();
    await expect.poll(() => input(page, 'titel').inputValue()).toBe('eins⏎zwei');
    await page.keyboard.press('Enter');
    await cell(page, 'titel').waitFor();
    expect(await noteOf(masterid, 'titel')).toBe('eins\nzwei');
    await cell(page, 'titel').click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Notiz zu titel: gespeichert').waitFor({ state: 'attached' });
    expect(await noteOf(masterid, 'titel')).toBe('eins\nzwei!');
  });

  it('HDR-08 Tab saves and moves on to the next cell', async () => {
    const { page, masterid } = await open();
    await cell(page, 'titel').click();
    await page.keyboard.type('Kurz');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Notiz zu titel: Kurz' }).waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Notiz zu preis: Notiz schreiben');
    expect(await noteOf(masterid, 'titel')).toBe('Kurz');
  });

  it('HDR-08 the cell shows that it is saving; a failed save keeps the text with the reason', async () => {
    const { page, masterid } = await open();
    let fail = true;
    await page.route('**/api/items/fields/update', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await (fail ? route.abort() : route.continue());
    });
    await cell(page, 'preis').click();
    await page.keyboard.type('Wichtig');
    await page.keyboard.press('Enter');
    await page.getByLabel('wird gespeichert').waitFor();
    await page.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    await expect.poll(() => input(page, 'preis').inputValue()).toBe('Wichtig');
    await expect.poll(() => input(page, 'preis').getAttribute('aria-invalid')).toBe('true');
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Speichern'))).toBe(true);
    await expectNoAxeFindings(page);
    fail = false;
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Notiz zu preis: Wichtig' }).waitFor();
    expect(await noteOf(masterid, 'preis')).toBe('Wichtig');
  });

  it('HDR-08 a note is shown in field lists, in the history and, also to a keyboard, in its column head', async () => {
    const { page, masterid } = await open();
    await cell(page, 'preis').click();
    await page.keyboard.type('Brutto');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Notiz zu preis: Brutto' }).waitFor();
    await visit(page, `/master/${masterid}/artikel`);
    const help = page.getByRole('columnheader', { name: /preis/ }).getByRole('button', { name: 'preis: Notiz' });
    const note = page.getByRole('dialog', { name: 'preis: Notiz' });
    await help.focus();
    await page.keyboard.press('Enter');
    await note.getByText('Brutto').waitFor();
    await expectNoAxeFindings(page);
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByRole('button', { name: /: Notiz$/ }).count()).toBe(1);
    await visit(page, `/master/${masterid}/regeln`);
    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await page.getByRole('combobox', { name: 'Bedingung 1: Feld' }).click();
    await expect.poll(() => page.getByRole('option', { name: /^preis/ }).innerText()).toMatch(/^preis\s*Brutto$/);
    await visit(page, `/verlauf/columns/master:${masterid}`);
    await page.getByText('Notiz zu „preis“: „Brutto“.').waitFor();
  });

  it('HDR-08 a viewer sees notes and cannot write any', async () => {
    const { page: mine, masterid } = await open();
    await cell(mine, 'preis').click();
    await mine.keyboard.type('Brutto');
    await mine.keyboard.press('Enter');
    await mine.getByRole('button', { name: 'Notiz zu preis: Brutto' }).waitFor();
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, `/master/${masterid}/import`);
    await page.getByRole('row', { name: /^preis .*Brutto$/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Notiz zu/ }).count()).toBe(0);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)('HDR-08 axe finds nothing (%s, %d px wide)', async (scheme, width) => {
    const { page } = await open({ scheme, width });
    await cell(page, 'preis').click();
    await page.keyboard.type('Brutto');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Notiz zu preis: Brutto' }).waitFor();
    await cell(page, 'titel').click();
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
  });
});
