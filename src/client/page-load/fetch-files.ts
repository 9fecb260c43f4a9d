import { callAsset } from '#client/call.ts';

/** The addresses of files that are here: those that the page started with, and those fetched since. */
const present = new Set<string>();
// Without one of these the page would not have started.
if (typeof document !== 'undefined') for (const { href } of document.querySelectorAll('link')) present.add(href);

/**
 * Fetches the files that an `import()` needs, so that the import takes them from the browser's store. Built pages call this
 * before every import (scripts/bundle/fetched-first.ts). @throws if one cannot be fetched; the next import tries again
 */
export async function fetchFiles(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => fetchFile(new URL(file, location.origin).href)));
}

async function fetchFile(address: string): Promise<void> {
  if (present.has(address)) return;
  await callAsset(address);
  present.add(address);
}
