import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import {
  describedBy,
  errorsOf,
  expectNoAxeFindings,
  openStage,
  type PageOptions,
  type Stage,
  openPage,
} from '../../stages/browser.ts';
import { oddLine } from '../../stages/orders/file-channel-orders.ts';
import { newOrder, rowOf, twoChannels } from '../../stages/orders/two-channels.ts';

describe('orders', () => {
  let stage: Stage;
  let shop: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = await twoChannels(stage.kontor);
  });
  afterAll(() => stage.close());

  const made = (given?: Parameters<typeof newOrder>[2]) => newOrder(stage.kontor, shop, given);
  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);
  const detailsOf = (orderid: string) => stage.kontor.ask(api.order, { params: { orderid }, query: { channel: shop } });
  const dialog = (page: Page) => page.getByRole('dialog');
  /** Opens the form of an order's only line. */
  const openForm = async (page: Page, orderid: string, button: string) => {
    await rowOf(page, orderid)
      .getByRole('button', { name: new RegExp(`^${button}:`) })
      .click();
    await dialog(page).waitFor();
  };
  const openMore = async (page: Page, orderid: string, entry: string) => {
    await rowOf(page, orderid)
      .getByRole('button', { name: /^Weitere Aktionen/ })
      .click();
    await page.getByRole('button', { name: entry, exact: true }).click();
    await dialog(page).waitFor();
  };

  it('OIM-01 OIM-02 ships pieces of a line once tracking number and carrier are filled', async () => {
    const orderid = await made();
    const page = await open('/bestellungen');
    await openForm(page, orderid, 'Versenden');
    const save = dialog(page).getByRole('button', { name: 'Speichern' });
    const [carrier, tracking] = [
      dialog(page).getByLabel('Versanddienst'),
      dialog(page).getByRole('textbox', { name: 'Sendungsnummer', exact: true }),
    ];
    expect(await dialog(page).getByLabel('Menge').locator('option').allInnerTexts()).toEqual(['1', '2', '3']);
    expect(await dialog(page).getByLabel('Menge').inputValue()).toBe('3');
    expect((await carrier.locator('option').allInnerTexts()).slice(0, 4)).toEqual([
      'Bitte wählen',
      'DHL',
      'DPD',
      'GLS',
    ]);
    expect(await save.isDisabled()).toBe(true);
    await carrier.and(page.locator(':focus')).waitFor();
    await tracking.fill('0034001');
    expect(await save.isDisabled()).toBe(true);
    expect(await describedBy(save)).toBe('Bitte einen Versanddienst angeben.');
    await carrier.selectOption('DPD');
    await tracking.fill('  ');
    expect(await save.isDisabled()).toBe(true);
    await expectNoAxeFindings(page);
    await tracking.fill('0034001');
    await dialog(page).getByLabel('Retouren-Sendungsnummer').fill('R-1');
    await dialog(page).getByLabel('Menge').selectOption('2');
    const asked = page.waitForRequest('**/fulfill/**');
    await save.click();
    const request = await asked;
    expect(new URL(request.url()).pathname).toBe(`/apis/order/${orderid}/${encodeURIComponent(oddLine)}/fulfill/`);
    const item = { orderid, productid: oddLine, state: 'sent', quantity: 2, send: '0034001', return: 'R-1' };
    const shipment = { carrier: 'DPD', tracking: '0034001', returntracking: 'R-1' };
    expect(request.postDataJSON()).toEqual({ ...item, ...shipment });
    expect((await request.allHeaders())['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    await dialog(page).getByText('Der Versand ist vermerkt.').waitFor();
    await rowOf(page, orderid).getByText('teilweise versandt').waitFor();
    await rowOf(page, orderid).getByText('1 offen').waitFor();
  });

  it('OIM-04 the success is shown for 2 seconds, then the form closes', async () => {
    const orderid = await made();
    const page = await open('/bestellungen');
    await openForm(page, orderid, 'Versenden');
    await dialog(page).getByLabel('Versanddienst').selectOption('DHL');
    await dialog(page).getByRole('textbox', { name: 'Sendungsnummer', exact: true }).fill('0034002');
    await dialog(page).getByRole('button', { name: 'Speichern' }).click();
    await dialog(page).getByText('Der Versand ist vermerkt.').waitFor();
    const since = performance.now();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(performance.now() - since).toBeGreaterThan(1500);
    expect(performance.now() - since).toBeLessThan(8000);
  });

  it('after shipping an order that leaves the list the focus is on the order now in its place', async () => {
    const [shipped, next] = [await made({ shipInHours: 1 }), await made({ shipInHours: 2 })];
    const page = await open('/bestellungen?suche=T-10');
    await openForm(page, shipped, 'Versenden');
    await dialog(page).getByLabel('Versanddienst').selectOption('DHL');
    await dialog(page).getByRole('textbox', { name: 'Sendungsnummer', exact: true }).fill('0034009');
    await dialog(page).getByRole('button', { name: 'Speichern' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: next, exact: true }).and(page.locator(':focus')).waitFor({ timeout: 5000 });
    expect(await rowOf(page, shipped).count()).toBe(0);
  });

  it('OIM-04 a failure keeps the form open with its reason and input; the retry uses the same key', async () => {
    const orderid = await made();
    const page = await open('/bestellungen');
    await openForm(page, orderid, 'Versenden');
    await dialog(page).getByLabel('Versanddienst').selectOption('GLS');
    await dialog(page).getByRole('textbox', { name: 'Sendungsnummer', exact: true }).fill('0034003');
    // Meanwhile another user ships two of the three.
    await stage.kontor.ask(api.fulfillItem, {
      params: { orderid, productid: oddLine },
      body: { quantity: 2, carrier: 'DHL', tracking: '1' },
    });
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/fulfill/')) keys.push(request.headers()['idempotency-key']);
    });
    const save = dialog(page).getByRole('button', { name: 'Speichern' });
    await save.click();
    await dialog(page).getByRole('alert').getByText('Nur noch 1 offen.').waitFor();
    expect(await dialog(page).getByRole('textbox', { name: 'Sendungsnummer', exact: true }).inputValue()).toBe(
      '0034003',
    );
    expect(errorsOf(page).join(' ')).toContain('Fehler beim Speichern');
    // The form and the list behind it show what the refusal is about.
    await dialog(page).getByText('3\u00a0Stück bestellt, 1 offen').waitFor();
    await rowOf(page, orderid).getByText('1 offen').waitFor();
    await dialog(page).getByLabel('Menge').selectOption('1');
    await save.click();
    await dialog(page).getByText('Der Versand ist vermerkt.').waitFor();
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect((await detailsOf(orderid)).order.state).toBe('shipped');
  });

  it('OIM-03 cancels pieces once a reason is chosen', async () => {
    const orderid = await made();
    const page = await open('/bestellungen');
    await openMore(page, orderid, 'Position stornieren');
    const submit = dialog(page).getByRole('button', { name: 'Stornieren' });
    const reason = dialog(page).getByLabel('Grund');
    expect(await reason.locator('option').allInnerTexts()).toEqual(['Bitte wählen', 'Kundenstorno', 'Kein Bestand']);
    expect(await submit.isDisabled()).toBe(true);
    await reason.selectOption('NoInventory');
    await dialog(page).getByLabel('Menge').selectOption('2');
    await expectNoAxeFindings(page);
    const asked = page.waitForRequest(/\/cancel\//);
    await submit.click();
    expect(new URL((await asked).url()).pathname).toBe(
      `/apis/order/${orderid}/${encodeURIComponent(oddLine)}/cancel/2/NoInventory`,
    );
    await dialog(page).getByText('Die Stornierung ist vermerkt.').waitFor();
    expect((await detailsOf(orderid)).order.lines[0]).toMatchObject({ cancelled: 2, open: 1 });
  });

  it('Escape does not discard a chosen quantity', async () => {
    const orderid = await made();
    const page = await open('/bestellungen');
    await openMore(page, orderid, 'Position stornieren');
    await dialog(page).getByLabel('Menge').selectOption('2');
    await page.keyboard.press('Escape');
    await dialog(page).getByText('Ihre Änderungen sind noch nicht gespeichert.').waitFor();
    await dialog(page).getByRole('button', { name: 'Weiter bearbeiten' }).click();
    expect(await dialog(page).getByLabel('Menge').inputValue()).toBe('2');
  });

  it('OIM-03 accepts a return with the only available reason', async () => {
    const orderid = await made({ lines: [{ sku: 'NK-1', ordered: 3, shipped: 2, productid: oddLine }] });
    const page = await open(orderPath(shop, orderid));
    await page.getByRole('button', { name: /^Weitere Aktionen/ }).click();
    await page.getByRole('button', { name: 'Retoure annehmen' }).click();
    const submit = dialog(page).getByRole('button', { name: 'Retoure annehmen' });
    expect(await dialog(page).getByLabel('Menge').inputValue()).toBe('2');
    expect(await dialog(page).getByLabel('Menge').locator('option').allInnerTexts()).toEqual(['1', '2']);
    expect(await dialog(page).getByLabel('Grund').locator('option').allInnerTexts()).toEqual([
      'Bitte wählen',
      'Keine Angabe',
    ]);
    expect(await submit.isDisabled()).toBe(true);
    await dialog(page).getByLabel('Grund').selectOption({ label: 'Keine Angabe' });
    const asked = page.waitForRequest(/\/return\//);
    await submit.click();
    expect(new URL((await asked).url()).pathname).toBe(
      `/apis/order/${orderid}/${encodeURIComponent(oddLine)}/return/2/no%20Reason`,
    );
    await dialog(page).getByText('Die Retoure ist vermerkt.').waitFor();
    await page.getByText('Retoure von 2 Stück: Keine Angabe').first().waitFor();
  });

  it('OIM-01 an impossible action is disabled and says why', async () => {
    const orderid = await made();
    const page = await open('/bestellungen');
    await rowOf(page, orderid)
      .getByRole('button', { name: /^Weitere Aktionen/ })
      .click();
    const entry = page.getByRole('button', { name: /^Retoure annehmen/ });
    expect(await entry.isDisabled()).toBe(true);
    expect(await entry.innerText()).toContain('Es wurde noch nichts versandt.');
  });

  it('OIM-01 an order with several lines shows them, each with its own form', async () => {
    const orderid = await made({ lines: [{ sku: 'X-1' }, { sku: 'X-2', ordered: 4 }] });
    const page = await open('/bestellungen');
    await rowOf(page, orderid)
      .getByRole('button', { name: /2 Positionen/ })
      .click();
    const lines = page.getByRole('list', { name: `Positionen der Bestellung ${orderid}` });
    await lines.getByRole('button', { name: /^Versenden: Artikel X-2/ }).click();
    await dialog(page).getByText('4 Stück bestellt').waitFor();
  });

  it('imports orders from a file, shows each outcome, and keeps the input on failure', async () => {
    const page = await open('/bestellungen');
    await page.getByRole('button', { name: 'Bestellungen einlesen' }).click();
    const form = page.getByRole('dialog', { name: 'Bestellungen einlesen' });
    await form.getByRole('combobox', { name: 'Kanal' }).selectOption(shop);
    const csv = [
      'Bestellnummer;Bestelldatum;Artikelnummer;Menge;Einzelpreis',
      'DATEI-1;20.11.2026;A-1;2;19,99',
      'DATEI-2;gestern;A-1;2;19,99',
    ].join('\n');
    const file = { name: 'bestellungen.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await form.locator('input[type=file]').setInputFiles(file);
    await page.context().setOffline(true);
    await form.getByRole('button', { name: 'Einlesen', exact: true }).click();
    await form.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    await form.getByText('bestellungen.csv').waitFor();
    await page.context().setOffline(false);
    await form.getByRole('button', { name: 'Einlesen', exact: true }).click();
    await form.getByText('1\u00a0neue Bestellung').waitFor();
    await form.getByRole('listitem').filter({ hasText: 'DATEI-2' }).waitFor();
    await expectNoAxeFindings(page);
    const unpriced = Buffer.from('Bestellnummer;Bestelldatum;Artikelnummer;Menge\nDATEI-3;20.11.2026;A-1;2');
    await form.locator('input[type=file]').setInputFiles({ ...file, buffer: unpriced });
    await form.getByRole('button', { name: 'Einlesen', exact: true }).click();
    await form.getByText('Keine Spalte der Datei ist als Preis zu erkennen').waitFor();
    await form.getByRole('button', { name: 'Schließen' }).last().click();
    await rowOf(page, 'DATEI-1').waitFor();
  });

  it('OIM-02 an order that may not be shipped is marked among several and sends nothing', async () => {
    const [held, ready] = [await made({ pending: true }), await made()];
    const page = await open('/bestellungen?filter=alle');
    for (const orderid of [held, ready]) await page.getByLabel(`Bestellung ${orderid} auswählen`).check();
    await page.getByRole('region', { name: 'Auswahl' }).getByRole('button', { name: 'Versenden' }).click();
    const row = dialog(page).getByRole('row', { name: held });
    await row.getByText('Die Bestellung ist noch nicht zum Versand freigegeben.').waitFor();
    expect(await row.getByLabel(`Sendungsnummer für ${held}`).isDisabled()).toBe(true);
    await dialog(page).getByLabel('Versanddienst für alle ohne eigene Wahl').selectOption('DHL');
    await dialog(page).getByLabel(`Sendungsnummer für ${ready}`).fill('0034');
    await dialog(page).getByRole('button', { name: '1\u00a0Sendung melden' }).click();
    await dialog(page).getByText('1 von 1 vermerkt.').waitFor();
  });

  it('OIM-02 a large quantity can be cleared and typed again, and is limited to what was ordered', async () => {
    const orderid = await made({ lines: [{ sku: 'NK-1', ordered: 300 }] });
    const page = await open('/bestellungen');
    await openForm(page, orderid, 'Versenden');
    const quantity = dialog(page).getByLabel('Menge');
    await quantity.fill('');
    expect(await quantity.inputValue()).toBe('');
    await quantity.fill('900');
    await dialog(page).getByLabel('Versanddienst').focus();
    expect(await quantity.inputValue()).toBe('300');
  });

  it('OIM-02 half a piece stays as typed with an error, and sends nothing', async () => {
    const orderid = await made({ lines: [{ sku: 'NK-1', ordered: 300 }] });
    const page = await open('/bestellungen');
    await openForm(page, orderid, 'Versenden');
    const quantity = dialog(page).getByLabel('Menge');
    await quantity.fill('');
    await quantity.pressSequentially('2,5');
    await dialog(page).getByLabel('Versanddienst').selectOption('DHL');
    await dialog(page).getByRole('textbox', { name: 'Sendungsnummer', exact: true }).fill('0034');
    expect(await quantity.inputValue()).toBe('2,5');
    await dialog(page).getByText('Bitte eine ganze Zahl eingeben.').waitFor();
    await dialog(page).getByRole('button', { name: 'Speichern' }).click();
    expect(await quantity.and(page.locator(':focus')).count()).toBe(1);
    await quantity.fill('2');
    await dialog(page).getByRole('button', { name: 'Speichern' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await detailsOf(orderid)).order.lines[0]).toMatchObject({ ordered: 300, open: 298 });
  });
});
