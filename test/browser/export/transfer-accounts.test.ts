import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';
import { systemClock } from '#platform/clock.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../../../seed/random.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';

describe('updating accounts and their results', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const grid = (page: Page) => page.getByRole('region', { name: 'Datensätze' });

  it('LIV-02 LIV-04 TRA-01 TRA-02 an account is updated from its page or the overview; refusals link to the reason; REP-19 good prices return', async () => {
    const place = { marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR' };
    const credentials = { clientId: 'a', clientSecret: 'b', refreshToken: 'c' };
    const cents = { cents: 1600, maxCents: 9000 };
    const sandbox = await startSandbox({
      place: { ...place, currency: 'EUR' },
      credentials,
      items: [0, 1, 2].map((n) => ({ sku: `S${n}`, asin: `B${n}`, minCents: n === 2 ? 5000 : 100, ...cents })),
      clock: systemClock,
      chance: seeded(1),
      rateFactor: 20,
    });
    onTestFinished(() => sandbox.close());
    const { kontor } = stage;
    const masterid = await masterWith(
      kontor,
      ['sku;titel;von;bis;normal', ...[0, 1, 2].map((n) => `A-${n};Ware ${n};10,00;20,00;15,00`)].join('\n'),
      { key: 'sku' },
    );
    const addresses = { apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl };
    const { id } = await kontor.ask(api.createMarketplaceAccount, {
      body: { ...place, settings: { ...credentials, ...addresses }, masterid, name: 'Amazon.de', active: true },
    });
    const params = { masterid };
    const listing = { marketplace: place.marketplace, account: id, shipping: 0, price: 1600 };
    await kontor.ask(api.saveListings, {
      params,
      body: [0, 1, 2].map((n) => ({ ...listing, item: `A-${n}`, sku: `S${n}`, asin: `B${n}` })),
    });
    const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/einstellungen/kanaele');
    await page.getByRole('link', { name: 'Übertragung der Preise Amazon.de' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übertragung · Amazon.de' }).waitFor();
    await kontor.ask(api.updateChannel, { params: { channel: id } });
    await page.getByText(/Letzter Abgleich vom/).waitFor({ timeout: 15_000 });
    await page.getByRole('button', { name: 'Jetzt abgleichen' }).click();
    await page.getByRole('region', { name: 'Preisabgleich läuft' }).waitFor();
    await page.getByText(/Letzter Abgleich vom .*3 eigene Angebote nachgesehen, 3 Preise entschieden/).waitFor();
    await page.getByText('3 eigene Angebote · Regeln im Repricer').waitFor();
    await page.getByRole('tab', { name: 'Fehlerhaft' }).click();
    // Until then the previous view is shown.
    await page.getByText('1–1 von 1 Datensatz').waitFor();
    await grid(page)
      .getByText(/Amazon lehnt den Preis ab/)
      .waitFor();
    await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
    const counters = await page.getByLabel('Zähler').innerText();
    expect(counters.replaceAll(/\s+/g, ' ')).toBe('Gesendet 3 Angenommen 2 Abgelehnt 1');
    await expectNoAxeFindings(page);
    await page.getByRole('link', { name: 'Warum dieser Preis? (A-2)' }).click();
    await page.getByRole('list', { name: 'Entscheidungen, neueste zuerst' }).getByText('abgelehnt').first().waitFor();
    await page.getByRole('link', { name: 'Übersicht' }).click();
    const update = page.getByRole('button', { name: 'Amazon.de: update' });
    await update.waitFor();
    await update.click();
    await page.getByRole('banner').getByText('Amazon.de: Beendet').waitFor();
    await visit(page, `/repricer/${masterid}`);
    await page.getByRole('button', { name: 'Mehr' }).click();
    await page.getByRole('menuitem', { name: 'Letzte gute Preise wiederherstellen …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Letzte gute Preise wiederherstellen?' });
    await dialog.getByText('2 Preise ändern sich').waitFor();
    const moment = dialog.getByRole('textbox', { name: 'Zeitpunkt, vor dem die Preise gut waren' });
    const anHourAgo = await moment.inputValue();
    await moment.fill('31.12.2999, 12:00');
    await dialog.getByRole('alert').getByText('Der Zeitpunkt liegt in der Zukunft.').waitFor();
    await moment.fill('gestern');
    await dialog.getByText('Bitte Tag und Uhrzeit so angeben').waitFor();
    await moment.fill(anHourAgo);
    await dialog.getByText('2 Preise ändern sich').waitFor();
    await dialog.getByRole('row', { name: /A-0 .*16,00/ }).waitFor();
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Wiederherstellen' }).click();
    await dialog.getByText('Bitte nennen Sie einen Grund.').waitFor();
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Regel unterbot falsch');
    await dialog.getByRole('button', { name: 'Wiederherstellen' }).click();
    await page.getByText(/hält sie: Regel unterbot falsch/).waitFor();
    await page.getByText('Letzte gute Preise werden wiederhergestellt und gehalten: die Regeln ruhen').waitFor();
    await expectNoAxeFindings(page);
    const newest = async () =>
      (await kontor.ask(api.priceDecisions, { params: { masterid, itemid: 'A-0' } }))[0]?.reason;
    await expect.poll(newest).toBe('RESTORED');
    await page.getByRole('button', { name: 'Beenden: Regeln entscheiden wieder' }).click();
    await page.getByText('Aktiv: Preise werden gesendet').waitFor();
    // Only the refusal of a time in the future is logged.
    expect(errorsOf(page).filter((line) => !/422|Zukunft/.test(line))).toEqual([]);
  });
});
