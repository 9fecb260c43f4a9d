import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addDays, berlinDay } from '#client/ui/text/days.ts';
import { alive, openPage, openStage, type Stage } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { insertOrderDays } from '../../stages/orders/order-days.ts';

describe('the ranges of the statistic', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop' } });
    const today = berlinDay(new Date());
    await insertOrderDays(kontor, [
      { day: today, channel: id, pieces: 1, revenue_cents: 1000, orders: 1 },
      { day: addDays(today, -1), channel: id, pieces: 4, revenue_cents: 4000, orders: 4 },
    ]);
  }, 180_000);
  afterAll(() => stage.close());

  /** The page in a browser whose clock stands still: pages share it, so each test sets it. */
  const openAt = async (time: Date) => {
    const page = await openPage(stage, '/bestellungen/auswertung');
    await page.clock.setFixedTime(time);
    await page.reload();
    await alive(page);
    return page;
  };
  const opener = (page: Page) => page.getByRole('button', { name: /Zeitraum wählen/ });
  const choose = async (page: Page, label: string) => {
    await opener(page).click();
    await page.getByRole('list', { name: 'Zeiträume' }).getByRole('button', { name: label, exact: true }).click();
  };

  // On the last of such a month, it is the last 30 days; on the first, it is today.
  it.each(['30', '01', '15'])(
    'ORD-01 on day %s of a month of thirty, the chosen preset keeps its name, also after a reload',
    async (day) => {
      const page = await openAt(new Date(`2026-09-${day}T10:00:00Z`));
      for (const label of ['Dieser Monat', 'Letzte 30 Tage', 'Heute', 'Dieser Monat']) {
        await choose(page, label);
        await expect.poll(() => opener(page).innerText()).toContain(`${label}: `);
      }
      await page.reload();
      await expect.poll(() => opener(page).innerText()).toContain('Dieser Monat: ');
    },
  );

  it('a page that stays open past midnight calls the chosen day yesterday, and compares it', async () => {
    const page = await openAt(new Date('2026-09-14T10:00:00Z'));
    await choose(page, 'Heute');
    await expect.poll(() => opener(page).innerText()).toContain('Heute: ');
    await page.clock.setFixedTime('2026-09-15T10:00:00Z');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => opener(page).innerText()).toContain('Gestern: ');
    await page.getByText(/^Verglichen mit dem Zeitraum davor: /).waitFor();
  });

  it('today is not compared with a whole day', async () => {
    const page = await openAt(new Date());
    await choose(page, 'Heute');
    const sums = page.locator('dl[aria-label="Summen des Zeitraums"]');
    await expect.poll(() => sums.innerText()).toContain('Tag läuft noch');
    expect(await sums.innerText()).not.toContain('%');
    await page.getByText('Verglichen werden nur volle Tage; von diesem Zeitraum ist noch keiner vorbei.').waitFor();
  });
});
