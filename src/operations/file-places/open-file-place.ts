import type { Config } from '#platform/config.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { bucketPlace } from './bucket-place.ts';
import type { FilePlace } from './file-place.ts';
import { folderPlace } from './folder-place.ts';

/** Opens the file place that the settings name. */
export function openFilePlace({ store, itemsFolder }: Pick<Config, 'store' | 'itemsFolder'>): FilePlace {
  return store === undefined ? folderPlace(itemsFolder) : bucketPlace(store.name, new Bucket(store));
}
