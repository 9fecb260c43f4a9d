import { z } from 'zod';
import { Readiness } from '#shared/diagnosis/readiness.ts';
import { StockFields } from './stock-fields.ts';
import { Run } from '#shared/runs/schema.ts';

export const outputKinds = {
  csv: { label: 'CSV', mime: 'text/csv', extension: 'csv' },
  xml: { label: 'XML', mime: 'application/xml', extension: 'xml' },
  json: { label: 'JSON', mime: 'application/json', extension: 'json' },
  jsonl: { label: 'JSON Lines', mime: 'application/x-ndjson', extension: 'jsonl' },
  xlsx: {
    label: 'Excel (XLSX)',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
} as const;

export const outputEncodings = ['utf-8', 'utf-8-bom', 'utf-16le', 'windows-1252', 'iso-8859-1', 'iso-8859-15'] as const;
/** How a number is written; 'keep' leaves every value unchanged. */
export const decimalMarks = { keep: 'unverändert', point: 'Punkt (1234.56)', comma: 'Komma (1234,56)' } as const;
/** How a price is written; 'keep' writes it like any number. */
export const priceFormats = {
  keep: 'wie andere Zahlen',
  plain: 'immer zwei Nachkommastellen (25.00)',
  currency: 'mit Währung (25.00 EUR)',
  cents: 'in Cent (2500)',
} as const;

/** How the file is written. Options that do not apply to a kind are ignored. */
export const OutputFormat = z
  .object({
    kind: z.enum(['csv', 'xml', 'json', 'jsonl', 'xlsx']).default('csv'),
    delimiter: z.enum([',', ';', '\t', '|']).default(';'),
    quote: z.enum(['"', "'"]).default('"'),
    /** always: every cell; needed: only cells holding delimiter, quote or line break. */
    quoting: z.enum(['needed', 'always']).default('needed'),
    header: z.boolean().default(true),
    lineEnd: z.enum(['\n', '\r\n']).default('\r\n'),
    encoding: z.enum(outputEncodings).default('utf-8'),
    decimal: z.enum(['keep', 'point', 'comma']).default('keep'),
    price: z.enum(['keep', 'plain', 'currency', 'cents']).default('keep'),
    /** Added after a price if the price format requires a currency and the value has none. */
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .default('EUR'),
    /** Tags and entities are removed from fields that the channel wants without HTML. */
    stripHtml: z.boolean().default(false),
    /** XML: 'google' writes RSS 2.0 and 'atom' Atom, both with the g: namespace, 'generic' the two element names below. */
    style: z.enum(['generic', 'google', 'atom']).default('generic'),
    root: z.string().max(100).default('products'),
    item: z.string().max(100).default('product'),
    /** JSON: `a.b` and `a[0].b` in a field's name make objects and lists. */
    nested: z.boolean().default(false),
    /** JSON: numbers and booleans of the template's types are written as such, not as texts. */
    typed: z.boolean().default(false),
    /** JSON: the items are in a member of this name of an object; '': a bare list. */
    member: z.string().max(100).default(''),
    /** JSON: further members of that object, as JSON text. */
    head: z.string().max(10_000).default(''),
  })
  .meta({ id: 'OutputFormat' });
export type OutputFormat = z.infer<typeof OutputFormat>;
/** Whether the file has numbers and truth values beside texts. */
export const isTyped = ({ kind, typed }: Pick<OutputFormat, 'kind' | 'typed'>): boolean =>
  typed && (kind === 'json' || kind === 'jsonl' || kind === 'xlsx');
export const defaultFormat: OutputFormat = OutputFormat.parse({});

/** HDR-03: the number on the wire, the name in the URL (in the product's spelling), the German label. */
export const feedTypes = {
  1: { name: 'spezification', label: 'Spezifikation (Felder des Exports)' },
  2: { name: 'productdata_all_provider', label: 'Produktdaten (alle Felder)' },
  3: { name: 'quantityprice', label: 'Bestand und Preis' },
} as const;

/** Name in the URL of the last changes; not a feed type of the specification. */
export const DELTA_FEED = 'aenderungen';

/** Letters, digits, blanks, dots, dashes and underscores: safe on every channel's server (T20). */
const fileNamePattern = /^[\w.\- äöüÄÖÜß]{1,128}$/;
const fileNameText =
  'Erlaubt sind Buchstaben, Ziffern, Leerzeichen, Punkt, Binde- und Unterstrich, höchstens 128 Zeichen.';

/** A name that a user gives. `..` would be another address, and a blank none that can be copied; older settings may have one. */
const newFileName = z
  .string()
  .regex(fileNamePattern, fileNameText)
  .regex(/[^. ]/, 'Ein Dateiname besteht nicht nur aus Punkten und Leerzeichen.');

const formatMembers = z.object({
  delimiter: OutputFormat.shape.delimiter.unwrap().optional(),
  quote: OutputFormat.shape.quote.unwrap().optional(),
  quoting: OutputFormat.shape.quoting.unwrap().optional(),
  header: z.boolean().optional(),
  lineEnd: OutputFormat.shape.lineEnd.unwrap().optional(),
  encoding: z.enum(outputEncodings).optional(),
  decimal: OutputFormat.shape.decimal.unwrap().optional(),
  price: OutputFormat.shape.price.unwrap().optional(),
  currency: OutputFormat.shape.currency.unwrap().optional(),
  stripHtml: z.boolean().optional(),
  style: OutputFormat.shape.style.unwrap().optional(),
  root: z.string().max(100).optional(),
  item: z.string().max(100).optional(),
  nested: z.boolean().optional(),
  typed: z.boolean().optional(),
  member: OutputFormat.shape.member.unwrap().optional(),
  head: OutputFormat.shape.head.unwrap().optional(),
});

/**
 * A new export. Programs may give the kind alone (`format: "csv"`) with its options next to it; `google` is XML in Google's form.
 */
export const NewExport = z
  .object({
    name: z.string().trim().min(1).max(200),
    channel: z.string().trim().max(100).default('frei'),
    /** Absent: as in the channel's template, else CSV. */
    format: z.union([OutputFormat, z.enum(['csv', 'xml', 'json', 'jsonl', 'xlsx', 'google'])]).optional(),
    filename: newFileName.optional(),
    ...formatMembers.shape,
  })
  .meta({ id: 'NewExport' });

/**
 * Returns the complete format of a new export, whatever its form; missing options are taken from `usual`, if it is of that kind.
 */
export function formatOf({ format, ...members }: z.output<typeof NewExport>, usual = defaultFormat): OutputFormat {
  if (typeof format === 'object') return format;
  const parsed = formatMembers.parse(members);
  if (format === 'google') {
    const base = usual.style === 'google' ? usual : {};
    return OutputFormat.parse({ ...base, ...parsed, kind: 'xml', style: 'google' });
  }
  const kind = format ?? usual.kind;
  return OutputFormat.parse({ ...(kind === usual.kind ? usual : {}), ...parsed, kind });
}

/** Settings for exporting only the changes since the last accepted output. */
export const DeltaSettings = z
  .object({
    active: z.boolean().default(false),
    /** Hours after which a run writes the whole file nevertheless. */
    fullHours: z.number().int().min(1).max(720).default(24),
    /** Removed items: left out until the next whole file, or exported with a stock of 0. */
    removed: z.enum(['wait', 'zero']).default('wait'),
  })
  .meta({ id: 'DeltaSettings' });
export type DeltaSettings = z.infer<typeof DeltaSettings>;

export const ExportSettings = z
  .object({
    name: z.string().trim().min(1).max(200),
    channel: z.string().trim().max(100),
    format: OutputFormat,
    /** File name at the pull URL, without folders. */
    filename: z.string().regex(fileNamePattern, fileNameText),
    /** Items with an error in the channel's checks are left out of the file; the run counts them and the diagnosis lists them. */
    omitInvalid: z.boolean().default(false),
    delta: DeltaSettings.prefault({}),
    stockFields: StockFields.prefault({}),
  })
  .meta({ id: 'ExportSettings' });
export type ExportSettings = z.infer<typeof ExportSettings>;
export const ExportSettingsSave = ExportSettings.extend({ filename: newFileName }).meta({ id: 'ExportSettingsSave' });

/** The file that is currently served. */
export const ExportFile = z
  .object({
    name: z.string(),
    bytes: z.number().int(),
    items: z.number().int(),
    createdAt: z.string(),
    etag: z.string(),
    lastFetchedAt: z.string().nullable(),
    fetches: z.number().int(),
  })
  .meta({ id: 'ExportFile' });

export const Export = z
  .object({
    id: z.string(),
    masterid: z.string(),
    settings: ExportSettings,
    revision: z.number().int(),
    lastRun: Run.nullable(),
    /** Why the last file did not reach the channel's server; null while uploads succeed, are running or switched off. */
    uploadFailure: z.string().nullable(),
    file: ExportFile.nullable(),
    /** The result of the channel's checks on its items; null if nothing was checked. */
    readiness: Readiness.nullable(),
    /** Path (without host) of each feed type, HDR-03. Secret paths are empty for users who may not change the export. */
    feeds: z.array(z.object({ type: z.number().int(), name: z.string(), path: z.string() })),
    /** Secret pull path of the file under its own name. */
    pullPath: z.string(),
    /** Secret path of the last changes; null if changes are not exported. */
    deltaPath: z.string().nullable(),
  })
  .meta({ id: 'Export' });
export type Export = z.infer<typeof Export>;
