import { z } from 'zod';

const mebibyte = 1024 * 1024;

/** Bounds of one import. Bytes are counted after unpacking; `cell` and `record` in characters of decoded text. */
export const importLimitsSchema = z.object({
  cell: z.number(),
  record: z.number(),
  columns: z.number(),
  /** Names of columns and XML elements, characters. */
  name: z.number(),
  /** Nesting of JSON and XML. */
  depth: z.number(),
  attributes: z.number(),
  /** All that an archive holds; how large a file may be that comes is known to who takes it (file-limits.ts). */
  archiveBytes: z.number(),
  archiveEntries: z.number(),
  archiveRatio: z.number(),
  /** The ratio counts only past this size: small repetitive files are harmless. */
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

/** 12345 -> '12.345', for messages. */
export function countText(count: number): string {
  return count.toLocaleString('de-DE');
}
