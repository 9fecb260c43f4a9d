import { join } from 'node:path';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { BucketStore } from './bucket-store.ts';
import { FileCache } from './file-cache.ts';
import { sweepFiles } from './files.ts';
import { folderStore } from './folder-store.ts';
import { KontorError } from '#platform/errors.ts';
import { Bucket } from './s3/bucket.ts';
import type { Patience } from './s3/client.ts';
import { storeMeter } from './s3/store-metrics.ts';
import type { StoreSettings } from './store-settings.ts';
import type { Store } from './store.ts';

/** Copies of files and what was computed from them goes from this machine when nobody has used it for so long. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;
const LOOK_MS = 60 * 60 * 1000;
const CACHE = '.store-cache';
/** Who starts does not wait long for a store that says nothing. */
const startPatience: Patience = { connectMs: 2000, silentMs: 5000, attempts: 2, pauseMs: 100 };

/** The operator looks at it now: he is told soon that the store says nothing. */
const lookPatience: Patience = { connectMs: 1000, silentMs: 2000, attempts: 1, pauseMs: 0 };

/** Where files lie ('': the data folder), and in German why they cannot be had. */
export type StoreState = { readonly place: string; readonly refusal: string | null };
export type OpenStore = {
  readonly store: Store;
  readonly state: () => Promise<StoreState>;
  readonly close: () => Promise<void>;
};

/**
 * The store that the settings name. `folder`: where files lie, or where work of this process and its copies do.
 * A store that is away is no reason not to start: copies are served, and most of the program needs no file.
 * @throws a German sentence where the store says no
 */
export async function openStore(
  settings: StoreSettings | undefined,
  { database, folder, log, metrics }: { database: Database; folder: string; log: Log; metrics: Metrics },
): Promise<OpenStore> {
  if (settings === undefined)
    return { store: folderStore, state: async () => ({ place: '', refusal: null }), close: async () => {} };
  await checkBucket(settings, log);
  const bucket = new Bucket(settings, undefined, storeMeter(metrics));
  const cache = await FileCache.open(join(folder, CACHE), settings.cacheBytes);
  cache.measure(metrics);
  const tidy = setInterval(() => {
    const before = new Date(Date.now() - UNUSED_MS);
    Promise.all([cache.forget(before), sweepFiles(folder, before, CACHE)]).catch((error: unknown) =>
      log.warn({ err: error }, 'old copies of files could not be removed'),
    );
  }, LOOK_MS).unref();
  return {
    store: new BucketStore({ database, bucket, cache, folder, redirects: settings.redirects, log }),
    state: () => stateOf(settings),
    close: async () => {
      clearInterval(tidy);
      cache.close();
      await bucket.close();
    },
  };
}

/** Whether the bucket answers at this moment. */
async function stateOf(settings: StoreSettings): Promise<StoreState> {
  const bucket = new Bucket(settings, lookPatience);
  try {
    for await (const _ of bucket.list('kontor-check-')) break;
    return { place: settings.name, refusal: null };
  } catch (error) {
    return { place: settings.name, refusal: error instanceof Error ? error.message : String(error) };
  } finally {
    await bucket.close();
  }
}

/** Whether the bucket can be written and read. */
async function checkBucket(settings: StoreSettings, log: Log): Promise<void> {
  const bucket = new Bucket(settings, startPatience);
  try {
    await bucket.check();
  } catch (error) {
    if (error instanceof KontorError && error.code === 'store_away') {
      log.warn({ err: error }, 'the store is away, this process starts without it');
      return;
    }
    const reason = error instanceof Error ? error.message : '';
    throw new Error(`Der Dateispeicher ${settings.name} (${settings.endpoint}) ist nicht zu gebrauchen. ${reason}`, {
      cause: error,
    });
  } finally {
    await bucket.close();
  }
}
