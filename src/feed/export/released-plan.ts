import { setTimeout as wait } from 'node:timers/promises';
import { requireReleased } from '#catalogue/offered-stock.ts';
import { demand } from '#feed/plan/demand.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';

/** After an import or a save the stock is normally computed within a moment. */
const TRIES = 40;
const PAUSE_MS = 500;

/**
 * Loads the plan of a run. If its file contains stock, waits until the newest stock is computed.
 * @throws if the stock is still not computed, or waits for a user's release: the previous file stays served
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
