import { z } from 'zod';
import { importResultSchema } from '#shared/import/schema.ts';
import { importRequestSchema } from '#feed/import/reader/request.ts';

// What the child process is asked about parts. Without the readers: the program that asks does not load them.

/** `file`: the beginning of the file to split. `borders`: files with some bytes after each border between two parts. */
export const planPartsRequestSchema = importRequestSchema.extend({ borders: z.array(z.string()) });
export type PlanPartsRequest = z.infer<typeof planPartsRequestSchema>;

/**
 * How a file is split. `head`: bytes before its first item, which every part needs. `starts`: for each border, after how many
 * bytes the first record begins.
 */
export const partsPlanSchema = z.object({
  head: z.number().int(),
  delimiter: z.string(),
  quote: z.string(),
  starts: z.array(z.number().int()),
});
export type PartsPlan = z.infer<typeof partsPlanSchema>;

const partSchema = z.object({
  file: z.string(),
  rejected: z.string(),
  /** Lines of its own bytes, without the head. */
  lines: z.number().int(),
  result: importResultSchema.options[0],
});
export type Part = z.infer<typeof partSchema>;
/** `parts`: in the order of the file. Paths and outputs as of an import. */
export const joinRequestSchema = z.object({
  parts: z.array(partSchema).min(1),
  output: z.string(),
  rejectedOutput: z.string(),
  workFolder: z.string(),
});
export type JoinRequest = z.infer<typeof joinRequestSchema>;
