import { join } from 'node:path';
import type { Log } from '#platform/telemetry/log.ts';
import { BucketStore } from './bucket-store.ts';
import { FileCache } from './file-cache.ts';
import { sweepFiles } from './files.ts';
import { KontorError } from '#platform/errors.ts';
import type { OpenStore, StoreDeps, StoreState } from './open-store.ts';
import { Bucket } from './s3/bucket.ts';
import type { RetryPolicy } from './s3/client.ts';
import { storeMeter } from './s3/store-metrics.ts';
import type { StoreSettings } from './store-settings.ts';

/** Copies of files, and files computed from them, are removed from this machine when unused for this long, in ms. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;
const LOOK_MS = 60 * 60 * 1000;
const CACHE = '.store-cache';
/** A start does not wait long for a store that does not answer. */
const startPatience: RetryPolicy = { connectMs: 2000, silentMs: 5000, attempts: 2, pauseMs: 100 };

/** For the operator's look at the state, which must soon report a store that does not answer. */
const lookPatience: RetryPolicy = { connectMs: 1000, silentMs: 2000, attempts: 1, pauseMs: 0 };

/**
 * Opens the bucket of the settings. A store that does not answer does not prevent the start: copies are served, and most of the
 * program needs no file.
 * @throws a German sentence if the store refuses access
 */
export async function openBucketStore(
  settings: StoreSettings,
  { database, folder, log, metrics }: StoreDeps,
): Promise<OpenStore> {
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

/** Checks whether the bucket answers now. */
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

/** Checks whether the bucket can be written and read. */
async function checkBucket(settings: StoreSettings, log: Log): Promise<void> {
  const bucket = new Bucket(settings, startPatience);
  try {
    await bucket.check();
  } catch (error) {
    if (error instanceof KontorError && error.code === 'store_away') {
      log.warn({ err: error }, 'the file store is unreachable; this process starts without it');
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
