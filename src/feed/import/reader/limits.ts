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
  plainBytes: z.number(),
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
  plainBytes: 8 * 1024 * mebibyte,
  archiveBytes: 2 * 1024 * mebibyte,
  archiveEntries: 1_000,
  archiveRatio: 200,
  archiveRatioFrom: 64 * mebibyte,
};

/** 1536 -> '1,5 KB', for messages. */
export function sizeText(bytes: number): string {
  const units = ['Byte', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toLocaleString('de-DE', { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`;
}

/** 12345 -> '12.345', for messages. */
export function countText(count: number): string {
  return count.toLocaleString('de-DE');
}
