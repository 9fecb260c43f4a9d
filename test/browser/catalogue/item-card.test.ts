import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  alive,
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { importFile, masterWith } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';

/** A blue rectangle of 240 x 160 px; larger than in the grid. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAACgCAIAAAC9uXYyAAABRElEQVR42u3SMQ0AAAgEsdfFjnGUoYKFNKmCy6V64I1IgKHB0GBoMDSGBkODocHQYGgMDYYGQ4OhwdAYGgwNhgZDg6ExNBgaDA2GBkNjaDA0GBoMDYbG0GBoMDQYGgyNocHQYGgwNIYGQ4OhwdBgaAwNhgZDg6HB0BgaDA2GBkODoTE0GBoMDYYGQ2NoMDQYGgwNhsbQYGgwNBgaDI2hwdBgaDA0GBpDg6HB0GBoDA2GBkODocHQGBoMDYYGQ4OhMTQYGgwNhgZDY2gwNBgaDA2GxtBgaDA0GBoMjaHB0GBoMDQYGkODocHQYGgMrQKGBkODocHQGBoMDYYGQ4OhMTQYGgwNhgZDY2gwNBgaDA2GxtBgaDA0GBoMjaHB0GBoMDQYGkODocHQYGgwNIYGQ4OhwdAYGgwNhgZDg6ExNBgaDA03Fpc+IQUVGekEAAAAAElFTkSuQmCC',
  'base64',
);

describe('pictures, cards and empty grids', () => {
  let stage: Stage;
  let shop: Server;
  let shopUrl: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = createServer((request, response) => {
      if (request.url?.includes('fehlt') === true) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    shop.close();
  });

  const open = async (path: string): Promise<Page> => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, path);
    return page;
  };
  const rows = (page: Page) => page.getByRole('region', { name: 'Datensätze' }).locator('tbody tr');
  const withPictures = () =>
    masterWith(
      stage.kontor,
      [
        'sku;titel;bild',
        ...[1, 2, 3, 4, 5, 6].map((n) => `A-${n};Artikel ${n};${shopUrl}/${n % 3 === 0 ? 'fehlt' : 'bild'}-${n}.jpg`),
      ].join('\n'),
    );

  it('ITE-03 ITE-05 pictures are thumbnails of 100 px in rows of 80 px, missing ones a text; Compact hides them', async () => {
    const page = await open(`/master/${await withPictures()}/artikel`);
    const good = page.getByRole('img', { name: 'Bild zu A-1' });
    await good.waitFor();
    await page.getByText('Bild nicht gefunden').nth(1).waitFor();
    await expect.poll(() => page.getByText('Bild nicht gefunden').count()).toBe(2);
    await expect.poll(async () => (await good.boundingBox())?.width).toBe(100);
    // T1: it comes from our server, and the page may not load from anywhere else.
    const shownAs = `(({ naturalWidth, currentSrc }) => [naturalWidth, new URL(currentSrc).origin === location.origin])(
      document.querySelector('img[alt="Bild zu A-1"]'))`;
    expect(await page.evaluate(shownAs)).toEqual([240, true]);
    const policy = (await page.request.get(page.url())).headers()['content-security-policy'] ?? '';
    expect(policy).toContain("img-src 'self' data:;");
    expect(policy).not.toMatch(/\*|https?:/);
    await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(80);
    await page.getByText('Compact', { exact: true }).click();
    await good.waitFor({ state: 'detached' });
    await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(30);
    // ITE-02: the choice is stored.
    await visit(page, page.url());
    await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(30);
    await page.getByText('Normal', { exact: true }).click();
    await good.waitFor();
    await expectNoAxeFindings(page);
    await rows(page).first().click();
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    const shown = card.getByRole('list', { name: 'Bilder' }).getByRole('img', { name: 'Bild 1 zu A-1' });
    await shown.waitFor();
  });

  it('ITE-05 the picture filter leaves only items whose picture can be loaded', async () => {
    const page = await open(`/master/${await withPictures()}/artikel`);
    await expect.poll(() => rows(page).count()).toBe(6);
    await page.getByRole('button', { name: 'bild filtern' }).click();
    const filter = page.getByRole('group', { name: 'Filter nach Bildstatus' });
    await filter.getByRole('checkbox', { name: 'Nur gültige Bilder anzeigen' }).check();
    await filter.getByRole('button', { name: 'Anwenden' }).click();
    await rows(page).filter({ hasText: 'A-3' }).waitFor({ state: 'detached' });
    await expect.poll(() => rows(page).locator('td:first-child').allInnerTexts()).toEqual(['A-1', 'A-2', 'A-4', 'A-5']);
    // Only existing items are counted, and the card continues with the next existing one.
    await page.getByRole('heading', { level: 1, name: '4 Datensätze' }).waitFor();
    await page.getByText('1–4 von 4 Datensätzen').waitFor();
    await rows(page).filter({ hasText: 'A-2' }).click();
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    await card.getByRole('row', { name: 'titel Artikel 2' }).waitFor();
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByRole('row', { name: 'titel Artikel 4' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'bild: Filter ändern' }).click();
    await filter.getByRole('checkbox', { name: 'Nur gültige Bilder anzeigen' }).uncheck();
    await filter.getByRole('button', { name: 'Anwenden' }).click();
    await rows(page).filter({ hasText: 'A-3' }).waitFor();
  });

  it('ITE-04 a click on a row opens the card with every field, nested ones as a table, and buttons to close it', async () => {
    const masterid = await masterWith(
      stage.kontor,
      'sku;titel;maße\nA-1;Hammer;"{""länge"": {""wert"": 30, ""einheit"": ""cm""}}"\nA-2;Säge;\n',
    );
    const page = await open(`/master/${masterid}/artikel`);
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    const asked = page.waitForRequest('**/api/items/data/id/A-1?*');
    await rows(page).first().getByText('Hammer').click();
    await asked;
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    const nested = card.getByRole('row', { name: /^maße/ }).getByRole('table').first();
    await expect
      .poll(async () => (await nested.innerText()).split(/\s+/))
      .toEqual(['länge', 'wert', '30', 'einheit', 'cm']);
    expect(new URL(page.url()).searchParams.get('artikel')).toBe('A-1');
    await expectNoAxeFindings(page);
    await card.getByRole('checkbox', { name: 'nur gefüllte' }).check();
    await card.getByRole('searchbox', { name: 'Felder filtern' }).fill('maß');
    await card.getByText('1 von 4 Feldern').waitFor();
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByText('0 von 4 Feldern').waitFor();
    await card.getByRole('searchbox', { name: 'Felder filtern' }).fill('');
    await card.getByRole('row', { name: 'titel Säge' }).waitFor();
    // The choice is stored, like the density of the grid.
    await page.reload();
    await alive(page);
    await expect.poll(() => card.getByRole('checkbox', { name: 'nur gefüllte' }).isChecked()).toBe(true);
    await expect.poll(() => card.getByRole('button', { name: 'Schließen' }).count()).toBe(3);
    await card.getByRole('button', { name: 'Schließen' }).nth(1).click();
    await card.waitFor({ state: 'hidden' });

    // By keyboard: the first cell is a button; Escape closes the card and returns the focus.
    const opener = rows(page).first().getByRole('button', { name: 'A-1' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
    expect(errorsOf(page)).toEqual([]);

    // In the grid's descending order, A-1 comes after A-2.
    await visit(page, `/master/${masterid}/artikel?artikel=A-2&sortierung=_id&richtung=ab`);
    await card.getByRole('row', { name: 'titel Säge' }).waitFor();
    await expect.poll(() => card.getByRole('button', { name: 'Voriger' }).first().isDisabled()).toBe(true);
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    await visit(page, `/master/${masterid}/artikel/A-2`);
    await page.getByRole('heading', { level: 1, name: 'Artikeldaten · A-2' }).waitFor();
  });

  it('ITE-04 an item whose number is a dot or two opens like any other', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\n.;Hammer\n..;Säge\n~.;Zange\n', { key: 'sku' });
    const page = await open(`/master/${masterid}/artikel`);
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    await rows(page).first().getByText('Hammer').click();
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByRole('row', { name: 'titel Säge' }).waitFor();
    await card.getByRole('link', { name: 'Woher kommt titel?' }).click();
    await page.getByRole('heading', { level: 1, name: 'Erklären · ..' }).waitFor();
    await page.getByRole('link', { name: 'Artikeldaten' }).click();
    await page.getByRole('heading', { level: 1, name: 'Artikeldaten · ..' }).waitFor();
    await page.getByRole('row', { name: 'titel Säge' }).waitFor();
    await page.getByRole('button', { name: 'Nächster' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Artikeldaten · ~.' }).waitFor();
    await page.getByRole('row', { name: 'titel Zange' }).waitFor();
    await page.goBack();
    await page.reload();
    await alive(page);
    await page.getByRole('row', { name: 'titel Säge' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  /** Creates an item in two exports, with stock and an order. */
  const wholeItem = async () => {
    const { kontor } = stage;
    const csv = `sku;titel;preis;bestand;bild\nA-1;Hammer;9,90;20;${shopUrl}/1.jpg, ${shopUrl}/2.jpg\nA-2;Säge;5,00;3;\n`;
    const masterid = await masterWith(kontor, csv, { key: 'sku' });
    const newExport = async (name: string, channel: string) =>
      (await kontor.ask(api.createExport, { params: { masterid }, body: { name, channel } })).id;
    const shop = await newExport('Laden', 'frei');
    const google = await newExport('Google', 'google');
    const times = {
      id: 'a0',
      field: 'preis',
      select: 'calculate',
      selecttyp: 'calculate',
      actionOperator: 'multiply',
      value: [
        { type: '_field', value: '' },
        { type: '_number', value: '2' },
      ],
    };
    const everyItem = [{ id: 'q0', field: '@ALL@' }];
    const double = Rule.parse({ id: 'Doppelxxxx', name: 'Doppelt', active: true, querys: everyItem, actions: [times] });
    await kontor.ask(api.saveRules, { params: { masterid: shop }, body: [double] });
    const channels = [{ id: shop, active: true, floor: 0, cap: null, share: 50 }];
    const body = StockSettings.parse({ field: 'bestand', channels });
    await kontor.ask(api.saveStockSettings, { params: { masterid }, body });
    await takeOrders(kontor, shop, [
      { orderid: 'B-1', lines: [{ sku: 'A-1', ordered: 3 }, { sku: 'A-2' }] },
      { orderid: 'B-2', lines: [{ sku: 'A-2' }] },
    ]);
    await expect
      .poll(
        async () => (await kontor.ask(api.stock, { params: { masterid } })).rows.map(({ available }) => available),
        {
          timeout: 15_000,
        },
      )
      .toEqual([17, 1]);
    return { masterid, shop, google };
  };
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it("an item's page shows its pictures, its values in each export, its stock and its orders", async () => {
    const { masterid, shop } = await wholeItem();
    const page = await stage.openPage();
    await signIn(page);
    await page.route('**/exports/values', (route) => route.abort(), { times: 1 });
    await visit(page, `/master/${masterid}/artikel/A-1`);
    const pictures = region(page, 'Bilder');
    await pictures.getByRole('img', { name: 'Bild 1 zu A-1' }).waitFor();
    await pictures.getByRole('button', { name: 'Bild 2 zeigen' }).click();
    await pictures.getByRole('img', { name: 'Bild 2 zu A-1' }).waitFor();

    const stock = region(page, 'Bestand');
    await stock.getByText('9\u00a0angeboten').or(stock.getByText('8\u00a0angeboten')).waitFor();
    const figures = async () => (await stock.locator('dl').innerText()).split(/\s+/);
    await expect.poll(figures).toEqual(['vorhanden', '20', 'reserviert', '3', 'verfügbar', '17']);
    await stock.getByText('„Laden“ erhält 50 % von 17').waitFor();
    const search = `/bestand?katalog=${masterid}&suche=A-1`;
    expect(await stock.getByRole('link', { name: 'Im Bestand ansehen' }).getAttribute('href')).toBe(search);

    const orders = region(page, 'Letzte Bestellungen');
    await expect.poll(() => orders.getByRole('listitem').count()).toBe(1);
    await orders.getByRole('listitem').filter({ hasText: '3 Stück' }).filter({ hasText: 'offen' }).waitFor();
    expect(await orders.getByRole('link', { name: 'B-1' }).getAttribute('href')).toBe(`/bestellungen/${shop}/B-1`);

    // A failed part says so in its own card, and can be loaded again.
    const exports = region(page, 'Exporte im Vergleich');
    await exports.scrollIntoViewIfNeeded();
    await exports.getByRole('button', { name: 'Erneut versuchen' }).click();
    const cells = (name: string) =>
      exports.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    const price = cells('preis').getByRole('cell').filter({ hasText: '19.80' });
    await price.getByText('geändert, Import: 9,90').waitFor();
    await cells('link')
      .getByText(/„.*“ ist leer/)
      .waitFor();
    const head = exports.getByRole('columnheader').filter({ hasText: 'Laden' });
    await expect.poll(() => head.innerText()).toBe('Laden\n1 geändert');
    await expectNoAxeFindingsInBoth(page);
    await exports.getByRole('checkbox', { name: /^Nur auffällige Felder/ }).check();
    await cells('titel').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await price.getByRole('link').click();
    await page.waitForURL(`**/artikel/A-1/erklaerung?export=${shop}&feld=preis`);
  });

  it("T10 an item's page shows fields that a file calls __proto__ and constructor", async () => {
    const odd = await masterWith(stage.kontor, 'sku;__proto__;constructor\nX-1;böse;ebenso\n', { key: 'sku' });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${odd}/artikel/X-1`);
    const valueOf = (name: string) => page.getByRole('row', { name }).getByRole('cell').first().innerText();
    await expect.poll(() => valueOf('__proto__')).toBe('böse');
    expect(await valueOf('constructor')).toBe('ebenso');
    expect(errorsOf(page)).toEqual([]);
  });

  it('a user without the right to orders sees neither stock nor orders of an item; an item without any says so', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    const reader = { name: 'Vera', email: 'vera@beispiel.de', password: 'langes-rotes-geheimwort' };
    await addMember(stage.kontor, { ...reader, role: 'viewer' });
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, `/master/${masterid}/artikel/A-1`);
    await region(page, 'Exporte im Vergleich').getByText('Der Katalog hat noch keinen Export.').waitFor();
    await region(page, 'Bilder').getByText('Dieser Artikel hat kein Bild.').waitFor();
    await expect.poll(() => region(page, 'Bestand').count()).toBe(0);
    await expect.poll(() => region(page, 'Letzte Bestellungen').count()).toBe(0);
    await signIn(page);
    await visit(page, `/master/${masterid}/artikel/A-1`);
    await region(page, 'Bestand').getByText('Der Bestand wird noch nicht berechnet.').waitFor();
    await region(page, 'Letzte Bestellungen').getByText('Dieser Artikel wurde noch nicht bestellt.').waitFor();
    const changed = 'sku;titel\nA-1;Hammer, geschmiedet\n';
    await importFile(stage.kontor, masterid, { name: 'neu.csv', bytes: changed }, { key: 'sku' });
    await visit(page, `/master/${masterid}/artikel/A-1`);
    const past = region(page, 'Verlauf der Werte');
    await past.getByText('Stand 2: geändert').waitFor();
    await past.getByText('Stand 1: ältester aufbewahrter Stand').waitFor();
    expect(await past.locator('ins').innerText()).toContain('geschmiedet');
    await expectNoAxeFindingsInBoth(page);
    expect(errorsOf(page)).toEqual([]);
  });

  it("ITE-06 a catalogue without items shows the server's text and a link to the import", async () => {
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    const page = await open(`/master/${masterid}/artikel`);
    await page.getByRole('heading', { level: 1, name: '0 Datensätze' }).waitFor();
    await page
      .getByRole('heading', { name: 'Dieser Katalog hat noch keine Artikel. Importieren Sie zuerst eine Datei.' })
      .waitFor();
    await page.getByRole('link', { name: 'Zum Import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import · Leer' }).waitFor();
  });

  it('ITE-06 a failure of the server to read items shows a red alert, is logged, and leaves no row', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n');
    for (const file of globSync(`**/${masterid}/**/*.parquet`, { cwd: stage.kontor.dataFolder })) {
      await rm(join(stage.kontor.dataFolder, file));
    }
    const page = await open(`/master/${masterid}/artikel`);
    await page.getByRole('alert').getByText('Fehler beim Laden').waitFor();
    await expect.poll(() => rows(page).count()).toBe(0);
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Laden'))).toBe(true);
  });

  it('300 columns: only the visible ones are drawn, and each is reached by scrolling', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `spalte_${index}`);
    const masterid = await masterWith(
      stage.kontor,
      [
        ['sku', ...names].join(';'),
        ...Array.from({ length: 60 }, (_, row) => [`A-${row}`, ...names.map((name) => `${row}/${name}`)].join(';')),
      ].join('\n'),
    );
    const page = await open(`/master/${masterid}/artikel?je=10`);
    const grid = page.getByRole('region', { name: 'Datensätze' });
    await expect.poll(() => grid.getByRole('columnheader').count()).toBeLessThan(60);
    await page.evaluate(`document.querySelector('section[aria-label="Datensätze"]').scrollTo({ left: 1e6 })`);
    await grid.getByText('0/spalte_299', { exact: true }).waitFor();
    await expect.poll(() => grid.getByRole('cell').count()).toBeLessThan(10 * 60);
    await expectNoAxeFindings(page);
  });
});
