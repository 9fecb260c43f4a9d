import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';

/** Loads the channel's list, by the call of its table (CAT-11, BRA-02, COL-01). */
async function askTargets(id: string, table: ExportTable, signal: AbortSignal): Promise<readonly TargetEntry[]> {
  switch (table) {
    case 'categories': {
      const found = await call(api.categoryTargets, { body: { id }, signal });
      return found.map(({ valueid, valuename, valueinfo }) => ({ id: valueid, name: valuename, info: valueinfo }));
    }
    case 'brands':
      return call(api.brandTargets, { body: { id, route: table }, signal });
    case 'colors':
      return call(api.colorTargets, { body: { id, route: table }, signal });
  }
}

const nothing: readonly TargetEntry[] = [];

/** Loads the possible targets after the page is shown: ten thousand categories would delay it. */
export function useTargets(id: string, table: ExportTable) {
  const question = useMemo(() => ({ id, table }), [id, table]);
  const { answer, busy, failure, retry } = useLive(question, (signal) => askTargets(id, table, signal), { delay: 0 });
  // BRA-02: the error is stored with this prefix, and ours is shown.
  const error = failure === null ? null : { ...failure, message: `Error: ${failure.message}` };
  return { entries: answer ?? nothing, loading: answer === null && busy, failure: error, reload: retry };
}
export type Targets = ReturnType<typeof useTargets>;
