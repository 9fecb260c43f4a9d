import { randomUUID } from 'node:crypto';
import type { Bucket } from '#platform/storage/s3/bucket.ts';
import { StoreRefusal } from '#platform/storage/s3/store-refusal.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import type { FilePlace } from './file-place.ts';
import { measured } from './folder-place.ts';

/** Returns the file place that is a bucket, whose objects are found by rows. `name`: the bucket as the operator writes it. */
export function bucketPlace(name: string, bucket: Bucket): FilePlace {
  return {
    name,
    firstFile: async (except) => {
      for await (const { key } of bucket.list('')) if (!except?.test(key)) return key;
      return undefined;
    },
    has: async ({ bytes, sha256, object = '' }) => {
      try {
        const stored = await measured(bucket.read(object));
        if (stored.bytes === bytes && stored.sha256 === sha256) return true;
      } catch (error) {
        if (error instanceof StoreRefusal && error.answered === 404) return false;
        throw error;
      }
      await bucket.delete(object);
      return false;
    },
    put: async ({ path, bytes, sha256, object: known }, content) => {
      const object = known ?? `${path}.${randomUUID()}`;
      await bucket.putStream(object, content(), bytes, { resume: known !== undefined });
      const put = await measured(bucket.read(object));
      if (put.bytes !== bytes || put.sha256 !== sha256) throw fileChanged(path);
      return { path, object, bytes, sha256 };
    },
    end: async () => {},
    close: () => bucket.close(),
  };
}
