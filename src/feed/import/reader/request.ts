import { z } from 'zod';
import { importOptionsSchema } from '#shared/import/schema.ts';
import { importLimitsSchema } from './limits.ts';

/**
 * An import as the caller orders it. All paths are absolute.
 * `key`: name of the key field stored on the catalogue; undefined = propose one, null = row numbers. `options.key` takes
 * precedence.
 * `knownFields`: fields of earlier snapshots; a field with the same name keeps its id.
 * `output` receives the Parquet file, `rejectedOutput` JSON Lines (RejectedRow); both are synced to disk, the caller renames
 * them.
 * `workFolder` takes temporary files, which are removed again.
 * `part`: the file is a part of a larger one (parts/): its fields are not described, and nothing is said about the whole file.
 */
export const importRequestSchema = z.object({
  file: z.string(),
  originalName: z.string(),
  contentType: z.string().optional(),
  options: importOptionsSchema,
  knownFields: z.array(z.object({ id: z.string().regex(/^f\d{4,6}$/), name: z.string() })),
  key: z.string().nullable().optional(),
  output: z.string(),
  rejectedOutput: z.string(),
  workFolder: z.string(),
  limits: importLimitsSchema.partial().optional(),
  part: z.boolean().optional(),
});
export type ImportRequest = z.infer<typeof importRequestSchema>;

export const importProgressSchema = z.object({
  bytesDone: z.number(),
  bytesTotal: z.number(),
  rows: z.number(),
  phase: z.enum(['reading', 'writing']),
  /** Rises while DuckDB makes progress, also when the share of the file cannot rise any more. */
  signs: z.number(),
});
/** `bytesTotal` is the size of the file as received and never changes during a run; `bytesDone` never falls. */
export type ImportProgress = z.infer<typeof importProgressSchema>;

export type ImportHooks = { onProgress(progress: ImportProgress): void; signal?: AbortSignal };
