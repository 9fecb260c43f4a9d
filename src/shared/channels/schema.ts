import { z } from 'zod';
import { OutputFormat } from '#shared/exports/schema.ts';
import { requirementNames } from './requirement.ts';

/** The kinds of a channel's field, with their German labels. The checks of each are in feed/stages/validation. */
export const fieldTypes = {
  text: { label: 'Text' },
  html: { label: 'Text, HTML erlaubt' },
  number: { label: 'Zahl' },
  integer: { label: 'ganze Zahl' },
  price: { label: 'Preis' },
  measure: { label: 'Zahl mit Einheit' },
  boolean: { label: 'ja oder nein' },
  choice: { label: 'Auswahl' },
  date: { label: 'Datum' },
  url: { label: 'Adresse' },
  image: { label: 'Adresse eines Bildes' },
  gtin: { label: 'GTIN / EAN' },
} as const;
export type FieldType = keyof typeof fieldTypes;
const fieldTypeNames = [
  'text',
  'html',
  'number',
  'integer',
  'price',
  'measure',
  'boolean',
  'choice',
  'date',
  'url',
  'image',
  'gtin',
] as const satisfies readonly FieldType[];

/** Severities of a problem: an error keeps the item from being accepted. */
export const severities = {
  error: { label: 'Fehler', color: 'red' },
  warning: { label: 'Warnung', color: 'yellow' },
  hint: { label: 'Hinweis', color: 'gray' },
} as const;
export type Severity = keyof typeof severities;
export const severityNames = ['error', 'warning', 'hint'] as const satisfies readonly Severity[];

/** A spelling that the channel accepts. `aliases` are merchants' spellings; the export writes `value` for them. */
export const ChannelValue = z.strictObject({
  value: z.string(),
  title: z.string().default(''),
  aliases: z.array(z.string()).default([]),
});

/** The condition on another field under which a field is required. Texts are compared case-insensitively. */
export const FieldCondition = z
  .strictObject({
    field: z.string(),
    is: z.enum(['filled', 'empty', 'one_of', 'contains']),
    values: z.array(z.string()).default([]),
    /** A list of the template (`idLists`) whose numbers match too: merchants write a category as its path or number. */
    idList: z.string().optional(),
    /** The numbers of that list; filled in from the template. */
    ids: z.array(z.string()).default([]),
  })
  .meta({ id: 'FieldCondition' });
export type FieldCondition = z.infer<typeof FieldCondition>;

/** A field that a channel accepts. */
export const ChannelField = z
  .strictObject({
    /** The header as the channel spells it; in nested JSON a path: `attributes.item_name[0].value`. */
    name: z.string().min(1).max(200),
    title: z.string().min(1),
    /** The name of one of the template's groups. */
    group: z.string(),
    requirement: z.enum(requirementNames),
    type: z.enum(fieldTypeNames).default('text'),
    description: z.string().default(''),
    examples: z.array(z.string()).default([]),
    /** Length in Unicode code points. */
    minLength: z.number().int().optional(),
    maxLength: z.number().int().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    values: z.array(ChannelValue).default([]),
    /** The values that replace a quantity above 0, and one of 0 or less. */
    pieces: z.strictObject({ some: z.string(), none: z.string() }).optional(),
    /** Other values are accepted too. */
    open: z.boolean().default(false),
    /** The unit of the bare number: a column in another unit does not fit. */
    unit: z.string().optional(),
    /** RE2 pattern of the whole value; `patternText` describes it in German. */
    pattern: z.string().optional(),
    patternText: z.string().optional(),
    /** Required if all of these hold; `whenText` describes them in German: „bei Kleidung“. */
    when: z.array(FieldCondition).default([]),
    whenText: z.string().default(''),
    /** The variants of one product may differ in it. */
    variant: z.boolean().default(false),
    /** No two items may have the same value. */
    unique: z.boolean().default(false),
    /** Several values, at most `most`: in one column with a separator, or in repeated columns of the same name. */
    many: z
      .strictObject({ most: z.number().int(), separator: z.string().default(','), repeat: z.boolean().default(false) })
      .optional(),
    /** XML with the g: namespace: the value's parts, separated by colons, become child elements with these names. */
    parts: z.array(z.string()).optional(),
    /** Names of the field in catalogues, for suggestions. */
    sources: z.array(z.string()).default([]),
    /** False if it could not be verified in a source of the channel itself. */
    verified: z.boolean().default(true),
  })
  .meta({ id: 'ChannelField' });
export type ChannelField = z.infer<typeof ChannelField>;

/** A condition of a template on several fields of an item together. */
export const ChannelCheck = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('any_of'),
    fields: z.array(z.string()).min(2),
    severity: z.enum(severityNames),
    message: z.string(),
    when: z.array(FieldCondition).default([]),
  }),
  z.strictObject({
    kind: z.literal('less_than'),
    field: z.string(),
    than: z.string(),
    severity: z.enum(severityNames),
    message: z.string(),
  }),
]);
export type ChannelCheck = z.infer<typeof ChannelCheck>;

/** Requirements on pictures, in pixels and bytes. */
export const ImageRule = z.strictObject({
  minWidth: z.number().int().default(1),
  minHeight: z.number().int().default(1),
  /** The longer side. */
  minLongSide: z.number().int().optional(),
  maxBytes: z.number().int().optional(),
  formats: z.array(z.enum(['jpg', 'png', 'gif', 'webp', 'bmp', 'tiff'])).default([]),
});
export type ImageRule = z.infer<typeof ImageRule>;

/** A channel as data: one file each under channels/. */
export const ChannelTemplate = z
  .strictObject({
    /** The name in an export's settings. */
    channel: z.string().regex(/^[a-z0-9_]+$/),
    name: z.string(),
    description: z.string(),
    /** Sources of the facts; `checked` is the month they were read, null: not read from the channel itself. */
    sources: z.array(z.strictObject({ title: z.string(), url: z.string(), checked: z.string().nullable() })),
    /** German sentences on what could not be verified and on common mistakes of merchants. */
    notes: z.array(z.string()).default([]),
    format: OutputFormat,
    filename: z.string(),
    /** The channel learns header names and order once: it must be told of a change. */
    fixedHeader: z.boolean().default(false),
    /** Where its category tree can be obtained, in German; '' if it has none. */
    categories: z.string().default(''),
    images: ImageRule.optional(),
    /** Largest size of a file. */
    limits: z.strictObject({ items: z.number().int().optional(), bytes: z.number().int().optional() }).default({}),
    /** Numbers of the channel that conditions refer to, separated by blanks. */
    idLists: z.record(z.string(), z.string()).default({}),
    groups: z.array(z.strictObject({ name: z.string(), title: z.string() })),
    fields: z.array(ChannelField),
    checks: z.array(ChannelCheck).default([]),
  })
  .meta({ id: 'ChannelTemplate' });
export type ChannelTemplate = z.infer<typeof ChannelTemplate>;

/** A channel as listed. */
export const ChannelInfo = z
  .object({
    channel: z.string(),
    name: z.string(),
    description: z.string(),
    format: OutputFormat,
    filename: z.string(),
    fields: z.number().int(),
    required: z.number().int(),
    verified: z.boolean(),
  })
  .meta({ id: 'ChannelInfo' });
export type ChannelInfo = z.infer<typeof ChannelInfo>;
