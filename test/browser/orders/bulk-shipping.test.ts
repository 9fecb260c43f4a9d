import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';
import { api } from '#shared/http/api.ts';
import {
  describedBy,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';
import { oddLine } from '../../stages/orders/file-channel-orders.ts';
import { kanari, orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('several orders at once', () => {
  let stage: Stage;
  let shop: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = await orderChannel(stage.kontor, 'Mein Onlineshop');
    await takeOrders(stage.kontor, shop, [
      {
        orderid: oddLine,
        shipInHours: 5,
        buyer_order_number: 'PO-4711',
        persons: { delivery: kanari },
        lines: [
          { sku: 'A-1', title: 'Hammer', ordered: 2, shipped: 1 },
          { sku: 'A-2', title: 'Zange', ordered: 3 },
        ],
      },
      { orderid: 'W-1', lines: [{ sku: 'A-1', ordered: 2 }] },
      ...['B-1', 'B-2', 'B-3', 'C-1', 'C-2'].map((orderid) => ({
        orderid,
        lines: [{ sku: `S-${orderid}`, ordered: 2 }],
      })),
    ]);
  });
  afterAll(() => stage.close());

  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);

  it('several orders are shipped at once; one that fails keeps what was typed', async () => {
    const page = await open('/bestellungen');
    for (const orderid of ['B-1', 'B-2', 'B-3'])
      await page.getByRole('checkbox', { name: `Bestellung ${orderid} auswählen` }).check();
    await page.getByRole('button', { name: 'Versenden', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const usual = dialog.getByLabel('Versanddienst für alle ohne eigene Wahl');
    await usual.and(page.locator(':focus')).waitFor();
    const submit = dialog.getByRole('button', { name: 'Versand melden' });
    const hint = 'Bitte einen Versanddienst wählen und mindestens eine Sendungsnummer eingeben.';
    expect(await describedBy(submit)).toBe(hint);
    // A disabled button has no focus: a screen reader learns of the line only because its changes are announced.
    await dialog.getByRole('status').getByText(hint).waitFor();
    await usual.selectOption('DHL');
    await dialog.getByText('Bitte mindestens eine Sendungsnummer eingeben.').waitFor();
    await dialog.getByLabel('Sendungsnummer für B-1').fill('0001');
    // A click beside the dialog, as of a double click whose first click changed its size.
    await page.mouse.click(5, 5);
    await dialog.getByLabel('Sendungsnummer für B-2').fill('0002');
    await dialog.getByLabel('Versanddienst für B-2').selectOption('GLS');
    await expectNoAxeFindings(page);
    // Meanwhile another user cancels the second one.
    await stage.kontor.ask(api.cancelItem, {
      params: { orderid: 'B-2', productid: 'B-2-1', quantity: 2, reason: 'BuyerCanceled' },
      body: {},
    });
    await dialog.getByRole('button', { name: '2 Sendungen melden' }).click();
    await dialog.getByText('1 von 2 vermerkt.').waitFor();
    await dialog.getByText('Es ist kein Stück mehr offen.').waitFor();
    expect(await dialog.getByLabel('Sendungsnummer für B-2').inputValue()).toBe('0002');
    expect(await dialog.getByLabel('Sendungsnummer für B-1').isDisabled()).toBe(true);
    const shipped = await stage.kontor.ask(api.order, { params: { orderid: 'B-1' } });
    expect(shipped.order.state).toBe('shipped');
    expect(shipped.shipments).toMatchObject([{ carrier: 'DHL', tracking: '0001' }]);
    // What was typed stays while the form is closed.
    await dialog.getByLabel('Sendungsnummer für B-3').fill('0003');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Versenden', exact: true }).click();
    expect(await dialog.getByLabel('Sendungsnummer für B-3').inputValue()).toBe('0003');
    await dialog.getByLabel('Sendungsnummer für B-2').fill('');
    await dialog.getByRole('button', { name: '1 Sendung melden' }).press('Enter');
    await dialog.getByText('1 von 1 vermerkt.').waitFor();
    await dialog.getByRole('button', { name: 'Schließen' }).and(page.locator(':focus')).waitFor();
  });

  it('tracking numbers of a file are checked before anything is reported; a lost answer loses nothing', async () => {
    const page = await open('/bestellungen');
    await page.getByRole('button', { name: 'Sendungsnummern einlesen' }).click();
    const dialog = page.getByRole('dialog');
    const table = {
      name: 'sendungen.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('C-1;1111;DHL\nC-2;2222\nweg;3333;DPD'),
    };
    await dialog.getByLabel('Datei mit Sendungsnummern').setInputFiles(table);
    await expect.poll(() => dialog.getByLabel('Tabelle').inputValue()).toContain('C-2;2222');
    const sheets = ['Hinweise', 'Pakete'].map((name, at) => ({
      name,
      rows: sheetRows([['C-1', '1111'].slice(1 - at)]),
    }));
    await dialog
      .getByLabel('Datei mit Sendungsnummern')
      .setInputFiles({ name: 'sendungen.xlsx', mimeType: '', buffer: workbook(sheets) });
    await dialog.getByText('Gelesen wurde das Tabellenblatt „Pakete“. Daten stehen auch in „Hinweise“').waitFor();
    expect(await dialog.getByLabel('Tabelle').inputValue()).toBe('"C-1";"1111"');
    await dialog
      .getByLabel('Datei mit Sendungsnummern')
      .setInputFiles({ ...table, buffer: Buffer.from('PK\u0003\u0004') });
    await dialog.getByText('Die Arbeitsmappe ist beschädigt oder unvollständig.').waitFor();
    await dialog.getByLabel('Datei mit Sendungsnummern').setInputFiles(table);
    await expect.poll(() => dialog.getByLabel('Tabelle').inputValue()).toContain('C-2;2222');
    await dialog.getByRole('button', { name: 'Prüfen' }).click();
    await dialog.getByText('3 Zeilen: 1 bereit, 0 auffällig, 2 nicht möglich.').waitFor();
    await dialog.getByText('Diese Bestellung gibt es hier nicht.').waitFor();
    await dialog.getByLabel('Versanddienst, wo keiner angegeben ist').selectOption('GLS');
    await dialog.getByRole('button', { name: 'Prüfen' }).click();
    await dialog.getByText('3 Zeilen: 2 bereit, 0 auffällig, 1 nicht möglich.').waitFor();
    await expectNoAxeFindings(page);
    const keys: (string | undefined)[] = [];
    await page.route('**/api/orders/ship', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      // The first answer is lost after the server has processed the request.
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const report = dialog.getByRole('button', { name: '2 Sendungen melden' });
    await report.click();
    await dialog.getByText('Der Server ist nicht erreichbar.').waitFor();
    await report.click();
    await expect.poll(() => dialog.getByText('Vermerkt.').count()).toBe(2);
    expect(keys[0]).toBe(keys[1]);
    await dialog.getByRole('button', { name: 'Neue Tabelle' }).and(page.locator(':focus')).waitFor();
    const { shipments } = await stage.kontor.ask(api.order, { params: { orderid: 'C-2' } });
    expect(shipments).toMatchObject([{ carrier: 'GLS', tracking: '2222' }]);
  });

  it('a pick list and packing slips are printed, a page for each order', async () => {
    const page = await open('/bestellungen');
    await page.getByRole('checkbox', { name: `Bestellung ${oddLine} auswählen` }).check();
    await page.getByRole('checkbox', { name: 'Bestellung W-1 auswählen' }).check();
    await page.getByRole('link', { name: 'Lieferscheine' }).click();
    const slip = page.getByRole('article', { name: `Lieferschein ${oddLine}` });
    await slip.getByText('Kanariweg 17').waitFor();
    await slip.getByText('PO-4711').waitFor();
    expect((await slip.getByRole('row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Artikelnummer Artikel Menge',
      'A-1 Hammer 1',
      'A-2 Zange 3',
    ]);
    await expectNoAxeFindings(page);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)).toHaveLength(2);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Hauptnavigation' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Drucken' }).isVisible()).toBe(false);
    const answer = await page.request.get(page.url());
    expect(answer.headers()['cache-control']).toBe('no-store');
    const readings = await stage.kontor.ask(api.personReadings, { params: { orderid: oddLine } });
    expect(readings.readings.map(({ purpose }) => purpose)).toContain('packing_slip');

    await page.emulateMedia({ media: 'screen' });
    await visit(page, '/bestellungen/druck/pickliste');
    const total = page.getByRole('table', { name: 'Je Artikel' }).getByRole('row').filter({ hasText: 'A-1' });
    expect((await total.innerText()).replaceAll(/\s+/g, ' ').trim()).toContain('W-1 (2)');
    await expectNoAxeFindings(page);
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
  });
});
