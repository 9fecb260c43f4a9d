import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showTrash } from '#catalogue/trash.ts';
import { api } from '#shared/http/api.ts';
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
import { masterWith } from '../../stages/kontor.ts';

const DAY = 24 * 60 * 60 * 1000;
const NAME_FIELD = 'Geben Sie zur Bestätigung den Namen ein';

describe('deletions', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
  }, 120_000);
  afterAll(() => stage.close());

  const exportCalled = async (name: string) => {
    const body = { name, format: { kind: 'csv' as const } };
    return (await stage.kontor.ask(api.createExport, { params: { masterid }, body })).id;
  };
  const hasFocus = (one: Locator) => expect.poll(() => one.and(one.page().locator(':focus')).count()).toBe(1);
  const opened = async (path: string) => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, path);
    return page;
  };
  /** Opens a dialog by keyboard, closes it with Escape, and opens it again. */
  const askTwice = async (page: Page, button: Locator, question: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await hasFocus(question.getByRole('textbox', { name: NAME_FIELD }));
    await expectNoAxeFindings(page);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await hasFocus(button);
    await page.keyboard.press('Enter');
    await question.waitFor();
    await hasFocus(question.getByRole('textbox', { name: NAME_FIELD }));
  };
  const inTrash = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`Export „${name}“`) });

  it('an export is trashed after its name is typed, and restored, by keyboard only', async () => {
    const name = 'Marktplatz Nord';
    const id = await exportCalled(name);
    const page = await opened(`/exports/${id}/einstellungen`);
    const question = page.getByRole('dialog', { name: `Export „${name}“ löschen?` });
    await askTwice(page, page.getByRole('button', { name: 'Löschen …' }), question);
    await page.keyboard.type('Marktplatz');
    // With half a name no key deletes anything.
    await page.keyboard.press('Enter');
    expect(await question.getByRole('button', { name: 'Löschen', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.type(' Nord');
    // The notice goes after seconds, which may be over when the next page has loaded.
    const notice = page.getByRole('status').getByText('In den Papierkorb gelegt').waitFor();
    await Promise.all([page.keyboard.press('Enter'), page.waitForURL('**/papierkorb'), notice]);
    await inTrash(page, name).waitFor();
    expect((await stage.kontor.raw(`/api/exports/${id}`)).status).toBe(404);
    // Its old URL says where it is now.
    const old = await stage.openPage();
    await signIn(old);
    await visit(old, `/exports/${id}/diagnose`);
    await old.getByText('Dieser Export liegt im Papierkorb.').waitFor();
    await old.getByRole('link', { name: 'Zum Papierkorb' }).click();
    await inTrash(old, name).waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    const back = page.getByRole('button', { name: `Zurückholen ${name}` });
    // On a phone the button must be visible without scrolling the table sideways.
    const box = await back.boundingBox();
    expect((box?.x ?? 320) + (box?.width ?? 0)).toBeLessThan(320);
    await back.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(`„${name}“ ist wieder da`).waitFor();
    await page.getByRole('heading', { name: 'Der Papierkorb ist leer' }).waitFor();
    expect((await stage.kontor.raw(`/api/exports/${id}`)).status).toBe(200);
    expect(errorsOf(page)).toEqual([]);
  });

  it.each([
    ['/einstellungen/firmendaten', 'Firma löschen …', 'Firma löschen', 'Meine Firma'],
    ['/exports/:id/einstellungen', 'Löschen …', 'Löschen', 'Fehlschlag'],
  ])('a failure that was read is gone when the question of %s is asked again', async (path, ask, confirm, typed) => {
    const page = await opened(path.replace(':id', path.includes(':id') ? await exportCalled('Fehlschlag') : ''));
    await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
    const dialog = page.getByRole('dialog');
    const failure = page.getByText('Fehler beim Löschen');
    await page.getByRole('button', { name: ask }).click();
    await dialog.getByRole('textbox', { name: NAME_FIELD }).fill(typed);
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await failure.waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await failure.count()).toBe(0);
    await page.getByRole('button', { name: ask }).click();
    await dialog.waitFor();
    expect(await failure.count()).toBe(0);
  });

  it('a failure of new addresses that was read is gone when the question is asked again', async () => {
    const page = await opened(`/exports/${await exportCalled('Adressen')}`);
    await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
    const dialog = page.getByRole('dialog');
    const failure = page.getByText('Fehler beim Speichern');
    await page.getByRole('button', { name: 'Neue Adresse' }).click();
    await dialog.getByRole('button', { name: 'Erneuern' }).click();
    await failure.waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await expect.poll(() => failure.count()).toBe(0);
  });

  it('deleting a mapping with unsaved edits does not ask to save them', async () => {
    const put = (mappingid: string, name: string) =>
      stage.kontor.ask(api.saveMapping, { params: { masterid, mappingid }, body: { name, active: true, data: [] } });
    await put('MapBleibt1', 'Bleibt');
    await put('MapWeg0001', 'Geht');
    const page = await opened(`/master/${masterid}/mappings/MapWeg0001`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Anders');
    // The list shows the name as it is typed.
    await page.getByRole('checkbox', { name: '„Anders“ auswählen' }).check();
    await page.getByRole('button', { name: 'Ausgewählte Regeln löschen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await page.waitForURL('**/MapBleibt1');
    expect(await page.getByRole('dialog', { name: 'Änderungen speichern?' }).count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('an export trashed for thirty days is deleted permanently, and the page shows its counts', async () => {
    const name = 'Marktplatz Süd';
    const id = await exportCalled(name);
    await stage.kontor.ask(api.trashExport, { params: { id }, body: { name } });
    const page = await opened('/papierkorb');
    await inTrash(page, name).getByText('30 Tage').waitFor();
    const { id: company } = (await stage.kontor.ask(api.session)).company;
    await stage.kontor.database.system(async (trx) => {
      await showTrash(trx);
      const trashed = new Date(Date.now() - 31 * DAY);
      await trx.updateTable('exports').set({ trashed_at: trashed }).where('id', '=', id).execute();
      const job = { company, id: 'nachts', kind: 'maintenance', subject: 'maintenance', state: 'queued' as const };
      await trx
        .insertInto('jobs')
        .values({ ...job, payload: '{}' })
        .execute();
    });
    await expect.poll(async () => (await stage.kontor.ask(api.trash)).gone.length).toBe(1);
    await visit(page, '/papierkorb');
    await page.getByRole('region', { name: 'Endgültig gelöscht' }).waitFor();
    await inTrash(page, name).waitFor();
    await page.getByRole('heading', { name: 'Der Papierkorb ist leer' }).waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
  });

  it('a trashed export is permanently deleted after its name is typed', async () => {
    const name = 'Marktplatz West';
    const id = await exportCalled(name);
    await stage.kontor.ask(api.trashExport, { params: { id }, body: { name } });
    const page = await opened('/papierkorb');
    const question = page.getByRole('dialog', { name: `Export „${name}“ endgültig löschen?` });
    await askTwice(page, page.getByRole('button', { name: `Endgültig löschen … ${name}` }), question);
    await question.getByRole('textbox', { name: NAME_FIELD }).fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(`„${name}“ wird endgültig gelöscht`).waitFor();
    await expect
      .poll(async () => (await stage.kontor.ask(api.trash)).gone.map((one) => one.name), { timeout: 20_000 })
      .toContain(name);
    await visit(page, '/papierkorb');
    await page.getByRole('heading', { name: 'Der Papierkorb ist leer' }).waitFor();
    await page.getByRole('region', { name: 'Endgültig gelöscht' }).getByText(name).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('the company deletion needs the typed name, is shown, and can be cancelled', async () => {
    const page = await opened('/einstellungen/firmendaten');
    const question = page.getByRole('dialog', { name: 'Die ganze Firma „Meine Firma“ löschen?' });
    await askTwice(page, page.getByRole('button', { name: 'Firma löschen …' }), question);
    await page.keyboard.type('meine firma');
    expect(await question.getByRole('button', { name: 'Firma löschen' }).isDisabled()).toBe(true);
    await question.getByRole('textbox', { name: NAME_FIELD }).fill('Meine Firma');
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Die Firma wird in 24 Stunden gelöscht').waitFor();
    await page.getByRole('heading', { name: 'Diese Firma wird gelöscht' }).waitFor();
    await question.waitFor({ state: 'hidden' });
    await expectNoAxeFindingsInBoth(page);
    await expectNoSidewaysScroll(page);
    const keep = page.getByRole('button', { name: 'Löschung widerrufen' });
    await keep.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Die Firma bleibt').waitFor();
    await page.getByRole('button', { name: 'Firma löschen …' }).waitFor();
    expect((await stage.kontor.ask(api.companyData)).deletion).toBeNull();
    expect(errorsOf(page)).toEqual([]);
  });
});
