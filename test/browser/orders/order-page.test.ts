import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person } from '#shared/orders/persons.ts';
import { api } from '#shared/http/api.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import {
  describedBy,
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';
import { oddLine } from '../../stages/orders/file-channel-orders.ts';
import { kanari, orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('the page of an order', () => {
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
          { sku: 'A-1', title: 'Hammer', ordered: 2 },
          { sku: 'A-2', title: 'Zange', ordered: 3 },
        ],
      },
      { orderid: 'W-1', lines: [{ sku: 'A-1', ordered: 2 }] },
      { orderid: 'U-1', lines: [{ sku: 'A-1', ordered: 2 }] },
      { orderid: 'R-1', lines: [{ sku: 'A-1', shipped: 1 }] },
      { orderid: 'L-1', lines: Array.from({ length: 500 }, (_, n) => ({ sku: `L-${n + 1}` })) },
    ]);
  });
  afterAll(() => stage.close());

  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);
  const section = (page: Page, name: string) => page.getByRole('region', { name });
  /** Inserts an action as a marketplace would leave it; this test's channel answers at once. */
  const putAction = async (id: string, orderid: string, state: 'new' | 'unclear') => {
    const company = (await stage.kontor.ask(api.session)).company.id;
    const at = new Date();
    const parcel = { reference: '1', shippedAt: at, carrier: 'DHL', tracking: '0034', returnTracking: '' };
    const lines = [{ line: `${orderid}-1`, quantity: 1 }];
    const body = JSON.stringify({ ...parcel, kind: 'ship', order: orderid, idemKey: id, orderedAt: at, lines });
    const later = new Date(at.getTime() + 3_600_000);
    const row = { id, kind: 'ship' as const, action_key: id, body, state, sends: state === 'new' ? 0 : 1 };
    await stage.kontor.database.company(company, async (trx) => {
      const ofOrder = { company, channel: shop, order_id: orderid };
      await trx
        .insertInto('order_actions')
        .values({ ...ofOrder, ...row, not_before: later, created_by: 'Erika', created_at: at })
        .execute();
      await trx
        .updateTable('order_lines')
        .set({ ship_waiting: 1 })
        .where((eb) => eb.and(ofOrder))
        .execute();
      await trx
        .updateTable('orders')
        .set({ unclear: state === 'unclear' ? 1 : 0 })
        .where((eb) => eb.and(ofOrder))
        .execute();
    });
  };

  it('leads back to the orders as they were filtered, searched and paged', async () => {
    const list = `filter=alle&suche=A-1&kanal=${shop}`;
    const page = await open(`/bestellungen?${list}`);
    await page.getByRole('link', { name: 'W-1', exact: true }).click();
    await page.getByRole('heading', { name: 'Bestellung W-1' }).waitFor();
    await page.getByRole('link', { name: 'Alle Bestellungen' }).click();
    await page.getByRole('heading', { name: 'Bestellungen', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?${list}`);
    await page.getByRole('link', { name: 'W-1', exact: true }).waitFor();
    await visit(page, orderPath(shop, 'W-1'));
    expect(await page.getByRole('link', { name: 'Alle Bestellungen' }).getAttribute('href')).toBe('/bestellungen');
  });

  it('OIM-01 shows its lines, parcels, actions and history; its number may hold any character', async () => {
    await stage.kontor.ask(api.fulfillItem, {
      params: { orderid: oddLine, productid: `${oddLine}-1` },
      body: { quantity: 1, carrier: 'DHL', tracking: '00340434161094042557' },
    });
    const page = await open(orderPath(shop, oddLine));
    await page.getByRole('heading', { level: 1, name: `Bestellung ${oddLine}` }).waitFor();
    await section(page, 'Positionen').getByText('1 offen, 1 versandt').waitFor();
    await section(page, 'Sendungen').getByText('00340434161094042557').waitFor();
    await section(page, 'Sendungen').getByText('1 × Hammer').waitFor();
    await section(page, 'Aktionen').getByText('erledigt').waitFor();
    await section(page, 'Eckdaten').getByText('PO-4711').waitFor();
    expect(await section(page, 'Verlauf').getByRole('listitem').count()).toBeGreaterThan(1);
    expect(await page.locator('main').innerText()).not.toContain('Kanari Mustermann');
    await expectNoAxeFindingsInBoth(page);
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    expect(errorsOf(page)).toEqual([]);
  });

  it('shows personal data only on request, and records the reading', async () => {
    const page = await open(orderPath(shop, oddLine));
    const readings = async () =>
      (await stage.kontor.ask(api.personReadings, { params: { orderid: oddLine } })).readings.length;
    expect(await readings()).toBe(0);
    await section(page, 'Kundendaten').getByText('Wer sie liest, wird vermerkt.').waitFor();
    await section(page, 'Kundendaten').getByRole('button', { name: 'Kundendaten anzeigen' }).click();
    await section(page, 'Kundendaten').getByText('Kanariweg 17').waitFor();
    expect(await readings()).toBe(1);
    await expectNoAxeFindings(page);
  });

  it('exports all stored data of the person, and erases it after a confirmation', async () => {
    const delivery = Person.parse({ name: 'Kanari Vogel', city: 'Bonn' });
    await takeOrders(stage.kontor, shop, [{ orderid: 'P-1', persons: { delivery }, lines: [{ sku: 'A-1' }] }]);
    const page = await open(orderPath(shop, 'P-1'));
    const card = section(page, 'Kundendaten');
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Auskunft herunterladen' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Auskunft P-1.json');
    expect(await readFile(await file.path(), 'utf8')).toContain('Kanari Vogel');
    await card.getByRole('button', { name: 'Kundendaten löschen' }).click();
    await expectNoAxeFindings(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await card.getByText('sind keine Kundendaten gespeichert').waitFor();
    expect(await card.getByRole('button', { name: 'Kundendaten löschen' }).count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('a waiting action is shown and can be withdrawn', async () => {
    await putAction('warten1', 'W-1', 'new');
    const page = await open(orderPath(shop, 'W-1'));
    await section(page, 'Aktionen').getByText('wird gesendet').waitFor();
    await section(page, 'Aktionen').getByRole('button', { name: 'zurückziehen' }).click();
    await section(page, 'Aktionen').getByText('nicht gesendet', { exact: true }).waitFor();
    await section(page, 'Positionen').getByText('2 offen').waitFor();
  });

  it('an unclear action is resolved by a user with a reason', async () => {
    await putAction('unklar1', 'U-1', 'unclear');
    const page = await open('/bestellungen?filter=klaerung');
    await page.getByRole('link', { name: 'U-1', exact: true }).click();
    const actions = section(page, 'Aktionen');
    await actions.getByText('Klärung nötig').waitFor();
    const resolve = actions.getByRole('button', { name: 'Klären' });
    expect(await resolve.isDisabled()).toBe(true);
    expect(await describedBy(resolve)).toBe('Bitte angeben, was geschehen ist und woher Sie es wissen.');
    await actions.getByLabel('Es ist nicht angekommen').check();
    await actions.getByLabel('Woher wissen Sie es?').fill('x');
    await resolve.click();
    await actions.getByText('Bitte sagen Sie, woher Sie es wissen.').first().waitFor();
    await actions.getByLabel('Woher wissen Sie es?').fill('Auf der Verkäuferseite nachgesehen');
    await expectNoAxeFindings(page);
    await resolve.click();
    await actions.getByText(/Geklärt von .*Auf der Verkäuferseite nachgesehen/).waitFor();
    await section(page, 'Positionen').getByText('2 offen').waitFor();
  });

  it('an order of 500 lines shows them all', async () => {
    const page = await open(orderPath(shop, 'L-1'));
    const lines = page.getByRole('list', { name: 'Positionen der Bestellung L-1' }).getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(500);
    await lines.last().getByText('L-500').first().waitFor();
    await lines
      .last()
      .getByRole('button', { name: /^Versenden/ })
      .click();
    await page.getByRole('dialog', { name: 'Versand melden' }).getByText('L-500').first().waitFor();
  });

  it('refunds part of a line; an amount that is too high is refused before sending', async () => {
    const page = await open(orderPath(shop, 'R-1'));
    await page.getByRole('button', { name: 'Teil erstatten' }).click();
    const form = page.getByRole('dialog', { name: 'Teil erstatten' });
    await form.getByRole('textbox', { name: 'Betrag in EUR' }).fill('20,00');
    await form.getByRole('textbox', { name: 'Grund' }).fill('Kratzer');
    await form.getByText('Bitte einen Betrag bis 19,99').waitFor();
    expect(await form.getByRole('button', { name: 'Erstatten' }).isDisabled()).toBe(true);
    expect(await describedBy(form.getByRole('button', { name: 'Erstatten' }))).toBe('Bitte den Betrag berichtigen.');
    await form.getByRole('textbox', { name: 'Betrag in EUR' }).fill('4,5');
    await form.getByRole('button', { name: '4,50\u00a0€ erstatten' }).click();
    await form.waitFor({ state: 'detached' });
    await expect
      .poll(async () => {
        const { refunds } = await stage.kontor.ask(api.order, { params: { orderid: 'R-1' }, query: { channel: shop } });
        return refunds.map(({ cents, reason }) => [cents, reason]);
      })
      .toEqual([[450, 'Kratzer']]);
    expect(errorsOf(page)).toEqual([]);
  });
});
