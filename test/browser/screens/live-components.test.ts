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
import { answerWith, openHello } from '../../stages/http/hello-page.ts';

describe('live components in a page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

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
    const { page, asked, name } = await openHello(stage);
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
    const { page } = await openHello(stage);
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
    const { page, asked } = await openHello(stage);
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
    const { page, asked } = await openHello(stage);
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
    const { page, asked } = await openHello(stage);
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
    const { page, asked } = await openHello(stage);
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
    const { page, asked } = await openHello(stage);
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
    const { page, name } = await openHello(stage);
    await page.route('**/api/live-components/hello{,/*}', (route) => route.abort());
    await name.fill('Frau Beispiel');
    await page.getByText('Der Server ist nicht erreichbar.').waitFor();
    expect(await name.inputValue()).toBe('Frau Beispiel');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Erneut senden' }).click();
    await page.getByText('Guten Tag, Frau Beispiel!').waitFor();
  });

  it('LVC-01 offers a lost action until it is repeated, also after the server has answered something else', async () => {
    const { page, name } = await openHello(stage);
    await page.route('**/api/live-components/hello{,/*}', (route) => route.abort());
    await page.getByRole('button', { name: 'Addieren', exact: true }).click();
    await page.clock.runFor(1);
    await page.getByText('Der Server ist nicht erreichbar.').waitFor();
    await page.unrouteAll();
    await name.fill('Frau Beispiel');
    await page.clock.runFor(150);
    await page.getByText('Guten Tag, Frau Beispiel!').waitFor();
    const repeat = page.getByRole('button', { name: 'Erneut senden' });
    await page.getByText('Der Server ist nicht erreichbar.').waitFor({ state: 'detached' });
    expect(await repeat.count()).toBe(1);
    await repeat.click();
    await page.getByText('Summe: 1').waitFor();
    await repeat.waitFor({ state: 'detached' });
  });

  it('LVC-01 loads one part after the page and another shortly before it is visible; the server renders each only then', async () => {
    const { page } = await openHello(stage);
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
    const { page, name } = await openHello(stage);
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
    const { page } = await openHello(stage);
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
});
