import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { alive, errorsOf, expectNoAxeFindings, expectNoSidewaysScroll } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { offerMessage, undercutting } from '../../stages/repricer/offer-message.ts';
import { openPriceStage, type PriceStage } from '../../stages/repricer/price-stage.ts';
import { pickField } from '../../stages/feed/rule-page.ts';
import { rule as masterRule, set, when } from '../../stages/feed/rules.ts';

const DETAILS = '9 Bestellungen in 15 Minuten, seit der Preis von 15,00 € auf 9,00 € sank; üblich ist eine in 4 Tagen.';
/** Returns a text without no-break spaces, as a user would type it. */
const textOf = (part: Locator) => async () => (await part.innerText()).replaceAll('\u00a0', ' ');
const message = (n: number, offers: Record<string, number>) =>
  offerMessage(n, offers, { at: new Date(), id: randomIds.id(), box: 'K1' });

describe('prices on the screens', () => {
  let [folder, masterid, company] = ['', '', ''];
  let stage: PriceStage['stage'];
  let open: PriceStage['open'];
  let addAccount: PriceStage['addAccount'];
  let close: PriceStage['close'];
  beforeAll(async () => {
    ({ folder, masterid, company, stage, open, addAccount, close } = await openPriceStage(DETAILS));
  }, 240_000);
  afterAll(() => close());

  const newest = async (item: string) =>
    (await stage.kontor.ask(api.priceDecisions, { params: { masterid, itemid: item } }))[0];
  const offer = (n: number, offers: Record<string, number>) =>
    stage.kontor.ask(api.takeOffers, { params: { masterid }, body: [message(n, offers)] });
  const ruler = (page: Page) => page.getByRole('img', { name: /^Preise auf einer Skala/ });
  const expectScale = (page: Page, words: string) =>
    expect
      .poll(async () => (await ruler(page).getAttribute('aria-label'))?.replaceAll('\u00a0', ' '))
      .toBe(`Preise auf einer Skala: ${words}`);

  it('REP-19 the item card shows the price and its reason, and every decision with its whole arithmetic', async () => {
    await offer(0, { K1: 13, K2: 16, WIR: 15 });
    await expect.poll(async () => (await newest('A-0'))?.reason, { timeout: 20_000 }).toBe('COMPETE_LOWEST');
    const page = await open(`/master/${masterid}/artikel/A-0#preis`);
    await ruler(page).waitFor();
    const prices = 'Min 10,00 €; Wettbewerber, BuyBox 13,00 €; Standard 15,00 €; Ihr Preis 15,00 €; Max 20,00 €.';
    await expectScale(page, prices);
    const list = page.getByRole('list', { name: 'Entscheidungen, neueste zuerst' });
    await list.getByText('13,00 € − 0,00 € eigener Versand − 0,01 € Preisdifferenz = 12,99 €.').first().waitFor();
    await list.getByText('Ausgelassen, eigenes Angebot: WIR 15,00 €.').first().waitFor();
    await list.getByText('Der Preis wartet darauf, gesendet zu werden.').first().waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBeGreaterThan(0);
    await expectNoAxeFindings(page);
    const small = await open(`/master/${masterid}/artikel?artikel=A-0`, { width: 320, scheme: 'dark' });
    await small.getByText('Warum dieser Preis?').click();
    await ruler(small).waitFor();
    await expectNoAxeFindings(small);
    await expectNoSidewaysScroll(small);
    expect(errorsOf(small)).toEqual([]);
  });

  it('GEN-05 older decisions are asked for again after a failure', async () => {
    await offer(0, { K1: 13, K2: 16, WIR: 15 });
    await expect.poll(() => newest('A-0'), { timeout: 20_000 }).toBeDefined();
    const page = await open(`/master/${masterid}/artikel`);
    const first = Array.from({ length: 10 }, async (_, at) => ({ ...(await newest('A-0')), id: 20 - at }));
    const answers = [{ json: await Promise.all(first) }, { status: 502, body: 'weg' }, { json: [] }];
    await page.route('**/items/A-0/decisions?*', (route) => route.fulfill(answers.shift()));
    await page.goto(`/master/${masterid}/artikel/A-0`);
    await page.getByText('Warum dieser Preis?').click();
    const older = page.getByRole('button', { name: 'Ältere Entscheidungen' });
    await older.click();
    await page.getByRole('alert').getByText('Fehler beim Laden').waitFor();
    await older.click();
    await older.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('REP-19 the price scale shows current prices also before the first decision, with their age', async () => {
    const other = await masterWith(stage.kontor, 'sku;von;bis;normal\nC-1;10,00;20,00;15,00', { key: 'sku' });
    const params = { masterid: other };
    await stage.kontor.ask(api.setRepricerState, { params, body: { active: false } });
    const body = undercutting('Regel00009', 'Ruht', ['von', 'bis', 'normal']);
    await stage.kontor.ask(api.saveRepricerRule, { params: { masterid: other, ruleid: body.id }, body });
    const place = { ...(await addAccount('ruht', other)), item: 'C-1', sku: 'C1', asin: 'B900' };
    await stage.kontor.ask(api.saveListings, { params, body: [{ ...place, shipping: 300, price: 1600 }] });
    const page = await open(`/master/${other}/artikel/C-1#preis`);
    await page.getByText('Angebote anderer sind noch nicht bekannt.').waitFor();
    await expectScale(page, 'Min 10,00 €; Standard 15,00 €; Ihr Preis 16,00 €; Max 20,00 €.');
    await offer(900, { K1: 17, K2: 16 });
    await page.reload();
    await page.getByText(/^Angebote vom /).waitFor();
    await expectScale(
      page,
      'Min 10,00 €; Wettbewerber 13,00 €; BuyBox 14,00 €; Standard 15,00 €; Ihr Preis 16,00 €; Max 20,00 €.',
    );
    await page.getByText('Für diesen Artikel wurde noch kein Preis entschieden.').waitFor();
    await expectNoAxeFindings(page);
  });

  it('REP-19 a rule is simulated before it is saved: counts by reason, old and new price, margin, items', async () => {
    await offer(1, { K1: 13 });
    const page = await open(`/repricer/${masterid}`);
    const section = page.getByRole('region', { name: 'Simulation' });
    const editor = page.getByRole('region', { name: 'Repricing-Regel bearbeiten' });
    const difference = page.getByLabel('Preisdifferenz', { exact: true });
    await difference.selectOption('0.50');
    await editor.getByText('Diese Fassung wurde noch nicht simuliert.').waitFor();
    await pickField(section.getByRole('combobox', { name: 'Feld mit dem Einkaufspreis' }), 'ek');
    await editor.getByRole('button', { name: 'Jetzt simulieren' }).click();
    await section.getByText('Von 40\u00a0Artikeln', { exact: true }).waitFor();
    await editor.getByText(/^Diese Fassung hat .* simuliert\.$/).waitFor();
    const row = (item: string) => section.getByRole('row', { name: new RegExp(`^${item} `) });
    const figures =
      /15,00 €\s+12,50 €\s+−2,50 € \(−16,7 %\)\s+Günstigster Wettbewerber[^]*−3,00 €\s+−20 %\s+−5,50 €\s+−44 %/;
    await expect.poll(textOf(row('A-1'))).toMatch(figures);
    await expect.poll(() => section.getByRole('row').nth(1).getByRole('link').innerText()).toBe('A-1');
    await expect.poll(textOf(section.getByLabel('Marge', { exact: true }))).toMatch(/mit dieser Regel/);
    await section.getByText('Gehalten', { exact: true }).click();
    await row('A-1').waitFor({ state: 'detached' });
    await section.getByRole('button', { name: /^Preisgrenze fehlt oder ist nicht lesbar 1/ }).click();
    await section.getByText('Nur Preisgrenze fehlt').waitFor();
    await expect.poll(() => section.getByRole('row').count()).toBe(2);
    await row('A-39').getByText('kein Preis').waitFor();
    await section.getByRole('button', { name: 'Alle Gründe zeigen' }).click();
    await section.getByText('Alle', { exact: true }).click();
    await section.getByRole('button', { name: 'Nächste Seite' }).click();
    await section.getByText('26–40 von 40 Artikeln').waitFor();
    await section.getByText(/^Durchgerechnet am /).waitFor();
    await stage.kontor.ask(api.saveMasterRules, { params: { masterid }, body: [] });
    await section.getByRole('button', { name: 'Vorige Seite' }).click();
    await section.getByText(/nicht mehr vorrätig: neu durchgerechnet/).waitFor();
    await expectNoAxeFindings(page);
    await difference.selectOption('0.40');
    await section.getByText('Sie haben die Regel seither geändert.').waitFor();

    const path = `**/api/repricer/${masterid}/simulate`;
    await page.route(path, () => {});
    await section.getByRole('button', { name: 'Simulieren' }).click();
    await section.getByText('Die Regel wird durchgerechnet').waitFor();
    await section.getByRole('button', { name: 'Abbrechen' }).click();
    await section.getByRole('button', { name: 'Simulieren' }).waitFor();
    await page.unroute(path);
    await page.route(path, (route) => route.abort());
    await section.getByRole('button', { name: 'Simulieren' }).click();
    await section.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
  });

  it('REP-19 past days are replayed; choices and result persist over a reload', async () => {
    await offer(1, { K1: 13 });
    await expect.poll(async () => (await newest('A-1'))?.price_cents, { timeout: 20_000 }).toBe(1299);
    const page = await open(`/repricer/${masterid}`, { scheme: 'dark' });
    const section = page.getByRole('region', { name: 'Simulation' });
    await section.getByText('Verlauf', { exact: true }).click();
    await section.getByLabel('Zeitraum').selectOption('30');
    const cost = section.getByRole('combobox', { name: 'Feld mit dem Einkaufspreis' });
    await pickField(cost, 'ek');
    const difference = page.getByLabel('Preisdifferenz', { exact: true });
    await difference.selectOption('0.30');
    await section.getByRole('button', { name: 'Simulieren' }).click();
    const first = section.getByRole('row', { name: /^A-1 / }).first();
    await expect.poll(textOf(first)).toMatch(/12,99 €\s+12,70 €\s+−0,29 €/);
    await expect.poll(() => first.getByRole('link').getAttribute('href')).toBe(`/master/${masterid}/artikel/A-1#preis`);
    await section.getByText('Wird teurer', { exact: true }).click();
    await section.getByText('So ein Preis ist nicht dabei.').waitFor();
    await expectNoAxeFindings(page);
    await page.reload();
    await alive(page);
    await page.getByText('Diese Fassung wurde noch nicht simuliert.').waitFor();
    await expect.poll(() => section.getByLabel('Zeitraum').inputValue()).toBe('30');
    await expect.poll(() => cost.inputValue()).toBe('ek');
    await difference.selectOption('0.30');
    await page.getByText(/^Diese Fassung hat .* simuliert\.$/).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('REP-19 REP-03 REP-18 T26 a change of limits of more than 100 offers is confirmed: save, order, deletion, older state', async () => {
    const { kontor } = stage;
    const rows = Array.from({ length: 101 }, (_, n) => `B-${n};10,00;${n === 7 ? '1,00' : '6,00'};20,00;15,00`);
    const many = await masterWith(kontor, ['sku;von;tief;bis;normal', ...rows].join('\n'), { key: 'sku' });
    const params = { masterid: many };
    const own = { ...(await addAccount('viele', many, 'M2')), shipping: 0, price: 1500 };
    await kontor.ask(api.saveListings, {
      params,
      body: rows.map((_, n) => ({ ...own, item: `B-${n}`, sku: `T${n}`, asin: `C${n}` })),
    });
    const body = undercutting('Regel00001', 'Viele', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: body.id }, body });
    const page = await open(`/repricer/${many}`, { scheme: 'dark' });
    const minimum = async () => (await kontor.ask(api.repricerRules, { params }))[body.id]?.action.min_price.value;
    const save = () => page.getByRole('button', { name: 'Regel speichern', exact: true }).click();
    const choose = (limit: string, name: string) =>
      pickField(page.getByRole('combobox', { name: limit, exact: true }), name);
    await choose('Maximalpreis', 'tief');
    const crossed = page.getByText('Bei 101 von 101 Ihrer Angebote liegt der Mindestpreis über dem Maximalpreis');
    await crossed.waitFor();
    await choose('Maximalpreis', 'bis');
    await choose('Mindestpreis', 'tief');
    await save();
    const dialog = page.getByRole('dialog', { name: 'Preisgrenzen von 101 Angeboten ändern?' });
    await dialog.getByText('Mindestpreis sinkt bei 101, davon bei 1 um mehr als die Hälfte.').waitFor();
    await dialog.getByText('Am stärksten fällt der Mindestpreis von Artikel B-7: von 10,00 € auf 1,00 €.').waitFor();
    await page.evaluate('window.scrollTo(0, 0)');
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
    expect(await minimum()).toBe('von');
    await page.getByRole('main').getByRole('link', { name: 'Verlauf' }).click();
    const guard = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await guard.getByRole('button', { name: 'Speichern' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await guard.waitFor({ state: 'detached' });
    expect(await minimum()).toBe('von');
    await save();
    await dialog.getByRole('button', { name: 'Trotzdem speichern' }).click();
    await expect.poll(minimum).toBe('tief');

    // Sorting, deleting and restoring make another rule price the same offers.
    const second = undercutting('Regel00002', 'Zweite', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: second.id }, body: second });
    const order = async () => (await kontor.ask(api.repricerState, { params })).order;
    /** Does it, cancels, does it again and confirms; only the second answer changes what is stored. */
    const twice = async (act: () => Promise<void>, confirm: string, sentence: string, wanted: string[]) => {
      const before = await order();
      await act();
      await dialog.getByText(sentence).waitFor();
      await dialog.getByRole('button', { name: 'Abbrechen' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await order()).toEqual(before);
      await page.locator('main :focus').waitFor();
      await act();
      await dialog.getByRole('button', { name: confirm }).click();
      await expect.poll(order).toEqual(wanted);
    };
    await page.reload();
    await alive(page);
    await twice(
      () => page.getByRole('button', { name: 'Regel 2 „Zweite“ verschieben' }).press('Alt+ArrowUp'),
      'Trotzdem sortieren',
      'Mindestpreis steigt bei 101.',
      [second.id, body.id],
    );
    await page.getByRole('link', { name: /Zweite/ }).click();
    const remove = async () => {
      await page.getByRole('button', { name: 'Regel löschen' }).click();
      await page.getByRole('button', { name: 'Löschen', exact: true }).click();
    };
    await twice(remove, 'Trotzdem löschen', 'Mindestpreis sinkt bei 101', [body.id]);
    await page.getByRole('main').getByRole('link', { name: 'Verlauf' }).click();
    const bringBack = async () => {
      await page.getByRole('button', { name: 'Repricing-Regel „Zweite“ zurückholen' }).click();
      await page.getByRole('button', { name: 'Zurückholen', exact: true }).click();
    };
    await twice(bringBack, 'Trotzdem wiederherstellen', 'Mindestpreis steigt bei 101.', [second.id, body.id]);
    // The server asks for confirmation each time; the page confirms the shown number of offers without asking the user twice.
    expect(errorsOf(page)).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('status of 409')));
  });

  it('REP-19 price fields that cannot be computed are shown with advice, until they are ready', async () => {
    const { kontor } = stage;
    const csv = 'sku;ek;bis;normal\nD-1;9,00;20,00;15,00';
    const params = { masterid: await masterWith(kontor, csv, { key: 'sku' }) };
    const blocked = storagePathsIn(join(folder, 'items')).materialisedFolder(company, params.masterid);
    await mkdir(dirname(blocked), { recursive: true });
    await writeFile(blocked, '');
    const floor = (name: string) =>
      kontor.ask(api.saveMasterRules, {
        params,
        body: [masterRule(name, [when('@ALL@')], [set('mindest', '11.70')])],
      });
    await floor('Mindest');
    const body = undercutting('Regel00001', 'Wartet', ['mindest', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: body.id }, body });
    const own = { ...(await addAccount('wartet', params.masterid)), item: 'D-1', sku: 'D1', asin: 'B901', price: 1500 };
    await kontor.ask(api.saveListings, { params, body: [own] });
    const kind = async () => (await kontor.ask(api.repricerState, { params })).fields.kind;
    await kontor.ask(api.setRepricerState, { params, body: {} });
    await expect.poll(kind, { timeout: 20_000 }).toBe('failed');
    const page = await open(`/repricer/${params.masterid}`, { scheme: 'dark', width: 320 });
    const notice = page.getByRole('alert').filter({ hasText: 'Preisfelder ließen sich nicht berechnen' });
    await notice.getByText(/das nächste Mal am \d/).waitFor();
    await page.getByText('Preisfelder fehlen: es wird kein Preis geändert').waitFor();
    const way = notice.getByRole('link', { name: 'Regeln des Katalogs prüfen' });
    await expect.poll(() => way.getAttribute('href')).toBe(`/master/${params.masterid}/regeln`);
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    await rm(blocked);
    await floor('Mindestens');
    await expect.poll(kind, { timeout: 60_000 }).toBe('ready');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await notice.waitFor({ state: 'detached' });
    await page.getByText('Aktiv: Preise werden gesendet').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });
});
