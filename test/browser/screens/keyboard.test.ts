import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, openStage, type Stage, visit } from '../../stages/browser.ts';
import { openRules, rule } from '../../stages/feed/rule-page.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

/** The colour of links on a dark page. */
const link = 'rgb(165, 176, 255)';
/** The colour of the ring of the focused element, or of the one after it, which draws it for a hidden field. */
const ring = (page: Page, drawn: 'itself' | 'next') =>
  page.evaluate(
    `getComputedStyle(document.activeElement${drawn === 'next' ? '.nextElementSibling' : ''}).outlineColor`,
  );

describe('a keyboard user', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('sees the ring around buttons, switches and choices in dark colours too', async () => {
    const { page } = await openRules(stage, [rule('Eins')], { scheme: 'dark' });
    // Chromium shows a ring only after a key press.
    await page.keyboard.press('Tab');
    const button = page.getByRole('button', { name: 'Neue Regel' });
    await button.focus();
    expect(await ring(page, 'itself')).toBe(link);
    const active = page.getByRole('switch', { name: 'Aktiv' });
    await active.focus();
    expect(await ring(page, 'next')).toBe(link);
    await visit(page, '/konto');
    await page.keyboard.press('Tab');
    await page.getByRole('radio', { name: 'Dunkel' }).focus();
    expect(await ring(page, 'next')).toBe(link);
  });

  it('moves through an open panel with the arrow keys, without scrolling the page, and leaves with Escape', async () => {
    const page = await openPage(stage, '/konto');
    await page.setViewportSize({ width: 1280, height: 400 });
    const opener = page.getByRole('button', { name: /^Konto von/ });
    const focused = () => page.locator(':focus').innerText();
    await opener.press('Enter');
    await page.getByRole('link', { name: 'Konto', exact: true }).waitFor();
    for (const [key, name] of [
      ['ArrowDown', 'Konto'],
      ['ArrowDown', 'Abmelden'],
      ['ArrowDown', 'Konto'],
      ['ArrowUp', 'Abmelden'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(name);
    }
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.keyboard.press('Escape');
    await opener.and(page.locator(':focus')).waitFor();
  });

  it('is back at the button of the actions when a dialog that was chosen there closes', async () => {
    const channel = await orderChannel(stage.kontor, 'Laden');
    await takeOrders(stage.kontor, channel, [{ orderid: 'T-1', lines: [{ sku: 'A-1' }] }]);
    const page = await openPage(stage, `/bestellungen/${channel}/T-1`);
    const opener = page.getByRole('button', { name: /^Weitere Aktionen/ });
    await opener.press('Enter');
    await page.getByRole('button', { name: 'Position stornieren' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
  });

  it('keeps the arrow keys of the fields in an open panel', async () => {
    const page = await openPage(stage, '/bestellungen/auswertung');
    await page.getByRole('button', { name: /Zeitraum wählen/ }).press('Enter');
    const from = page.getByLabel('Von', { exact: true });
    await from.focus();
    await page.keyboard.press('ArrowDown');
    await from.and(page.locator(':focus')).waitFor();
  });
});
