import { z } from 'zod';
import { exportTableNames } from '#shared/assignments/schema.ts';
import { wireText } from '#shared/values/schema.ts';

/** Limits of a channel's list; the largest known trees have some ten thousand entries. */
export const TARGET_LIMITS = {
  entries: 200_000,
  bytes: 64 * 1024 * 1024,
  attributes: 500,
  id: 500,
  text: 2000,
} as const;

/** Separator of the levels in a category's full name. */
export const PATH_MARK = ' > ';

/** A category (full name with its path), brand or colour of a channel. `info`: product type, hex value, or a text of the list. */
export const TargetEntry = z.object({
  id: wireText(TARGET_LIMITS.id),
  name: wireText(TARGET_LIMITS.text),
  info: wireText(TARGET_LIMITS.text),
  /** Attributes that items of this category should have, if the tree lists them. */
  attributes: z
    .array(z.object({ name: z.string(), required: z.boolean() }))
    .max(TARGET_LIMITS.attributes)
    .optional(),
});
export type TargetEntry = z.infer<typeof TargetEntry>;

/** A list at a URL, or another export's. */
export const TargetsFromElsewhere = z.union([
  z.strictObject({ url: z.string().trim().min(1).max(2000) }),
  z.strictObject({ from: z.string().min(1).max(40) }),
]);

/** A version of a channel's list; each upload adds one, older ones stay in the history. */
export const TargetList = z.object({
  /** File name, or URL without user part and query. */
  source: z.string(),
  entries: z.array(TargetEntry).max(TARGET_LIMITS.entries),
});
export type TargetList = z.infer<typeof TargetList>;

/** What a screen shows of the list in use. */
export const TargetListInfo = z
  .object({
    table: z.enum(exportTableNames),
    revision: z.number().int(),
    source: z.string(),
    author: z.string(),
    createdAt: z.string().nullable(),
    entries: z.number().int(),
  })
  .meta({ id: 'TargetListInfo' });
export type TargetListInfo = z.infer<typeof TargetListInfo>;

/** The result of an upload; `vanished` are targets used by rows that the new version no longer has. */
export const TargetUpload = z.object({
  revision: z.number().int(),
  entries: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  warnings: z.array(z.string()),
  vanished: z.array(z.object({ id: z.string(), name: z.string(), rows: z.number().int() })),
});
export type TargetUpload = z.infer<typeof TargetUpload>;

/** Returns the last part of a category's full name. */
export function leafOf(name: string): string {
  return name.slice(name.lastIndexOf(PATH_MARK) + (name.includes(PATH_MARK) ? PATH_MARK.length : 1)).trim() || name;
}
