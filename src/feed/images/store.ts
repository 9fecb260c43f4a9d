import { createHash } from 'node:crypto';
import type { Trx } from '#platform/db/database.ts';
import { imageFormats } from './image-size.ts';
import type { ImageCheck } from './look.ts';

/** The stored result of a picture's check; `fresh`: no new check is due yet. */
export type Remembered = ImageCheck & { readonly hash: string; readonly fresh: boolean };

/** Addresses are identified by their MD5, as DuckDB's `md5` writes it: an identifier, not a secret. */
const hashOf = (address: string): string => createHash('md5').update(address).digest('hex');

const DAY = 24 * 60 * 60 * 1000;
/** Good pictures are checked again after a week, others after a day, then at growing intervals. */
export function nextLook(now: Date, good: boolean, failures: number): Date {
  return new Date(now.getTime() + (good ? 7 : Math.min(7, 2 ** Math.max(0, failures - 1))) * DAY);
}

/** All stored results of the company's pictures. */
export async function rememberedImages(trx: Trx, company: string, now: Date): Promise<Remembered[]> {
  const rows = await trx
    .selectFrom('image_checks')
    .select(['hash', 'next_at', 'status', 'format', 'width', 'height', 'bytes'])
    .where('company', '=', company)
    .execute();
  return rows.map(({ next_at, format, ...row }) => ({
    ...row,
    format: imageFormats.find((known) => known === format) ?? null,
    fresh: next_at > now,
  }));
}

/** Stores a result and counts consecutive failures. */
export async function rememberImage(
  trx: Trx,
  company: string,
  address: string,
  check: ImageCheck,
  now: Date,
): Promise<void> {
  const hash = hashOf(address);
  const known = await trx
    .selectFrom('image_checks')
    .select('failures')
    .where((eb) => eb.and({ company, hash }))
    .executeTakeFirst();
  const good = check.format !== null;
  const failures = good ? 0 : (known?.failures ?? 0) + 1;
  const { status, format, width, height, bytes } = check;
  const next = nextLook(now, good, failures);
  const row = { checked_at: now, next_at: next, failures, status, format, width, height, bytes };
  await trx
    .insertInto('image_checks')
    .values({ company, hash, ...row })
    .onConflict((conflict) => conflict.columns(['company', 'hash']).doUpdateSet(row))
    .execute();
}
