import type { Export } from '#shared/exports/schema.ts';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import type { Ask } from '#client/call.ts';
import { mayHideHeld, waitingRun } from '#client/fields/runs/run-words.ts';

/**
 * Loads the runs that still wait for their release although a later one failed or was discarded. An owner whose runs cannot be
 * loaded, because it was deleted meanwhile, has none: the overview is more important.
 */
export async function loadHeld(ask: Ask, masters: readonly Master[], exports: readonly Export[]): Promise<Run[]> {
  const behind = async (newest: Run | null, runs: () => Promise<readonly Run[]>) =>
    mayHideHeld(newest) ? waitingRun(newest, await runs().catch(() => [])) : null;
  const held = await Promise.all([
    ...masters.map(({ masterid, lastRun }) => behind(lastRun, () => ask(api.masterRuns, { params: { masterid } }))),
    ...exports.map(({ id, lastRun }) => behind(lastRun, () => ask(api.exportRuns, { params: { id } }))),
  ]);
  return held.filter((run) => run !== null);
}
