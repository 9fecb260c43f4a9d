import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { importFile, masterWith } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';
import { pictureShop } from '../../stages/feed/picture-shop.ts';

describe('the page of an item', () => {
  let stage: Stage;
  let pictures: Awaited<ReturnType<typeof pictureShop>>;
  beforeAll(async () => {
    stage = await openStage();
    pictures = await pictureShop();
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    pictures.close();
  });

  it('the item of the same number in another catalogue shows its own cards', async () => {
    const made = async (name: string) => {
      const masterid = await masterWith(stage.kontor, `sku;titel\nGLEICH-1;${name}\n`, { key: 'sku' });
      await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: `Export ${name}` } });
      return masterid;
    };
    const [first, second] = [await made('Erster'), await made('Zweiter')];
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${first}/artikel/GLEICH-1`);
    await page.getByRole('link', { name: 'Exporte', exact: true }).click();
    const exports = page.getByRole('region', { name: 'Exporte im Vergleich' });
    await exports.getByText('Export Erster').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Seiten, Regeln, Exporte und Artikel suchen' }).fill('Zweiter');
    await page.getByRole('option', { name: /^Zweiter/ }).click();
    await page.waitForURL(`**/master/${second}/artikel/GLEICH-1`);
    await exports.getByText('Export Zweiter').first().waitFor();
    expect(await exports.getByText('Export Erster').count()).toBe(0);
  });

  const wholeItem = async () => {
    const { kontor } = stage;
    const csv = `sku;titel;preis;bestand;bild\nA-1;Hammer;9,90;20;${pictures.url}/1.jpg, ${pictures.url}/2.jpg\nA-2;Säge;5,00;3;\n`;
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
});
