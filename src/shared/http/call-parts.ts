import { z } from 'zod';
import { MAX_INTEGER } from '#shared/values/schema.ts';

/** Parameters and responses that many calls share. */
export const id = z.string().regex(/^[A-Za-z0-9]{1,40}$/, 'Die Kennung besteht aus Buchstaben und Ziffern.');
/** Numbers of revisions, snapshots and files. A larger one cannot exist. */
export const ordinal = z.coerce.number().int().min(1).max(MAX_INTEGER);
export const offset = z.coerce.number().int().min(0).max(MAX_INTEGER).default(0);
export const masterid = z.object({ masterid: id });
export const exportid = z.object({ id });
export const runid = z.object({ runid: id });
export const Ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });
/** A save returns the new revision; sending it back as If-Match detects a stale form (409). */
export const Saved = z
  .object({ ok: z.literal(true), revision: z.number().int(), message: z.string() })
  .meta({ id: 'Saved' });
