import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { errorsOf, expectNoAxeFindings, expectNoSidewaysScroll, visit } from '../../stages/browser.ts';
import { offerMessage, undercutting } from '../../stages/repricer/offer-message.ts';
import { mostLines, openPriceStage, type PriceStage } from '../../stages/repricer/price-stage.ts';

const DETAILS = '9 Bestellungen in 15 Minuten, seit der Preis von 15,00 € auf 9,00 € sank; üblich ist eine in 4 Tagen.';
/** Returns a text without no-break spaces, as a user would type it. */
const textOf = (part: Locator) => async () => (await part.innerText()).replaceAll('\u00a0', ' ');
const message = (n: number, offers: Record<string, number>) =>
  offerMessage(n, offers, { at: new Date(), id: randomIds.id(), box: 'K1' });

describe('prices that wait for a release', () => {
  let [masterid, halved] = ['', ''];
  let stage: PriceStage['stage'];
  let open: PriceStage['open'];
  let addAccount: PriceStage['addAccount'];
  let close: PriceStage['close'];
  beforeAll(async () => {
    ({ masterid, halved, stage, open, addAccount, close } = await openPriceStage(DETAILS));
  }, 240_000);
  afterAll(() => close());

  const offer = (n: number, offers: Record<string, number>) =>
    stage.kontor.ask(api.takeOffers, { params: { masterid }, body: [message(n, offers)] });

  it('REP-02 dry run, emergency stop of the catalogue and of the company; the page says that nothing is sent', async () => {
    const page = await open(`/repricer/${masterid}`, { scheme: 'dark' });
    const says = (text: string) => page.getByRole('region', { name: 'Senden' }).getByText(text, { exact: true });
    const state = () => stage.kontor.ask(api.repricerState, { params: { masterid } });
    await says('Aktiv: Preise werden gesendet').waitFor();
    await page.getByRole('switch', { name: 'Probelauf' }).click();
    await says('Probelauf: es wird nichts gesendet').waitFor();
    expect(await state()).toMatchObject({ dry_run: true });
    await page.getByRole('button', { name: 'Notaus', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Anhalten' }).click();
    await says('Notaus: es wird nichts gesendet').waitFor();
    await page.getByRole('button', { name: 'Mehr' }).click();
    await page.getByRole('menuitem', { name: 'Notaus für die ganze Firma …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alle Preise der ganzen Firma anhalten?' });
    await dialog.getByRole('button', { name: 'Anhalten' }).click();
    await dialog.getByText('Bitte nennen Sie einen Grund.').waitFor();
    await expectNoAxeFindings(page);
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Falsche Einkaufspreise');
    await dialog.getByRole('button', { name: 'Anhalten' }).click();
    await says('Notaus der Firma: es wird nichts gesendet').waitFor();
    expect(await state()).toMatchObject({ stopped: true, company_stopped: true });
    await page.getByRole('button', { name: 'Notaus der Firma aufheben' }).click();
    await page.getByRole('button', { name: 'Notaus aufheben' }).click();
    await page.getByRole('switch', { name: 'Probelauf' }).click();
    await says('Aktiv: Preise werden gesendet').waitFor();
    expect(await state()).toMatchObject({ stopped: false, company_stopped: false, dry_run: false });
    expect(errorsOf(page)).toEqual([]);
  });

  it('REP-19 items held by a sales alarm are shown with details, link to their prices, and are released with a reason', async () => {
    const page = await open(`/repricer/${masterid}`, { scheme: 'dark' });
    const alarm = page.getByRole('alert').filter({ hasText: 'Verkaufsalarm: 2\u00a0Artikel angehalten' });
    await alarm.getByText(DETAILS).first().waitFor();
    await expectNoAxeFindings(page);
    await alarm.locator(`a[href="/master/${masterid}/artikel/A-38#preis"]`).getByText('A-38').waitFor();
    await alarm.getByRole('button', { name: 'Artikel A-38 freigeben' }).click();
    const dialog = page.getByRole('dialog', { name: 'Artikel A-38 freigeben?' });
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Aktionspreis, stimmt');
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Freigeben' }).click();
    await page.getByText('Verkaufsalarm: 1\u00a0Artikel angehalten').waitFor();
    await page.getByRole('list', { name: 'Angehaltene Artikel' }).and(page.locator(':focus')).waitFor();
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    expect(await mostLines(page, 'li time')).toBe(1);
    await page.getByRole('button', { name: 'Artikel A-37 freigeben' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Grund' }).fill('Stimmt');
    await page.getByRole('dialog').getByRole('button', { name: 'Freigeben' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    const params = { subject: 'releases' as const, scope: `master:${masterid}` };
    const [last] = await stage.kontor.ask(api.revisions, { params });
    expect(last?.changes).toEqual(['Verkaufsalarm freigegeben: Artikel A-37. Begründung: Stimmt']);
  });

  it('REP-19 T26 offers waiting for a review of strongly moved limits are shown with old and new limits, and confirmed', async () => {
    const { kontor } = stage;
    const params = { masterid: halved };
    const body = undercutting('Regel00001', 'Halbiert', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: body.id }, body });
    const listing = { item: 'E-1', sku: 'E1', asin: 'B902', shipping: 0, price: 2500 };
    const own = { ...(await addAccount('halbiert', halved)), ...listing };
    await kontor.ask(api.saveListings, { params, body: [own] });
    await offer(902, { K1: 14 });
    const moved = async () => (await kontor.ask(api.repricerState, { params })).moved_limits?.items;
    await expect.poll(moved, { timeout: 20_000 }).toBe(1);
    const page = await open(`/repricer/${halved}`);
    const notice = page.getByRole('status').filter({ hasText: '1\u00a0Angebot wartet auf Ihre Prüfung' });
    const row = notice.getByRole('row', { name: /^E-1/ });
    await expect.poll(textOf(row)).toMatch(/24,00 € → 10,00 €\s+40,00 € → 20,00 €/);
    await expectNoAxeFindings(page);
    await notice.getByRole('button', { name: 'Geprüft: neue Grenzen gelten' }).click();
    const dialog = page.getByRole('dialog', { name: 'Geänderte Preisgrenzen bestätigen?' });
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Neue Einkaufspreise');
    // Meanwhile the bounds change again: nobody has reviewed those.
    await kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: body.id }, body });
    await dialog.getByRole('button', { name: 'Neue Grenzen gelten' }).click();
    await dialog.getByText('Die Grenzen haben sich inzwischen noch einmal geändert.').waitFor();
    await expect.poll(moved, { timeout: 20_000 }).toBe(1);
    await page.reload();
    await notice.getByRole('button', { name: 'Geprüft: neue Grenzen gelten' }).click();
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Neue Einkaufspreise');
    await dialog.getByRole('button', { name: 'Neue Grenzen gelten' }).click();
    await notice.waitFor({ state: 'detached' });
    await visit(page, `/verlauf/releases/master:${halved}`);
    await page.getByText('Stark geänderte Preisgrenzen bestätigt. Begründung: Neue Einkaufspreise').waitFor();
    expect(errorsOf(page).filter((text) => !/409|noch einmal geändert/.test(text))).toEqual([]);
  });

  it('REP-19 a breaker that tripped is shown with what tripped it, and released with a reason', async () => {
    await stage.kontor.ask(api.takeOffers, {
      params: { masterid },
      body: Array.from({ length: 36 }, (_, n) => message(n + 2, { K1: 12 })),
    });
    const state = () => stage.kontor.ask(api.repricerState, { params: { masterid } });
    await expect.poll(async () => (await state()).breakers.length, { timeout: 30_000 }).toBe(1);
    const tripped = (await state()).breakers[0]?.id;
    const page = await open(`/repricer/${masterid}`);
    const alarm = page.getByRole('alert').filter({ hasText: 'eine Sicherung hat ausgelöst' });
    await alarm.getByText(/von 40 Artikeln änderten sich in 60 Minuten um mehr als 10 %/).waitFor();
    await page.getByText('Sicherung ausgelöst: es wird nichts gesendet').waitFor();
    await expectNoAxeFindings(page);
    await alarm.getByRole('button', { name: 'Freigeben' }).click();
    const dialog = page.getByRole('dialog', { name: 'Preise wieder freigeben?' });
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Stichprobe geprüft');
    await dialog.getByRole('button', { name: 'Freigeben' }).click();
    await dialog.waitFor({ state: 'detached' });
    // The prices are decided anew at once, so another breaker may trip right after.
    expect((await state()).breakers.map(({ id }) => id)).not.toContain(tripped);
  });
});
