import { z } from 'zod';
import { rejectedRowSchema } from '#shared/import/schema.ts';
import { runStateNames } from './words.ts';

/** One import or export run. Counts are null until known; `done`/`total` of the progress are bytes or items. */
export const Run = z
  .object({
    runid: z.string(),
    kind: z.enum(['import', 'export', 'upload', 'images', 'stock', 'prices']),
    /** The master of an import, the export of an export run, the account of a price update. */
    owner: z.string(),
    state: z.enum(runStateNames),
    /** It was held back, and a user has discarded its result; its state is 'cancelled'. */
    discarded: z.boolean().default(false),
    progress: z.object({ done: z.number(), total: z.number(), phase: z.string() }),
    rowsIn: z.number().int().nullable(),
    accepted: z.number().int().nullable(),
    rejected: z.number().int().nullable(),
    duplicates: z.number().int().nullable(),
    snapshot: z.number().int().nullable(),
    difference: z.object({ removed: z.number().int(), added: z.number().int(), changed: z.number().int() }).nullable(),
    message: z.string().nullable(),
    /** DIF-03: how the state deviates beyond the limits, if it was accepted nevertheless. */
    deviation: z.array(z.string()),
    /** German texts the merchant should know although the run succeeded. */
    warnings: z.array(z.string()),
    /** How the file was read, as a German sentence; null before that and for exports. */
    detected: z.string().nullable(),
    /** The file that was read: its name, or its URL without user part and query. */
    source: z.string().nullable(),
    /** Who started it: a name, or „Zeitplan“; null if it was not recorded. */
    startedBy: z.string().nullable(),
    /** Whether it has failed and can be restarted unchanged. */
    retryable: z.boolean(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

export const RejectedRow = rejectedRowSchema.meta({ id: 'RejectedRow' });
export type RejectedRow = z.infer<typeof RejectedRow>;
