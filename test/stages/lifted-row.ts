import type { Page } from 'playwright-core';

/**
 * Moves a row, lifted by the space bar, down with the arrow key, from the first position of `of`. The other rows are measured
 * once a row is lifted: an earlier key press has no effect and is repeated, as users would.
 */
export async function moveDown(page: Page, steps: number, of: number): Promise<void> {
  const announced = (position: number, timeout = 20_000) =>
    page.getByText(`Position ${position} von ${of}`).waitFor({ state: 'attached', timeout });
  await announced(1);
  await page.keyboard.press('ArrowDown');
  await announced(2, 5000).catch(() => page.keyboard.press('ArrowDown'));
  for (let position = 2; position <= steps; position += 1) {
    await announced(position);
    await page.keyboard.press('ArrowDown');
  }
  await announced(steps + 1);
}
