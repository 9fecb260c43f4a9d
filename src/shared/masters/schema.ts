import { z } from 'zod';
import { HeldBack } from '#shared/difference/schema.ts';
import { Run } from '#shared/runs/schema.ts';

/** A catalogue of the merchant, with its import and its exports. */
export const Master = z
  .object({
    masterid: z.string(),
    name: z.string(),
    items: z.number().int(),
    fields: z.number().int(),
    /** Number of the live snapshot; null before the first import. */
    snapshot: z.number().int().nullable(),
    importedAt: z.string().nullable(),
    /** Name of the field whose value is the item number; null: the row number. */
    key: z.string().nullable(),
    lastRun: Run.nullable(),
    exports: z.array(z.object({ id: z.string(), name: z.string(), channel: z.string() })),
    /** Marketplace accounts that sell its items. */
    accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Master' });
export type Master = z.infer<typeof Master>;

export const NewMaster = z.object({ name: z.string().trim().min(1).max(200) }).meta({ id: 'NewMaster' });

/** A stored snapshot of a catalogue. */
export const Snapshot = z
  .object({
    number: z.number().int(),
    items: z.number().int(),
    createdAt: z.string(),
    live: z.boolean(),
    /** Its file was deleted by maintenance. */
    gone: z.boolean(),
    held: HeldBack,
    runid: z.string(),
    source: z.string(),
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof Snapshot>;
