import { z } from 'zod';

const mebibyte = 1024 * 1024;

/** Limits of one import. Bytes are counted after unpacking; `cell` and `record` in characters of decoded text. */
export const importLimitsSchema = z.object({
  cell: z.number(),
  record: z.number(),
  columns: z.number(),
  /** Characters of a column or XML element name. */
  name: z.number(),
  /** Nesting depth of JSON and XML. */
  depth: z.number(),
  attributes: z.number(),
  /** Bytes of an archive's whole content; the limit of the received file itself is in file-limits.ts. */
  archiveBytes: z.number(),
  archiveEntries: z.number(),
  archiveRatio: z.number(),
  /** The compression ratio is checked only above this size: small repetitive files are harmless. */
  archiveRatioFrom: z.number(),
});
export type ImportLimits = z.infer<typeof importLimitsSchema>;

export const defaultLimits: ImportLimits = {
  cell: mebibyte,
  record: 16 * mebibyte,
  columns: 10_000,
  name: 256,
  depth: 64,
  attributes: 256,
  archiveBytes: 2 * 1024 * mebibyte,
  archiveEntries: 1_000,
  archiveRatio: 200,
  archiveRatioFrom: 64 * mebibyte,
};

/** Formats a count for messages: 12345 -> '12.345'. */
export function countText(count: number): string {
  return count.toLocaleString('de-DE');
}
