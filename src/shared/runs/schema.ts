import { z } from 'zod';
import { rejectedRowSchema } from '#shared/import/schema.ts';
import { runStateNames } from './words.ts';

/** One import or export run. Counts are null until known; `done`/`total` of the progress are bytes or items. */
export const Run = z
  .object({
    runid: z.string(),
    kind: z.enum(['import', 'export', 'upload', 'images', 'stock', 'prices']),
    /** The master of an import, the export of an export run, the account of an update of prices. */
    owner: z.string(),
    state: z.enum(runStateNames),
    progress: z.object({ done: z.number(), total: z.number(), phase: z.string() }),
    rowsIn: z.number().int().nullable(),
    accepted: z.number().int().nullable(),
    rejected: z.number().int().nullable(),
    duplicates: z.number().int().nullable(),
    snapshot: z.number().int().nullable(),
    difference: z.object({ removed: z.number().int(), added: z.number().int(), changed: z.number().int() }).nullable(),
    message: z.string().nullable(),
    /** DIF-03: why the state deviates more than is set, where it was accepted all the same. */
    deviation: z.array(z.string()),
    /** Things the merchant should know although the run went through. */
    warnings: z.array(z.string()),
    /** How the file was read, as a German sentence; null until then and for exports. */
    detected: z.string().nullable(),
    /** What was read: file name or address without its user part and query. */
    source: z.string().nullable(),
    /** Who started it: a name, or „Zeitplan“; null where nobody wrote it down. */
    startedBy: z.string().nullable(),
    /** Whether it has failed and can be started again as it was. */
    retryable: z.boolean(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

export const RejectedRow = rejectedRowSchema.meta({ id: 'RejectedRow' });
export type RejectedRow = z.infer<typeof RejectedRow>;
