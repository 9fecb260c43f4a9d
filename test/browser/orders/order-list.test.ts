import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  type Stage,
  visit,
  openPage,
} from '../../stages/browser.ts';
import { newOrder, rowOf, twoChannels } from '../../stages/orders/two-channels.ts';

describe('the list of orders', () => {
  let stage: Stage;
  let shop: string;
  beforeAll(async () => {
    stage = await openStage();
    shop = await twoChannels(stage.kontor);
  });
  afterAll(() => stage.close());

  const made = (given?: Parameters<typeof newOrder>[2]) => newOrder(stage.kontor, shop, given);
  const open = (path: string, options?: PageOptions) => openPage(stage, path, options);
  const listed = (page: Page) => page.getByRole('row').getByRole('link').allInnerTexts();

  it('OIM-01 lists overdue orders first, with the remaining time in words; the address keeps the filter', async () => {
    const [late, soon] = [await made({ shipInHours: -3 }), await made({ shipInHours: 0.5 })];
    const page = await open('/bestellungen');
    await rowOf(page, late).getByText('überfällig seit 3 Std.').waitFor();
    await rowOf(page, soon)
      .getByText(/^noch \d+.Min\.$/)
      .waitFor();
    const all = await listed(page);
    expect(all.indexOf(late)).toBeLessThan(all.indexOf(soon));
    expect(all).not.toContain('M-1');
    await page.getByRole('navigation', { name: 'Filter' }).getByRole('link', { name: 'Versandt' }).click();
    await rowOf(page, 'M-1').waitFor();
    expect(new URL(page.url()).search).toBe('?filter=versandt');
    await visit(page, '/bestellungen?filter=vorgemerkt');
    await page.getByText('steht gerade keine Bestellung').waitFor();
  });

  it('is searched by number and article, filtered by channel, and an empty result says what is searched for', async () => {
    const orderid = await made({ lines: [{ sku: 'GESUCHT-7' }] });
    const page = await open('/bestellungen?filter=alle');
    const search = page.getByRole('searchbox', { name: 'Bestell-, Artikel- oder Sendungsnummer' });
    await search.fill('GESUCHT-7');
    await search.press('Enter');
    await expect.poll(() => listed(page)).toEqual([orderid]);
    await search.fill('M-1');
    await search.press('Enter');
    await expect.poll(() => listed(page)).toEqual(['M-1']);
    const file = page.getByRole('link', { name: 'Als CSV exportieren' });
    expect(await file.getAttribute('href')).toBe('/api/orders/csv?filter=alle&search=M-1');
    await search.fill(orderid);
    await search.press('Enter');
    await expect.poll(() => listed(page)).toEqual([orderid]);
    await search.fill('gibtesnicht');
    await search.press('Enter');
    await page.getByRole('heading', { name: 'Keine Bestellung gefunden' }).waitFor();
    await page.getByText('nach dem Anfang der Bestellnummer und nach ganzen Artikel- und Sendungsnummern').waitFor();
    await page.getByRole('button', { name: 'Suche und Filter aufheben' }).click();
    await page.getByRole('table').waitFor();
    await visit(page, '/bestellungen?filter=alle');
    await page.getByLabel('Kanal').selectOption({ label: 'Marktplatz' });
    await expect.poll(() => listed(page)).toEqual(['M-1']);
  });

  it('has no axe findings in light and dark and no sideways scroll, also at 320 px', async () => {
    await made({
      lines: [{ sku: 'X-1', title: 'Sehr lang '.repeat(30) }, { sku: 'X-2' }],
      orderid: `L-${'9'.repeat(60)}`,
    });
    const page = await open('/bestellungen');
    await page
      .getByRole('checkbox', { name: /auswählen$/ })
      .nth(1)
      .check();
    await page
      .getByRole('button', { name: /2 Positionen/ })
      .first()
      .click();
    await expectNoAxeFindingsInBoth(page);
    for (const width of [1280, 1024, 900, 768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
  });

  it('eight orders fit on a screen of 1280 by 720 without scrolling', async () => {
    for (let n = 0; n < 8; n += 1) await made();
    const page = await open('/bestellungen');
    await page.setViewportSize({ width: 1280, height: 720 });
    const eighth = await page.getByRole('table').getByRole('row').nth(8).boundingBox();
    expect((eighth?.y ?? 9999) + (eighth?.height ?? 0)).toBeLessThanOrEqual(720);
  });

  it('shows an order that arrived while the window was hidden', async () => {
    const page = await open('/bestellungen');
    const orderid = await made({ shipInHours: -30 });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await rowOf(page, orderid).waitFor();
  });

  it('when an order was shipped does not read as a deadline', async () => {
    const page = await open('/bestellungen?filter=versandt');
    await rowOf(page, 'M-1')
      .getByText(/^versandt \d\d\.\d\d\.\d\d, \d\d:\d\d$/)
      .waitFor();
    await page.getByRole('columnheader', { name: 'Versand', exact: true }).waitFor();
  });

  it('an address with a deleted channel shows it as unknown, and all channels can be chosen again', async () => {
    const orderid = await made();
    const page = await open('/bestellungen?kanal=weg');
    const channel = page.getByLabel('Kanal', { exact: true });
    expect(await channel.locator('option:checked').innerText()).toBe('Unbekannter Kanal');
    await channel.selectOption('');
    await rowOf(page, orderid).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
