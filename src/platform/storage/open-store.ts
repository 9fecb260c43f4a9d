import { join } from 'node:path';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { BucketStore } from './bucket-store.ts';
import { FileCache } from './file-cache.ts';
import { sweepFiles } from './files.ts';
import { folderStore } from './folder-store.ts';
import { Bucket } from './s3/bucket.ts';
import type { StoreSettings } from './store-settings.ts';
import type { Store } from './store.ts';

/** Copies of files and what was computed from them goes from this machine when nobody has used it for so long. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;
const LOOK_MS = 60 * 60 * 1000;
const CACHE = '.store-cache';

export type OpenStore = { readonly store: Store; readonly close: () => Promise<void> };

/**
 * The store that the settings name. `folder`: where files lie, or where work of this process and its copies do.
 * @throws a German sentence where the bucket cannot be written and read
 */
export async function openStore(
  settings: StoreSettings | undefined,
  { database, folder, log }: { database: Database; folder: string; log: Log },
): Promise<OpenStore> {
  if (settings === undefined) return { store: folderStore, close: async () => {} };
  const bucket = new Bucket(settings);
  try {
    await bucket.check();
  } catch (error) {
    await bucket.close();
    const reason = error instanceof Error ? error.message : '';
    throw new Error(`Der Dateispeicher ${settings.name} (${settings.endpoint}) ist nicht zu gebrauchen. ${reason}`, {
      cause: error,
    });
  }
  const cache = await FileCache.open(join(folder, CACHE), settings.cacheBytes);
  const tidy = setInterval(() => {
    const before = new Date(Date.now() - UNUSED_MS);
    Promise.all([cache.forget(before), sweepFiles(folder, before, CACHE)]).catch((error: unknown) =>
      log.warn({ err: error }, 'old copies of files could not be removed'),
    );
  }, LOOK_MS).unref();
  return {
    store: new BucketStore({ database, bucket, cache, folder, log }),
    close: async () => {
      clearInterval(tidy);
      cache.close();
      await bucket.close();
    },
  };
}
