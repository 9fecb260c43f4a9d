import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';
import { answerWith, openHello } from '../../stages/http/hello-page.ts';

describe('answers to live components', () => {
  let stage: Stage;
  let shop: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = await orderChannel(stage.kontor, 'Mein Onlineshop');
  });
  afterAll(() => stage.close());

  const root = (page: Page) => page.locator('#hello');

  it('LVC-03 an answer that is no component covers the page until Escape or a click, and returns the focus', async () => {
    const { page, name } = await openHello(stage);
    await name.fill('Frau Beispiel');
    const fail = page.getByRole('button', { name: 'Fehler zeigen' });
    await fail.click();
    const overlay = page.getByRole('dialog', { name: 'Das hat nicht geklappt' });
    const frame = overlay.locator('iframe');
    await frame.waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('');
    const said = frame.contentFrame();
    await said.getByText('Diese Aktion misslingt immer').waitFor();
    await overlay.getByText(/^Vorgangsnummer: [0-9a-f-]{36}$/).waitFor();
    expect(await overlay.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1280 });
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).overflow')).toBe('hidden');
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    await expect.poll(() => fail.evaluate('document.activeElement?.textContent')).toBe('Fehler zeigen');
    expect(await name.inputValue()).toBe('Frau Beispiel');
    await fail.click();
    await frame.waitFor();
    const more = overlay.getByRole('status');
    expect(await more.innerText()).toBe('');
    // A request in progress fails while the user reads: the new error replaces the shown one and says so.
    await root(page).locator('[data-action="fail"]').dispatchEvent('click');
    await more.getByText('Inzwischen sind es 2 Fehler. Das ist der letzte:').waitFor();
    // A click in the middle of the server's error page.
    await page.mouse.click(640, 450);
    await overlay.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).overflow')).not.toBe('hidden');
  });

  it('LVC-03 shows the text of a foreign page and runs nothing of it (T11)', async () => {
    const { page } = await openHello(stage);
    const evil = '<script>top.alert(1)</script><img src=x onerror="top.alert(2)"><h1>502 Bad Gateway</h1>';
    await answerWith(page, 502, 'text/html', evil);
    let alerts = 0;
    page.on('dialog', () => (alerts += 1));
    await page.getByRole('button', { name: 'Addieren', exact: true }).click();
    const frame = page.getByRole('dialog').locator('iframe').contentFrame();
    await frame.getByText('502 Bad Gateway').waitFor();
    expect(await frame.locator('script, img, h1').count()).toBe(0);
    expect(alerts).toBe(0);
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('button', { name: 'Schließen' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('LVC-01 a lost action can be given up: its notice ends, and it is not sent again', async () => {
    const { page, asked, name } = await openHello(stage);
    await page.route('**/api/live-components/hello{,/*}', (route) => route.abort());
    await page.getByRole('button', { name: 'Addieren', exact: true }).click();
    await page.clock.runFor(1);
    await page.getByText('Der Server ist nicht erreichbar.').waitFor();
    await page.unrouteAll();
    const since = asked.length;
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByRole('button', { name: 'Erneut senden' }).waitFor({ state: 'detached' });
    await name.fill('Frau Beispiel');
    await page.clock.runFor(150);
    await page.getByText('Guten Tag, Frau Beispiel!').waitFor();
    expect(asked.slice(since).some((request) => request.url().includes('/add'))).toBe(false);
    expect(await page.getByRole('button', { name: 'Erneut senden' }).count()).toBe(0);
  });

  it('LVC-02 stops polling when an answer does not ask for it any more', async () => {
    const { page, asked } = await openHello(stage);
    await page.route('**/api/live-components/hello{,/*}', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/ data-poll="[^"]*"/, '') });
    });
    await page.clock.runFor(2000);
    await expect.poll(() => root(page).getAttribute('data-poll')).toBeNull();
    const since = asked.length;
    await page.clock.runFor(60_000);
    expect(asked.length).toBe(since);
  });

  it('LVC-01 due orders are shown above the orders by channel, and counted in the header of every page', async () => {
    const order = (orderid: string, shipInHours: number) => ({ orderid, shipInHours, lines: [{ sku: 'NK-1' }] });
    await takeOrders(stage.kontor, shop, [order('F-1', -30), order('F-2', 0.001)]);
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/bestellungen?filter=versandt');
    const panel = page.getByRole('region', { name: 'Heute fällig' });
    const chip = panel.getByRole('link', { name: /^Mein Onlineshop: / });
    await expect.poll(() => chip.innerText()).toMatch(/^Mein Onlineshop: 2 \([12] überfällig\)$/);
    await panel.getByRole('button', { name: 'Nächste Bestellungen' }).click();
    await panel.getByRole('link', { name: 'F-1' }).waitFor();
    expect(await panel.getByText('überfällig seit').count()).toBeGreaterThan(0);
    await panel.getByRole('checkbox', { name: 'Nur überfällige' }).check();
    await expectNoAxeFindings(page);
    await page.getByRole('banner').getByRole('link', { name: 'Heute fällig: 2' }).waitFor();
    await chip.click();
    await page.waitForURL('**/bestellungen?filter=faellig&kanal=*');
    await page.getByRole('table').getByRole('link', { name: 'F-2', exact: true }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });
});
