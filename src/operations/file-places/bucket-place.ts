import { randomUUID } from 'node:crypto';
import type { Bucket } from '#platform/storage/s3/bucket.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import type { FilePlace } from './file-place.ts';
import { measured } from './folder-place.ts';

/** Objects of a bucket, which rows lead to. `name`: as the operator writes it. */
export function bucketPlace(name: string, bucket: Bucket): FilePlace {
  return {
    name,
    firstFile: async () => {
      for await (const { key } of bucket.list('')) return key;
      return undefined;
    },
    put: async ({ path, bytes, sha256, object = `${path}.${randomUUID()}` }, content) => {
      await bucket.putStream(object, content());
      const put = await measured(bucket.read(object));
      if (put.bytes !== bytes || put.sha256 !== sha256) throw fileChanged(path);
      return { path, object, bytes, sha256 };
    },
    end: async () => {},
    close: () => bucket.close(),
  };
}
