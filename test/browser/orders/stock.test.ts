import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { importFile, masterWith } from '../../stages/kontor.ts';
import {
  alive,
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';

const csv = 'sku;titel;bestand\nA-1;Hammer;20\nA-2;Zange;4\nA-3;Säge;0\n';

describe('the stock page', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    masterid = await masterWith(kontor, csv, { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Laden' } });
    await takeOrders(kontor, id, [{ orderid: 'B-1', lines: [{ sku: 'A-1', ordered: 3 }] }]);
  });
  afterAll(() => stage.close());

  const open = async (options: PageOptions = {}) => {
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, `/bestand?katalog=${masterid}`);
    return page;
  };
  /** The page once the stock field is chosen, whatever other tests did. */
  const openConfigured = async () => {
    const { settings, revision } = await stage.kontor.ask(api.stockSettings, { params: { masterid } });
    const body = { ...settings, field: 'bestand' };
    await stage.kontor.ask(api.saveStockSettings, { params: { masterid }, body, ifMatch: revision });
    const isComputed = async () => (await stage.kontor.ask(api.stock, { params: { masterid } })).state;
    await expect.poll(isComputed).toMatchObject({ configured: true, computing: false });
    return open();
  };
  const cells = (page: Page, item: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: item, exact: true }) })
      .getByRole('cell')
      .allInnerTexts();

  it('previews the effect of settings before they are saved, and shows the numbers after', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Noch kein Bestandsfeld' }).waitFor();
    await page.getByLabel('Bestandsfeld').selectOption('bestand');
    await page.getByRole('switch', { name: 'Laden: aktiv' }).check({ force: true });
    await page.getByText('Laden: 2 Artikel im Angebot, 2 geändert').waitFor();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(async () => (await cells(page, 'A-1')).slice(0, 5)).toEqual(['20', '3', '0', '17', '17']);
    expect(errorsOf(page)).toEqual([]);
  });

  it('on a phone the article column stays visible while the numbers scroll', async () => {
    const page = await open({ width: 390 });
    const region = page.getByRole('group', { name: 'Bestände' });
    const header = page.getByRole('rowheader', { name: 'A-1', exact: true });
    await header.waitFor();
    await header.hover();
    await page.mouse.wheel(2000, 0);
    const left = async (of: Locator) => Math.round((await of.boundingBox())?.x ?? NaN);
    const available = page.getByRole('columnheader', { name: 'Erklärung' });
    await expect.poll(() => left(available)).toBeLessThan(390);
    expect(await left(header)).toBe(await left(region));
    expect(await left(page.getByRole('columnheader', { name: 'Artikel' }))).toBe(await left(region));
  });

  it('a page beyond the last, e.g. after an import of fewer items, shows the last', async () => {
    const page = await open();
    await visit(page, `/bestand?katalog=${masterid}&seite=7`);
    expect((await cells(page, 'A-1'))[0]).toBe('20');
    expect(new URL(page.url()).search).toBe(`?katalog=${masterid}`);
  });

  it('„Warum diese Zahl?“ links to the reserving order', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Warum diese Zahl? Artikel A-1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Offene Bestellungen reservieren 3 Stück.').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await dialog.getByRole('link', { name: 'B-1' }).click();
    await page.waitForURL('**/bestellungen/**');
  });

  it('is filtered by article number and state, keeps both in the address, and fits a narrow screen', async () => {
    const page = await open({ width: 320 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Knapp' }).click();
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['A-2']);
    await page.getByRole('link', { name: 'Ausverkauft' }).click();
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['A-3']);
    await page.getByLabel('Artikelnummer').fill('X');
    await page.getByRole('heading', { name: 'Kein Artikel gefunden' }).waitFor();
    expect(new URL(page.url()).search).toContain('suche=X');
  });

  it('a buffer of half a piece stays as typed with an error and is not saved; discarding brings the number back', async () => {
    const page = await openConfigured();
    const buffer = page.getByLabel('Puffer in Stück').first();
    const stored = async () => (await stage.kontor.ask(api.stockSettings, { params: { masterid } })).settings;
    const before = await stored();
    await buffer.fill('');
    await buffer.pressSequentially('2,5');
    await page.getByRole('button', { name: 'Speichern' }).click();
    expect(await buffer.inputValue()).toBe('2,5');
    await page.getByText('Bitte eine ganze Zahl von 0 bis 9.999.999 eingeben.').waitFor();
    expect(await buffer.and(page.locator(':focus')).count()).toBe(1);
    expect(await stored()).toEqual(before);
    await page.getByRole('link', { name: 'Übersicht' }).first().click();
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await question.getByRole('button', { name: 'Speichern' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await buffer.inputValue()).toBe('2,5');
    expect(await stored()).toEqual(before);
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => buffer.inputValue()).toBe(String(before.buffer_pieces));
  });

  it('asks about unsaved settings before another catalogue is shown, and before signing out', async () => {
    const other = await masterWith(stage.kontor, csv, { key: 'sku' });
    const page = await open();
    const buffer = page.getByLabel('Puffer in Stück').first();
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await buffer.fill('7');
    await page.getByLabel('Katalog').selectOption(other);
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await buffer.inputValue()).toBe('7');
    expect(new URL(page.url()).searchParams.get('katalog')).toBe(masterid);
    const signOut = async () => {
      await page.getByRole('button', { name: /^Konto von/ }).click();
      await page.getByRole('button', { name: 'Abmelden' }).click();
    };
    await signOut();
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await page.request.get('/api/session')).status()).toBe(200);
    expect(await buffer.inputValue()).toBe('7');
    await signOut();
    await question.getByRole('button', { name: 'Verwerfen' }).click();
    await page.waitForURL('**/login**');
    expect(errorsOf(page)).toEqual([]);
  });

  it('while the numbers are computed, loads slower than the pause between them still arrive, also those of a filter', async () => {
    const computed = (at: Date | null) =>
      stage.kontor.database.system((trx) =>
        trx.updateTable('stock_states').set({ computed_at: at }).where('master', '=', masterid).execute(),
      );
    const page = await openConfigured();
    await computed(null);
    await page.reload();
    await alive(page);
    const computing = page.getByText('Die Bestände werden gerade berechnet');
    await computing.waitFor();
    await page.route('**/bestand.data*', async (route) => {
      await wait(1500);
      await route.continue();
    });
    await page.getByRole('link', { name: 'Knapp' }).click();
    await page.waitForURL(/filter=knapp/);
    await computed(new Date());
    await computing.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('GEN-05 settings being edited stay when loading the numbers anew fails, and the next load brings them back', async () => {
    const rename = (from: string, to: string) =>
      stage.kontor.database.system((trx) => trx.schema.alterTable(from).renameTo(to).execute());
    const page = await openConfigured();
    const buffer = page.getByLabel('Puffer in Stück').first();
    const failed = page.getByRole('alert').getByText('Fehler beim Laden');
    await buffer.fill('9');
    await rename('stock_items', 'stock_items_away');
    try {
      await page.getByRole('link', { name: 'Knapp' }).click();
      await failed.waitFor();
      expect(await buffer.inputValue()).toBe('9');
      expect(await page.getByRole('rowheader').count()).toBe(0);
    } finally {
      await rename('stock_items_away', 'stock_items');
    }
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'A-2', exact: true }).waitFor();
    expect(await buffer.inputValue()).toBe('9');
  });

  it('a hold shows its reason, and is released with a reason', async () => {
    await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes: 'sku;titel;bestand\nA-1;Hammer;0\n' });
    const page = await open();
    const held = page.getByRole('region', { name: 'Angehalten' });
    await expect
      .poll(
        async () => {
          await page.reload();
          return held.count();
        },
        { interval: 1000 },
      )
      .toBe(1);
    await held.getByText('Die Quelle ist leer').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await held.getByLabel('Begründung der Freigabe').fill('Ausverkauf');
    await held.getByRole('button', { name: 'Trotzdem senden' }).click();
    await held.waitFor({ state: 'detached' });
  });
});
