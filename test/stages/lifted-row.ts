import type { Page } from 'playwright-core';

/**
 * Moves a row that was lifted by the space bar down by the arrow key, from the first place of `of`. The rows beside are measured once one is
 * lifted: a key before that leaves it where it is, and people press again.
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
