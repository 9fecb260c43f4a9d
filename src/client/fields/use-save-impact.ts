import { api } from '#shared/http/api.ts';
import type { BodyOf } from '#shared/http/call.ts';
import type { SaveImpact } from '#shared/diagnosis/save-impact.ts';
import { call } from '#client/call.ts';
import { type Live, useLive } from '#client/use-live.ts';

/** Loads, while the user edits, the effect of saving on an export's items. `unsaved` is compared by identity. */
export function useSaveImpact(id: string, unsaved: BodyOf<typeof api.saveImpact>, enabled: boolean): Live<SaveImpact> {
  return useLive(unsaved, (signal) => call(api.saveImpact, { params: { id }, body: unsaved, signal }), {
    delay: 800,
    first: 300,
    enabled,
  });
}
