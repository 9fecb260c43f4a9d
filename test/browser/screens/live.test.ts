import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { heldFileServer } from '../../servers/held-file-server.ts';
import { sftpServer } from '../../servers/sftp-server.ts';
import { opened } from '../../stages/feed/assignment-page.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { importFile, masterWith, runExport, settled } from '../../stages/kontor.ts';

const csv = `sku;titel\n${Array.from({ length: 1200 }, (_, index) => `A-${index};Ware ${index}\n`).join('')}`;

describe('live status and messages', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  /** On a retry, exports and catalogues of the first try exist, so names must differ. */
  let names = 0;
  const named = (name: string) => `${name} ${(names += 1)}`;

  /** Starts an import from an address that runs until `finish` is called. */
  const heldImport = async (masterid: string) => {
    const server = await heldFileServer(csv);
    onTestFinished(() => server.close());
    const answer = await stage.kontor.raw(pathOf(api.import, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: server.url }),
    });
    const { runid } = api.import.response.parse(await answer.json());
    const finish = async () => {
      server.release();
      const run = await settled(stage.kontor, runid);
      expect(run.state).toBe('done');
    };
    return { finish };
  };

  it('HDR-01 an empty company sees a hint to start, until its first catalogue exists', async () => {
    // A company of its own: a retry must find it empty again.
    const empty = await openStage();
    onTestFinished(() => empty.close());
    const page = await empty.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.getByText('Ihr Konto ist noch nicht eingerichtet').waitFor();
    // The stock page reloads itself only while numbers are computed.
    const loads: string[] = [];
    page.on('request', (request) => loads.push(new URL(request.url()).pathname));
    await visit(page, '/bestand');
    await wait(2500);
    expect(loads).not.toContain('/bestand.data');
    await masterWith(empty.kontor, 'sku\nA-1\n');
    await visit(page, '/');
    await expect.poll(() => page.getByText('Ihr Konto ist noch nicht eingerichtet').count()).toBe(0);
  });

  it("HDR-02 HDR-07 the heart counts in words; a screen's code is loaded when it is opened", async () => {
    const page = await stage.openPage();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await signIn(page);
    await visit(page, '/hallo');
    const hello = (name: string) => loaded.filter((path) => path.startsWith(`/assets/${name}-`)).length;
    expect([hello('hello'), hello('construction')]).toEqual([1, 0]);
    await page.getByRole('textbox', { name: 'Wie heißen Sie?' }).fill('Frau Beispiel');
    await page.getByText('Hallo, Frau Beispiel!').waitFor();
    const heart = page.locator('footer').getByRole('button');
    await expect.poll(() => heart.innerText()).toBe('Gefällt Ihnen Kontor?');
    await heart.click();
    await expect.poll(() => heart.innerText()).toMatch(/^Danke! 1\sHerz$/);
    await heart.click();
    await expect.poll(() => heart.innerText()).toMatch(/^Danke! 2\sHerzen$/);
    await expectNoAxeFindings(page);
  });

  it('LIV-02 LIV-04 a running import and a running channel, and their end, are shown on every page', async () => {
    const name = named('Schaufenster');
    const masterid = await masterWith(stage.kontor, csv, { key: 'sku' });
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name } });
    const page = await opened(stage, `/exports/${id}`);
    await page.getByRole('link', { name: 'Übersicht' }).click();
    const header = page.getByRole('banner');
    await expect.poll(() => header.getByText('Import läuft').count()).toBe(0);
    const { finish } = await heldImport(masterid);
    await header.getByText('Import läuft').waitFor();
    await finish();
    await header.getByText('Import läuft').waitFor({ state: 'detached' });
    const update = page.getByRole('button', { name: `${name}: update` });
    const held = Promise.withResolvers<void>();
    await page.route('**/ajax/update/output/*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await update.click();
    await expect.poll(() => update.isDisabled()).toBe(true);
    const word = `document.querySelector('[aria-label="${name}: update"] .mantine-Button-label')`;
    await expect.poll(() => page.evaluate(`${word}.checkVisibility({ checkOpacity: true })`)).toBe(true);
    held.resolve();
    await header.getByText(`${name}: Beendet`).waitFor();
    await expectNoAxeFindings(page);
    await header.getByText(`${name}: Beendet`).waitFor({ state: 'detached' });
    await update.waitFor();
    await expect.poll(() => update.isEnabled()).toBe(true);
    expect(errorsOf(page)).toEqual([]);
  });

  it('LIV-02 a run that ended before a page was opened does not make the page load its data twice', async () => {
    const masterid = await masterWith(stage.kontor, csv, { key: 'sku' });
    const page = await opened(stage, '/');
    const loads: string[] = [];
    // Browsers also fetch what a link leads to when the pointer reaches it.
    page.on('request', (request) => request.resourceType() === 'fetch' && loads.push(new URL(request.url()).pathname));
    const ofOverview = () => loads.filter((path) => path === '/_.data').length;
    const { finish } = await heldImport(masterid);
    // The header shows imports of the current catalogue alone.
    await page.getByRole('main').getByText('Import läuft').waitFor();
    const before = ofOverview();
    await finish();
    await expect.poll(ofOverview).toBeGreaterThan(before);
    await page.getByRole('link', { name: 'Bestellungen' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Bestellungen' }).waitFor();
    await wait(1000);
    loads.length = 0;
    await page.getByRole('link', { name: 'Übersicht' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    await wait(1000);
    expect(ofOverview()).toBe(1);
  });

  it('LIV-03 a failing stream leaves no marker and shows no error', async () => {
    const masterid = await masterWith(stage.kontor, csv, { key: 'sku' });
    const page = await stage.openPage();
    await signIn(page);
    const event = { message: 'import', state: 'run', channel: '', masterid };
    let failed = 0;
    await page.route('**/api/live?*', async (route) => {
      await route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(event)}\n\n` });
      failed += 1;
    });
    await visit(page, `/master/${masterid}/artikel`);
    await expect.poll(() => failed).toBeGreaterThan(0);
    await expect.poll(() => page.getByRole('banner').getByText('Import läuft').count(), { timeout: 8000 }).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('LIV-01 eight windows share one stream, each works, and another takes over when the first is closed or hidden', async () => {
    const masterid = await masterWith(stage.kontor, csv, { key: 'sku' });
    const name = named('Achtfach');
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name } });
    const first = await stage.openPage();
    let streams = 0;
    first.context().on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/live') streams += 1;
    });
    await signIn(first);
    await visit(first, '/');
    const others: Page[] = [];
    for (let count = 1; count < 8; count += 1) {
      const page = await first.context().newPage();
      others.push(page);
      await visit(page, count % 2 === 0 ? '/' : `/exports/${id}`);
    }
    expect(streams).toBe(1);
    const last = others.at(-1);
    if (last === undefined) throw new Error('no window');
    await visit(last, '/');
    await last.getByRole('button', { name: `${name}: update` }).click();
    for (const page of [first, ...others])
      await page.getByText(`${name}: Beendet`).or(page.getByText('Beendet')).first().waitFor();
    await first.close();
    await expect.poll(() => streams).toBe(2);
    await last.getByRole('button', { name: `${name}: update` }).click();
    await last.getByText('Beendet').first().waitFor();
    // A hidden window closes its stream; the next one takes over.
    await others[0]?.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => streams).toBe(3);
    await Promise.all(others.map((page) => page.close()));
  });

  it("LIV-02 the overview shows every catalogue's running import, and its new items afterwards", async () => {
    const name = named('Nachgeladen');
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name } });
    await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: 'sku;titel\nA-1;Hammer\n' });
    // Another catalogue is the active one.
    await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n');
    const page = await opened(stage, '/');
    const card = page.getByRole('article', { name });
    await card.getByText('1 Artikel').waitFor();
    const { finish } = await heldImport(masterid);
    await card.getByText('Import läuft').waitFor();
    await finish();
    await card.getByText('1.200 Artikel').waitFor();
  });

  it('LIV-02 the overview shows a failed upload as soon as it is final', async () => {
    const server = await sftpServer();
    onTestFinished(() => server.close());
    const name = named('Unbestätigt');
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name } });
    await runExport(stage.kontor, id);
    // The server's host key is not confirmed: an upload fails at once and permanently.
    const place = { host: '127.0.0.1', port: server.port, user: 'kanal', dir: '/eingang', filename: 'datei.csv' };
    await stage.kontor.ask(api.saveUpload, { params: { id }, body: { active: true, pass: 'geheim', ...place } });
    const page = await opened(stage, '/');
    const failed = page.getByText(`Export „${name}“: Datei nicht übertragen`);
    const { runid } = await stage.kontor.ask(api.uploadNow, { params: { id } });
    expect((await settled(stage.kontor, runid)).state).toBe('failed');
    await failed.waitFor();
    await stage.kontor.ask(api.saveUpload, { params: { id }, body: { active: false, pass: 'geheim', ...place } });
    await stage.kontor.ask(api.readNotifications, { body: {} });
  });

  it('GEN-05 a failed page update keeps typed input, shows the reason, and continues when the server is back', async () => {
    const name = named('Unterbrochen');
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name } });
    await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: 'sku;titel\nA-1;Hammer\n' });
    const page = await opened(stage, '/');
    await page.getByRole('button', { name: 'Katalog anlegen' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Noch nicht gespeichert');
    await page.route('**/*.data*', (route) => route.fulfill({ status: 502, body: '<html>Bad Gateway</html>' }));
    await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: 'sku;titel\nA-1;Hammer\nA-2;Zange\n' });
    await page.getByText('Verbindung unterbrochen').waitFor();
    await page.getByText(/Antwort 502/).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Noch nicht gespeichert');
    await page.unroute('**/*.data*');
    await page.getByText('Verbindung unterbrochen').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Noch nicht gespeichert');
    await page.keyboard.press('Escape');
    await page.getByRole('article', { name }).getByText('2 Artikel').waitFor();
  });

  it('LIV-02 an import that ends before the page has loaded its scripts is shown, in a second window, too', async () => {
    const name = named('Langsam geladen');
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name } });
    await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: 'sku;titel\nA-1;Hammer\n' });
    const first = await opened(stage, '/');
    const second = await first.context().newPage();
    for (const [page, rows] of [
      [first, 2],
      [second, 3],
    ] as const) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      // Scripts of earlier pages would come from the cache, and could not be held.
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      await page.route(/\.js$/, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto('/', { waitUntil: 'commit' });
      const card = page.getByRole('article', { name });
      await card.getByText(`${rows - 1} Artikel`).waitFor();
      const bytes = Array.from({ length: rows }, (_, n) => `A-${n};Ware ${n}\n`).join('');
      await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: `sku;titel\n${bytes}` });
      release();
      await card.getByText(`${rows} Artikel`).waitFor();
    }
  });

  it('HDR-01 unread messages are counted; the list links to their subject and marks them read', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n');
    await importFile(stage.kontor, masterid, { name: 'leer.csv', bytes: '' });
    const page = await opened(stage, '/');
    await page
      .getByRole('banner')
      .getByRole('link', { name: /Benachrichtigungen: \d+ ungelesen/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Benachrichtigungen' }).waitFor();
    await page.getByText('Die Datei ist leer.').first().waitFor();
    await expectNoAxeFindings(page);
    await page.getByRole('link', { name: 'Fehlgeschlagen: Import „Testkatalog“' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Import · Testkatalog' }).waitFor();
    await visit(page, '/benachrichtigungen');
    await expect
      .poll(() => page.getByRole('banner').getByRole('link', { name: 'Benachrichtigungen', exact: true }).count())
      .toBe(1);
    await page.route('**/api/header', (route) => route.abort());
    expect(errorsOf(page)).toEqual([]);
  });
});
