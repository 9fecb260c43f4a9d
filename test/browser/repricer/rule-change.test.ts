import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addDays, berlinDay } from '#client/ui/text/days.ts';
import {
  errorsOf,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  type Stage,
  openPage,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { insertOrderDays } from '../../stages/orders/order-days.ts';
import { insertRepricerFigures } from '../../stages/repricer/repricer-figures.ts';

const today = berlinDay(new Date());
const noon = (daysAgo: number) => new Date(`${addDays(today, -daysAgo)}T11:00:00Z`);

describe('the effect of a change of a repricing rule', () => {
  let stage: Stage;
  let masterid: string;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10;20;15\n', { key: 'sku' });
    const seller = { name: 'Amazon DE', sellerId: 'A3WIR', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    const account = (await kontor.ask(api.createMarketplaceAccount, { body: seller })).id;
    for (const name of ['<b>Alt</b>', '<b>Neu</b>']) {
      const rule = undercutting('Regel00001', name, ['von', 'bis', 'normal']);
      await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
    }
    await kontor.database.system((trx) =>
      trx
        .updateTable('documents')
        .set({ created_at: noon(4) })
        .where('subject', '=', 'repricer')
        .execute(),
    );
    await insertRepricerFigures(kontor, {
      masterid,
      account,
      seller: 'A3WIR',
      hours: Array.from({ length: 8 }, (_, n) => ({
        hour: noon(8 - n),
        rank_1: 4,
        rank_2: 2,
        rank_3: 1,
        box: 2,
        observed: 10,
        observed_box: n < 4 ? 2 : 7,
      })),
    });
    await insertOrderDays(
      kontor,
      [6, 2].map((ago) => ({
        day: addDays(today, -ago),
        channel: account,
        pieces: 10 - ago,
        revenue_cents: 5000,
        orders: 1,
      })),
    );
  });
  afterAll(() => stage.close());

  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);

  it('is linked from the history and compares equal spans, with orders and caveats', async () => {
    const page = await open(`/verlauf/repricer/master:${masterid}`);
    await page.getByRole('link', { name: 'Wirkung von Stand 2: davor und danach' }).click();
    await page.getByRole('heading', { name: 'Davor und danach · Stand 2' }).waitFor();
    const row = (name: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name }) })
        .getByRole('cell')
        .allInnerTexts();
    expect(await row('Zeitanteil der BuyBox')).toEqual(
      ['20 %', '70 %', '+50 Punkte'].map((text) => text.replaceAll(' ', '\u00a0')),
    );
    expect(await row('Menge')).toEqual(['4', '8', '+4']);
    await page.getByText('Ein Vergleich, kein Beweis').waitFor();
    await page.getByText(/^Verglichen werden 3.volle Tage statt 7/).waitFor();
    await page.getByText('kaum Aufzeichnungen').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('link', { name: '3 Tage' }).click();
    await page.getByText(/^Verglichen werden 3.volle Tage statt 7/).waitFor({ state: 'detached' });
    expect(errorsOf(page)).toEqual([]);
  });

  it('is marked in the history of ranks, with a link to the comparison, and fits a narrow screen', async () => {
    const page = await open(`/repricer/${masterid}/dashboard?tab=raenge`, { width: 320 });
    await page.locator('canvas').first().waitFor();
    const chart = page.getByRole('application', { name: /^Angebote auf den Rängen/ });
    await page.getByRole('list', { name: 'Regeländerungen im Zeitraum' }).waitFor();
    await chart.focus();
    await chart.press('n');
    await page.getByRole('status').filter({ hasText: 'Regeländerung: Stand' }).waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.getByRole('link', { name: 'Wirkung von Stand 2' }).click();
    await page.getByRole('heading', { name: 'Vergleich', exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
    expect(errorsOf(page)).toEqual([]);
  });
});
