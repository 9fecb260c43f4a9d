import type { Page } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import { reasonCodes } from '#shared/repricer/decision.ts';
import { addDays, berlinDay } from '#client/ui/text/days.ts';
import { openStage } from '../browser.ts';
import { masterWith } from '../kontor.ts';
import { undercutting } from './offer-message.ts';
import { insertRepricerFigures } from './repricer-figures.ts';

export const longName = 'Haushaltswarengroßhandelsgesellschaft '.repeat(6).slice(0, 200);

/** Opens a stage whose company has figures of every kind on the repricer's dashboard, and returns the address of that. */
export async function openDashboardStage() {
  const today = berlinDay(new Date());
  const ago = (days: number) => addDays(today, -days);
  const stage = await openStage();
  const { kontor } = stage;
  const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
  const address = `/repricer/${masterid}/dashboard`;
  const seller = { name: 'Amazon DE', sellerId: 'A3WIR', masterid, marketplace: 'A1PA6795UKMFR9' as const };
  const account = (await kontor.ask(api.createMarketplaceAccount, { body: seller })).id;
  const french = { ...seller, name: 'Amazon FR', sellerId: 'A9AUCH', marketplace: 'A13V1IB3VIYZZH' as const };
  await kontor.ask(api.createMarketplaceAccount, { body: french });
  const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
  const excluded = [{ name: longName, value: 'K0' }];
  const body = { ...rule, active: false, action: { ...rule.action, exclude_sellers: excluded } };
  await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body });
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await insertRepricerFigures(kontor, {
    masterid,
    account,
    seller: 'A3WIR',
    counters: [
      { day: today, kind: 'COMPETE_LOWEST', n: 1200 },
      { day: ago(1), kind: 'COMPETE_LOWEST', n: 40 },
      { day: ago(2), kind: 'BELOW_MIN_TO_MIN', n: 7 },
      { day: today, kind: 'held:TOO_SOON', n: 3 },
      // All known reasons, and many that this program does not know: forty lines.
      ...Array.from({ length: 40 }, (_, n) => ({
        day: ago(200),
        kind: reasonCodes[n] ?? `NEUER_GRUND_${n}`,
        n: n + 1,
      })),
    ],
    hours: Array.from({ length: 48 }, (_, n) => ({
      hour: new Date(hour - (48 - n) * 3_600_000),
      rank_1: 20 + (n % 5),
      rank_2: 10,
      rank_3: 4,
      box: 18 + (n % 7),
      observed: 30,
      observed_box: 18,
    })),
    offers: [
      ...Array.from({ length: 20 }, (_, n) => ({ item: `E-${n}`, rank: 1, box: n < 15 })),
      ...Array.from({ length: 6 }, (_, n) => ({ item: `Z-${n}`, rank: 2, box: n < 2 })),
      { item: 'O-1', rank: null, box: false },
      {
        item: 'V-1',
        rank: 3,
        box: false,
        rivals: Array.from({ length: 5000 }, (_, n): [string, boolean] => [`K${n}`, n < 2]),
      },
      {
        item: 'V-2',
        rank: 3,
        box: false,
        rivals: [
          ['K0', true],
          ['K4711', false],
        ],
      },
    ],
  });
  return { stage, address };
}

/** Waits until the figures and their chart are shown. */
export async function loaded(page: Page): Promise<void> {
  await page.getByText('Lade Daten...').waitFor({ state: 'hidden' });
  await page.locator('canvas').first().waitFor();
}

/** Returns the texts of the cells in the row of this name. */
export async function cellsOf(page: Page, name: string): Promise<string[]> {
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    .first();
  return (await row.getByRole('cell').allInnerTexts()).map((text) => text.trim());
}
