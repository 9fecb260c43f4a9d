import { CallError } from '#client/call.ts';
import { fetchFiles } from './fetch-files.ts';
import { holdUntilLoaded, notReached } from './held-loads.ts';

/**
 * Fetches the files of a screen that is about to be opened, and keeps the current page until they are here. React Router's own
 * import would reload the page when it fails, and with it everything typed there; built pages call this before that import
 * (scripts/bundle/fetched-first.ts). A file that no longer exists is left to the router: only a reload brings the new pages of
 * an updated Kontor.
 */
export async function fetchScreen({ module, imports = [] }: { module: string; imports?: readonly string[] }) {
  const isGone = (error: unknown) => error instanceof CallError && !notReached.has(error.status);
  await holdUntilLoaded(() => fetchFiles([module, ...imports]), isGone).catch(() => undefined);
}
