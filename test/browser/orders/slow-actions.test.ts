import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import { openPage, openStage, type Stage } from '../../stages/browser.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('actions on orders while the server is slow', () => {
  let stage: Stage;
  let shop: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = await orderChannel(stage.kontor, 'Mein Onlineshop');
    await takeOrders(
      stage.kontor,
      shop,
      ['S-1', 'S-2', 'S-3', 'S-4'].map((orderid) => ({ orderid, lines: [{ sku: 'NK-1', ordered: 3 }] })),
    );
  });
  afterAll(() => stage.close());

  /** Opens an order whose calls of one kind wait until `go`, and then are answered, or lost if `go('lost')`. */
  const openSlow = async (orderid: string, pattern: RegExp) => {
    const { promise, resolve } = Promise.withResolvers<'answered' | 'lost'>();
    const page = await openPage(stage, orderPath(shop, orderid));
    await page.route(pattern, async (route) => ((await promise) === 'lost' ? route.abort() : route.continue()));
    return { page, go: resolve };
  };

  it('OIM-04 cannot be cancelled once it is sent, and its success is told where its form was closed meanwhile', async () => {
    const { page, go } = await openSlow('S-1', /\/cancel\//);
    await page.getByRole('button', { name: /^Weitere Aktionen/ }).click();
    await page.getByRole('button', { name: 'Position stornieren', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Grund').selectOption({ label: 'Kein Bestand' });
    await form.getByRole('button', { name: 'Stornieren' }).click();
    expect(await form.getByRole('button', { name: 'Abbrechen' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Verwerfen' }).click();
    await form.waitFor({ state: 'detached' });
    go('answered');
    await page.getByRole('status').filter({ hasText: 'vermerkt' }).waitFor();
    const { order } = await stage.kontor.ask(api.order, { params: { orderid: 'S-1' }, query: { channel: shop } });
    expect(order.state).toBe('cancelled');
  });

  it('OIM-04 its failure is told where its form was closed meanwhile', async () => {
    const { page, go } = await openSlow('S-2', /\/fulfill\//);
    await page.getByRole('button', { name: /^Versenden/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Versanddienst').selectOption('DHL');
    await form.getByRole('textbox', { name: 'Sendungsnummer', exact: true }).fill('1');
    await form.getByRole('button', { name: 'Speichern' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Verwerfen' }).click();
    await form.waitFor({ state: 'detached' });
    go('lost');
    await page.getByRole('alert').filter({ hasText: 'Fehler beim Speichern' }).waitFor();
  });

  it('an order follows its pending action also if each load takes longer than the pause between them', async () => {
    const query = { channel: shop };
    const { order } = await stage.kontor.ask(api.order, { params: { orderid: 'S-4' }, query });
    const params = { orderid: 'S-4', productid: order.lines[0]?.productid ?? '' };
    const body = { quantity: 1, carrier: 'DHL', tracking: '1', returntracking: '' };
    await stage.kontor.ask(api.fulfillItem, { params, query, body });
    const actions = (state: 'unknown' | 'done') =>
      stage.kontor.database.system((trx) =>
        trx.updateTable('order_actions').set({ state }).where('kind', '=', 'ship').execute(),
      );
    await actions('unknown');
    const page = await openPage(stage, orderPath(shop, 'S-4'));
    const pending = page.getByText('wird beim Marktplatz nachgesehen').first();
    await pending.waitFor();
    await page.route('**/bestellungen/**', async (route) => {
      await wait(5000);
      await route.continue();
    });
    await actions('done');
    await pending.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('a refund cannot be cancelled once it is sent, and its failure is told where its form was closed', async () => {
    const { page, go } = await openSlow('S-3', /\/refund/);
    await page.getByRole('button', { name: 'Teil erstatten' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Betrag in EUR' }).fill('4,50');
    await form.getByRole('textbox', { name: 'Grund' }).fill('Kratzer');
    await form.getByRole('button', { name: '4,50\u00a0€ erstatten' }).click();
    expect(await form.getByRole('button', { name: 'Abbrechen' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Verwerfen' }).click();
    await form.waitFor({ state: 'detached' });
    go('lost');
    await page.getByRole('alert').filter({ hasText: 'Fehler beim Speichern' }).waitFor();
  });
});
