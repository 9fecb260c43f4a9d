import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { folderStore } from './folder-store.ts';
import type { StoreSettings } from './store-settings.ts';
import type { Store } from './store.ts';

/** Where files are stored ('': the data folder), and in German why they are unavailable (null: they are available). */
export type StoreState = { readonly place: string; readonly refusal: string | null };
export type OpenStore = {
  readonly store: Store;
  readonly state: () => Promise<StoreState>;
  readonly close: () => Promise<void>;
};
export type StoreDeps = { database: Database; folder: string; log: Log; metrics: Metrics };

/**
 * Opens the store of the settings; without any, the data folder, and no HTTP client is loaded. `folder`: where files are stored,
 * or, with a bucket, temporary files and copies of this process.
 * @throws a German sentence if the store refuses access
 */
export async function openStore(settings: StoreSettings | undefined, deps: StoreDeps): Promise<OpenStore> {
  if (settings === undefined)
    return { store: folderStore, state: async () => ({ place: '', refusal: null }), close: async () => {} };
  const { openBucketStore } = await import('./open-bucket-store.ts');
  return openBucketStore(settings, deps);
}
