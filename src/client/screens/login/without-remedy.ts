import type { Failure } from '#client/failure.ts';

/** The pages of the sign-in need not offer to open it. */
export function withoutRemedy(failure: Failure | null): Failure | null {
  if (failure === null) return null;
  const { remedy: _, ...words } = failure;
  return words;
}
