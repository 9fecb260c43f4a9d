import type { Page } from 'playwright-core';

/**
 * Moves the row of a table, lifted by the space bar, to a position (the first is 1) with the arrow keys. Goes by where the row
 * stands, never by the number of presses: right after the lift the other rows are still being measured, and a press then has no
 * effect or a late one.
 */
export async function moveTo(page: Page, position: number): Promise<void> {
  // The head is row 1. The library leaves a hidden copy in the row's place.
  const current = async () =>
    Number(await page.locator('tr[data-dragging]:not([aria-hidden])').getAttribute('aria-rowindex')) - 1;
  for (let at = await current(); at !== position; at = await current()) {
    await page.keyboard.press(at < position ? 'ArrowDown' : 'ArrowUp');
    const until = Date.now() + 5000;
    while ((await current()) === at && Date.now() < until) await page.waitForTimeout(20);
  }
}
