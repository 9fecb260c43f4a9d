import { setTimeout as wait } from 'node:timers/promises';
import { requireReleased } from '#catalogue/offered-stock.ts';
import { demand } from '#feed/plan/demand.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';

/** Behind an import or a save the stock is computed within a moment. */
const TRIES = 40;
const PAUSE_MS = 500;

/**
 * Loads what a run works with. Where its file tells of stock, that must be the newest: it is waited for.
 * @throws where the stock is still not computed, or waits for people: the file of before is served on
 */
export async function releasedPlan<T extends { plan: ExportPlan }>(
  load: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const loaded = await load();
    const { offered } = loaded.plan;
    if (!demand(loaded.plan).master.offered) return loaded;
    if (offered?.computing !== true || tries === TRIES) {
      requireReleased(offered);
      return loaded;
    }
    await wait(PAUSE_MS, undefined, { signal });
  }
}
