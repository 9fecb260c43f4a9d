import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '#platform/db/database.ts';
import { BucketStore } from '#platform/storage/bucket-store.ts';
import { FileCache } from '#platform/storage/file-cache.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { type RetryPolicy, S3Client } from '#platform/storage/s3/client.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import type { ObjectStore } from '../servers/object-store.ts';

/** Creates a bucket for one test. */
export async function makeBucket(store: ObjectStore): Promise<string> {
  const bucket = `kontor-${randomBytes(8).toString('hex')}`;
  const client = new S3Client({ ...store, region: 'us-east-1', bucket });
  await client.text({ method: 'PUT' });
  await client.close();
  return bucket;
}

/** Shorter timeouts than the program's. */
export const hasty: RetryPolicy = { connectMs: 1000, silentMs: 1500, attempts: 3, pauseMs: 50 };

export const accessTo = (store: ObjectStore, bucket: string) => ({
  ...store,
  region: 'us-east-1',
  bucket,
  prefix: 'kontor/',
});

/** Returns a process's view of the store: its own cache, and the shared database. */
export async function bucketStage(
  access: ReturnType<typeof accessTo>,
  {
    database,
    folder,
    cacheBytes = 100e6,
    patience = hasty,
    waitMs = 300,
    redirects = false,
  }: {
    database: Database;
    folder: string;
    cacheBytes?: number;
    patience?: RetryPolicy;
    waitMs?: number;
    redirects?: boolean;
  },
) {
  const bucket = new Bucket(access, patience);
  const cache = await FileCache.open(join(folder, '.store-cache'), cacheBytes, waitMs);
  const store = new BucketStore({ database, bucket, cache, folder, redirects, log: makeLog('silent') });
  return {
    bucket,
    cache,
    store,
    close: async () => {
      cache.close();
      await bucket.close();
    },
  };
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a process's temporary file next to its final place. */
export async function made(path: string, content: string | Uint8Array): Promise<string> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(dirname(temporary), { recursive: true });
  await writeFile(temporary, content);
  return temporary;
}

/** Returns a body that arrives in these pieces. */
export async function* sent(...pieces: (string | Uint8Array)[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}
