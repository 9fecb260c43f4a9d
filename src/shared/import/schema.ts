import { z } from 'zod';

export const importFormats = ['csv', 'json', 'jsonl', 'xml', 'xlsx'] as const;

/**
 * What a merchant may set by hand for an import; everything absent is detected from the content. `key`: name of the field that
 * numbers the items, null = row numbers. `element`: repeating XML element or JSON path.
 */
export const importOptionsSchema = z.strictObject({
  format: z.enum(importFormats).optional(),
  encoding: z.string().min(1).max(40).optional(),
  delimiter: z.string().min(1).max(4).optional(),
  quote: z.string().max(1).optional(),
  header: z.boolean().optional(),
  sheet: z.union([z.string().min(1).max(200), z.number().int().min(1)]).optional(),
  element: z.string().min(1).max(500).optional(),
  key: z.string().max(500).nullable().optional(),
  skipLines: z.number().int().min(0).max(100_000).optional(),
});
export type ImportOptions = z.infer<typeof importOptionsSchema>;

/** An import of a file at a URL. */
export const ImportFromAddress = z.strictObject({
  url: z.string().trim().min(1).max(2000),
  options: importOptionsSchema.default({}),
});

/** An import of an uploaded file. */
export const ImportForm = z.object({
  file: z.file(),
  options: z.string().optional().describe('Angaben zum Import (wie bei JSON) als JSON-Text'),
});

/** Detected kinds of a column; only a hint for pickers and alignment, never a cast. */
export const fieldGuesses = [
  'text',
  'number',
  'price',
  'integer',
  'date',
  'url',
  'image',
  'html',
  'gtin',
  'boolean',
] as const;
export type FieldGuess = (typeof fieldGuesses)[number];

/**
 * The meaning of a single mark before exactly three digits ('1.299') in a column: `mark` separates thousands, 'none': it is
 * decimal. `sure`: other values of the column prove it; else it is only likely or unknown.
 */
export const numberGroupsSchema = z.strictObject({ mark: z.enum(['point', 'comma', 'none']), sure: z.boolean() });
export type NumberGroups = z.infer<typeof numberGroupsSchema>;

/** One column of a snapshot: `id` names the Parquet column, `name` is what users see and rules use (unique). */
export const importedFieldSchema = z.object({
  id: z.string().regex(/^f\d{4,6}$/),
  name: z.string(),
  /** As in the file: may be empty or occur twice. */
  header: z.string(),
  guess: z.enum(fieldGuesses),
  /** Number of items with a value. */
  filled: z.number().int(),
  /** First value found, cut at 200 characters; empty if no item has one. */
  example: z.string(),
  /** Only if some values have a single mark before three digits. */
  groups: numberGroupsSchema.optional(),
});
export type ImportedField = z.infer<typeof importedFieldSchema>;

export const keyCandidateSchema = z.object({
  field: z.string(),
  filled: z.number().int(),
  distinct: z.number().int(),
  unique: z.boolean(),
});
export type KeyCandidate = z.infer<typeof keyCandidateSchema>;

/** How the file was read. For XLSX, JSON and XML only the members that apply are set. */
export const detectedFormatSchema = z.object({
  format: z.enum(importFormats),
  encoding: z.string().optional(),
  delimiter: z.string().optional(),
  quote: z.string().optional(),
  escape: z.string().optional(),
  header: z.boolean().optional(),
  lineEnd: z.enum(['lf', 'crlf', 'cr']).optional(),
  /** Physical lines before the header that were skipped. */
  preamble: z.number().int().optional(),
  sheet: z.string().optional(),
  sheets: z.array(z.string()).optional(),
  element: z.string().optional(),
  /** CSV: `fast` = by DuckDB and checked, `exact` = by our own parser, with the same result. */
  reader: z.enum(['fast', 'exact']).optional(),
  archive: z.enum(['gz', 'zip', 'tar']).optional(),
  members: z.array(z.string()).optional(),
});
export type DetectedFormat = z.infer<typeof detectedFormatSchema>;

/** Of events that were counted, `line` is that of the first one, and `count` their number. */
export const importWarningSchema = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number().int().optional(),
  count: z.number().int().optional(),
});
export type ImportWarning = z.infer<typeof importWarningSchema>;

/** `rowsIn` = `accepted` + `rejected` + `duplicates`, always (I8). Texts are German. */
export const importResultSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    format: detectedFormatSchema,
    fields: z.array(importedFieldSchema),
    /** Name of the key field; null: items are numbered by their row. */
    key: z.string().nullable(),
    keyCandidates: z.array(keyCandidateSchema),
    rowsIn: z.number().int(),
    accepted: z.number().int(),
    rejected: z.number().int(),
    duplicates: z.number().int(),
    warnings: z.array(importWarningSchema),
    /** Bytes of data read, after unpacking. */
    bytes: z.number().int(),
  }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string(), line: z.number().int().optional() }),
]);
export type ImportResult = z.infer<typeof importResultSchema>;

/** A line of the rejected file (JSON Lines). */
export const rejectedRowSchema = z.object({
  kind: z.enum(['rejected', 'duplicate']),
  line: z.number().int(),
  reason: z.string(),
  raw: z.string(),
});
export type RejectedRow = z.infer<typeof rejectedRowSchema>;
