import type { Page, Request } from 'playwright-core';
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

describe('live components in a page', () => {
  let stage: Stage;
  let shop: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = await orderChannel(stage.kontor, 'Mein Onlineshop');
  });
  afterAll(() => stage.close());

  /** Opens the hello component; returns the requests since then. The test controls the page's clock. */
  const openHello = async () => {
    const page = await stage.openPage();
    await signIn(page);
    await page.clock.install();
    await visit(page, '/hallo');
    const asked: Request[] = [];
    page.on('request', (request) => {
      if (/\/live-components\/hello(\/|$)/.test(new URL(request.url()).pathname)) asked.push(request);
    });
    return { page, asked, name: page.getByRole('textbox', { name: 'Ihr Name' }) };
  };
  const actions = (asked: readonly Request[]) =>
    asked.map((request) => new URL(request.url()).pathname.split('/hello')[1]);
  /** Holds the component's answers until released. */
  const hold = async (page: Page) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/live-components/hello{,/*}', async (route) => {
      await promise;
      await route.continue();
    });
    return async () => {
      resolve();
      await page.unrouteAll({ behavior: 'wait' });
    };
  };
  const answerWith = (page: Page, status: number, contentType: string, body: string) =>
    page.route('**/api/live-components/hello{,/*}', (route) => route.fulfill({ status, contentType, body }));
  const setHidden = (page: Page, hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${hidden ? 'hidden' : 'visible'}' });
      document.dispatchEvent(new Event('visibilitychange'))`);
  const root = (page: Page) => page.locator('#hello');

  it('LVC-01 is rendered in the first HTML of the page, with the values of its address', async () => {
    const page = await stage.openPage({ javaScript: false });
    await signIn(page);
    await page.goto('/hallo?name=%3Cb%3EFrau%20Beispiel');
    expect(await page.getByText('Guten Tag, <b>Frau Beispiel!').count()).toBe(1);
  });

  it('LVC-01 LVC-02 sends typed text after a pause, and keeps text typed while a request is pending', async () => {
    const { page, asked, name } = await openHello();
    const release = await hold(page);
    await name.pressSequentially('Frau ');
    await page.clock.runFor(150);
    await expect.poll(() => actions(asked)).toEqual(['']);
    await name.pressSequentially('Beispiel');
    await release();
    await page.getByText('Guten Tag, Frau Beispiel!').waitFor();
    expect(await name.inputValue()).toBe('Frau Beispiel');
    expect(await name.evaluate('document.activeElement?.dataset.model')).toBe('name');
    expect(actions(asked).length).toBeLessThanOrEqual(3);
    expect(errorsOf(page)).toEqual([]);
  });

  it('LVC-01 an invalid value stays with its error; the child keeps its typed text', async () => {
    const { page } = await openHello();
    const note = page.getByRole('textbox', { name: 'Notiz' });
    await note.fill('bleibt');
    await page.getByRole('button', { name: 'Grüßen' }).click();
    await page.getByText('Gegrüßt: 1').waitFor();
    const amount = page.getByRole('textbox', { name: 'Menge' });
    await amount.fill('viel');
    await page.getByRole('alert').getByText('Erwartet wird eine ganze Zahl.').waitFor();
    expect([await amount.inputValue(), await amount.getAttribute('aria-invalid')]).toEqual(['viel', 'true']);
    await page.getByRole('textbox', { name: 'Ihr Name' }).fill('Herr Neu');
    await page.getByText('Guten Tag, Herr Neu! Gegrüßt: 1').waitFor();
    expect(await note.inputValue()).toBe('bleibt');
    await expectNoAxeFindingsInBoth(page);
  });

  it('LVC-01 one request is pending at a time; clicks meanwhile are sent as one batch', async () => {
    const { page, asked } = await openHello();
    const release = await hold(page);
    const add = page.getByRole('button', { name: 'Addieren', exact: true });
    await add.click();
    await page.clock.runFor(1);
    await expect.poll(() => actions(asked)).toEqual(['/add']);
    await add.click();
    await page.getByRole('button', { name: 'Zehnmal addieren' }).click();
    await release();
    await page.getByText('Summe: 12').waitFor();
    expect(actions(asked).slice(0, 2)).toEqual(['/add', '/_batch']);
  });

  it('LVC-02 shows after 200 ms that it waits', async () => {
    const { page, asked } = await openHello();
    const release = await hold(page);
    await page.getByRole('button', { name: 'Addieren', exact: true }).click();
    await page.clock.runFor(1);
    await expect.poll(() => asked.length).toBe(1);
    expect(await root(page).getAttribute('aria-busy')).toBeNull();
    await page.clock.runFor(200);
    await expect.poll(() => root(page).getAttribute('aria-busy')).toBe('true');
    await expectNoAxeFindings(page);
    await release();
    await expect.poll(() => root(page).getAttribute('aria-busy')).toBeNull();
  });

  it('LVC-02 polls every two seconds, not in a hidden window, and not after leaving the page', async () => {
    const { page, asked } = await openHello();
    const polled = async (count: number) => {
      const before = asked.length;
      for (let turn = 0; turn < count; turn += 1) {
        await page.clock.runFor(2000);
        await expect.poll(() => asked.length).toBeGreaterThan(before + turn);
        await asked.at(-1)?.response();
      }
    };
    await polled(2);
    await setHidden(page, true);
    const hiddenSince = asked.length;
    await page.clock.runFor(60_000);
    expect(asked.length).toBe(hiddenSince);
    await setHidden(page, false);
    await polled(1);
    await page.getByRole('button', { name: 'Zum Konto' }).click();
    await page.waitForURL('**/konto');
    const leftSince = asked.length;
    await page.clock.runFor(60_000);
    expect(asked.length).toBe(leftSince);
  });

  it('LVC-02 stops polling after three failures, says so, and resumes on request', async () => {
    const { page, asked } = await openHello();
    await answerWith(page, 503, 'text/plain', 'weg');
    for (const count of [1, 2, 3]) {
      await page.clock.runFor(2000);
      await expect.poll(() => asked.length).toBe(count);
      await asked.at(-1)?.response();
    }
    const goOn = page.getByRole('button', { name: 'Weiter aktualisieren' });
    await goOn.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.clock.runFor(60_000);
    expect(asked).toHaveLength(3);
    await page.unrouteAll();
    await goOn.click();
    await goOn.waitFor({ state: 'detached' });
    const since = asked.length;
    await page.clock.runFor(2000);
    await expect.poll(() => asked.length).toBeGreaterThan(since);
  });

  it('LVC-02 a notice stays when another component on the page loads', async () => {
    const { page, asked } = await openHello();
    await page.getByText('Nachgeladen, sobald die Seite stand.').waitFor();
    await answerWith(page, 503, 'text/plain', 'weg');
    for (const count of [1, 2, 3]) {
      await page.clock.runFor(2000);
      await expect.poll(() => asked.length).toBeGreaterThanOrEqual(count);
      await asked.at(-1)?.response();
    }
    const goOn = page.getByRole('button', { name: 'Weiter aktualisieren' });
    await goOn.waitFor();
    await page.locator('#hello-seen').scrollIntoViewIfNeeded();
    await page.clock.runFor(500);
    await page.getByText('Nachgeladen, als es zu sehen war.').waitFor();
    expect(await goOn.count()).toBe(1);
  });

  it('LVC-01 keeps what was typed over a lost connection and sends it with the next request', async () => {
    const { page, name } = await openHello();
    await page.route('**/api/live-components/hello{,/*}', (route) => route.abort());
    await name.fill('Frau Beispiel');
    await page.getByText('Der Server ist nicht erreichbar.').waitFor();
    expect(await name.inputValue()).toBe('Frau Beispiel');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Erneut senden' }).click();
    await page.getByText('Guten Tag, Frau Beispiel!').waitFor();
  });

  it('LVC-01 loads one part after the page and another shortly before it is visible; the server renders each only then', async () => {
    const { page } = await openHello();
    await page.getByText('Nachgeladen, sobald die Seite stand.').waitFor();
    const far = page.locator('#hello-seen');
    await page.clock.runFor(5000);
    expect(await far.innerText()).toBe('Wird geladen …');
    // It may never become visible, so it is not marked as busy.
    expect(await far.getAttribute('aria-busy')).toBeNull();
    await far.scrollIntoViewIfNeeded();
    await page.clock.runFor(500);
    await far.getByText('Nachgeladen, als es zu sehen war.').waitFor();
    expect(await far.getAttribute('aria-busy')).toBeNull();
    expect(errorsOf(page)).toEqual([]);
  });

  it('LVC-01 a part that fails to load is reported next to the component and loads on a second try', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await page.route('**/api/live-components/hello-soon**', (route) => route.fulfill({ status: 502, body: 'weg' }));
    await visit(page, '/hallo');
    await page.getByText('Dieser Teil der Seite konnte nicht geladen werden.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Erneut laden' }).click();
    await page.getByText('Nachgeladen, sobald die Seite stand.').waitFor();
    expect(await page.getByText('konnte nicht geladen werden').count()).toBe(0);
  });

  it('LVC-01 writes its state into the address, which can be shared, and the back button undoes one step', async () => {
    const { page, name } = await openHello();
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('.data')) loads.push(request.url());
    });
    await name.fill('Frau');
    await page.clock.runFor(200);
    await page.waitForURL('**/hallo?name=Frau&summe=0');
    await name.fill('Frau Beispiel');
    await page.clock.runFor(200);
    await page.waitForURL('**/hallo?name=Frau+Beispiel&summe=0');
    const add = page.getByRole('button', { name: 'Addieren', exact: true });
    for (const sum of [1, 2]) {
      await add.click();
      await page.clock.runFor(10);
      await page.waitForURL(`**/hallo?name=Frau+Beispiel&summe=${sum}`);
    }
    // Going back to a state that is already shown loads nothing.
    expect(loads).toEqual([]);
    const shown = () => page.getByText(/^Summe: /).innerText();
    await page.goBack();
    await expect.poll(shown).toBe('Summe: 1');
    expect(await name.inputValue()).toBe('Frau Beispiel');
    await page.goForward();
    await expect.poll(shown).toBe('Summe: 2');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('Summe: 2').waitFor();
    expect(await other.getByRole('textbox', { name: 'Ihr Name' }).inputValue()).toBe('Frau Beispiel');
    await page.goBack();
    await page.goBack();
    await expect.poll(shown).toBe('Summe: 0');
    expect(new URL(page.url()).searchParams.get('name')).toBe('Frau Beispiel');
    expect(errorsOf(page)).toEqual([]);
  });

  it('LVC-01 sends a file with its action, and the server detects its type', async () => {
    const { page } = await openHello();
    const buffer = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]);
    await page.getByLabel('Bild (PNG, JPG)').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer });
    // A message that appears and disappears moves everything below it.
    await page.getByRole('textbox', { name: 'Menge' }).fill('viel');
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Menge' }).fill('2');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Bild prüfen' }).click();
    await page.getByText('bild.jpg, 6 Bytes').waitFor();
  });

  it('LVC-03 an answer that is no component covers the page until Escape or a click, and returns the focus', async () => {
    const { page, name } = await openHello();
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
    const { page } = await openHello();
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
