import { z } from 'zod';

/** Parameters and answers that many calls share. */
export const id = z.string().min(1).max(40);
export const masterid = z.object({ masterid: id });
export const exportid = z.object({ id });
export const runid = z.object({ runid: id });
export const Ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });
/** A save tells the new revision; sending it back as If-Match detects a stale form (409). */
export const Saved = z
  .object({ ok: z.literal(true), revision: z.number().int(), message: z.string() })
  .meta({ id: 'Saved' });
