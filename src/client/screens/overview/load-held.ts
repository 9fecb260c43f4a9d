import type { LoaderFunctionArgs } from 'react-router';
import type { Export } from '#shared/exports/schema.ts';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { askOver, CallError } from '#client/call.ts';
import { mayHideHeld, waitingRun } from '#client/fields/runs/run-words.ts';
import { toPage } from '#client/loading.ts';
import { servicesContext } from '#client/server-context.ts';

/**
 * Loads the runs that still wait for their release although a later one failed or was discarded. A catalogue or export that was
 * deleted meanwhile has none.
 */
export async function loadHeld(
  { request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>,
  masters: readonly Master[],
  exports: readonly Export[],
): Promise<Run[]> {
  const ask = askOver(context.get(servicesContext).fetchApi);
  const behind = async (newest: Run | null, runs: () => Promise<readonly Run[]>) => {
    if (!mayHideHeld(newest)) return null;
    try {
      return waitingRun(newest, await runs());
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null;
      throw toPage(error, request);
    }
  };
  const held = await Promise.all([
    ...masters.map(({ masterid, lastRun }) => behind(lastRun, () => ask(api.masterRuns, { params: { masterid } }))),
    ...exports.map(({ id, lastRun }) => behind(lastRun, () => ask(api.exportRuns, { params: { id } }))),
  ]);
  return held.filter((run) => run !== null);
}
