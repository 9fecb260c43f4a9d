import { createHash } from 'node:crypto';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ImageFormat } from './image-size.ts';
import type { Look } from './look.ts';

/** What is remembered of a picture; `fresh`: it need not be looked at again yet. */
export type Remembered = Look & { readonly hash: string; readonly fresh: boolean };

/** Addresses are told by their MD5, as DuckDB's `md5` writes it: a name, not a secret. */
const hashOf = (address: string): string => createHash('md5').update(address).digest('hex');

const DAY = 24 * 60 * 60 * 1000;
/** Good pictures are looked at again after a week, others after a day, then ever later. */
export function nextLook(now: Date, good: boolean, failures: number): Date {
  return new Date(now.getTime() + (good ? 7 : Math.min(7, 2 ** Math.max(0, failures - 1))) * DAY);
}

type Row = {
  hash: string;
  next_at: Date;
  status: number;
  format: ImageFormat | null;
  width: number | null;
  height: number | null;
  bytes: string | number | null;
};

/** Everything remembered of the company's pictures. */
export async function rememberedImages(trx: Trx, company: string, now: Date): Promise<Remembered[]> {
  const { rows } = await pg<Row>`
    select hash, next_at, status, format, width, height, bytes from image_checks where company = ${company}`.execute(
    trx,
  );
  return rows.map(({ next_at, bytes, ...row }) => ({
    ...row,
    bytes: bytes === null ? null : Number(bytes),
    fresh: next_at > now,
  }));
}

/** Remembers what was found; failures in a row are counted. */
export async function rememberImage(trx: Trx, company: string, address: string, look: Look, now: Date): Promise<void> {
  const hash = hashOf(address);
  const { rows } = await pg<{ failures: number }>`
    select failures from image_checks where company = ${company} and hash = ${hash}`.execute(trx);
  const good = look.format !== null;
  const failures = good ? 0 : (rows[0]?.failures ?? 0) + 1;
  const next = nextLook(now, good, failures);
  await pg`insert into image_checks (company, hash, checked_at, next_at, failures, status, format, width, height, bytes)
    values (${company}, ${hash}, ${now}, ${next}, ${failures}, ${look.status}, ${look.format}, ${look.width}, ${look.height}, ${look.bytes})
    on conflict (company, hash) do update set checked_at = excluded.checked_at, next_at = excluded.next_at,
      failures = excluded.failures, status = excluded.status, format = excluded.format, width = excluded.width,
      height = excluded.height, bytes = excluded.bytes`.execute(trx);
}
