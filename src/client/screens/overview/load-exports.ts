import type { Export } from '#shared/exports/schema.ts';
import { api } from '#shared/http/api.ts';
import { type Ask, CallError } from '#client/call.ts';

/** Loads exports by id, without those that were deleted since their ids were read: the page must not fail for them. */
export async function loadExports(ask: Ask, ids: readonly string[]): Promise<Export[]> {
  const found = await Promise.all(
    ids.map((id) =>
      ask(api.export, { params: { id } }).catch((error: unknown) => {
        if (error instanceof CallError && error.status === 404) return null;
        throw error;
      }),
    ),
  );
  return found.filter((one) => one !== null);
}
