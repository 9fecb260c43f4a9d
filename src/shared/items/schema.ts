import { integerText } from '#shared/values/integer-text.ts';
import { z } from 'zod';
import { fieldGuesses, numberGroupsSchema } from '#shared/import/schema.ts';
import { numberText } from '#shared/values/number-text.ts';

/** HDR-08: the longest note of a column, in UTF-16 units. */
export const MAX_CELL = 100;

/** Maximum number of items whose pictures one call requests. */
export const MOST_IMAGES = 50;

/** A column of the items grid. `id` is generated (f0001); `name` is unique in its catalogue and is what rules refer to. */
export const Field = z
  .object({
    id: z.string(),
    name: z.string(),
    show: z.union([z.literal(0), z.literal(1)]),
    guess: z.enum(fieldGuesses).optional(),
    filled: z.number().int().optional(),
    example: z.string().optional(),
    /** The users' note on the field; absent if there is none. */
    note: z.string().optional(),
    /** The meaning of a mark before three digits: with thousands, `1.299` is 1299. */
    groups: numberGroupsSchema.optional(),
  })
  .meta({ id: 'Field' });
export type Field = z.infer<typeof Field>;

/** A row of a grid: `_id`, `imageUrl` (ITE-01) and the shown fields by their id; a missing value is null. */
export const ItemRow = z.record(z.string(), z.string().nullable()).meta({ id: 'ItemRow' });
export type ItemRow = z.infer<typeof ItemRow>;

/** Settings of a catalogue's fields, by name so that they survive imports. */
export const ColumnSettings = z.object({
  hidden: z.array(z.string()),
  notes: z.array(z.object({ name: z.string(), note: z.string() })).default([]),
});
export type ColumnSettings = z.infer<typeof ColumnSettings>;

export const Column = z
  .object({
    id: z.string(),
    name: z.string(),
    guess: z.enum(fieldGuesses).optional(),
    note: z.string().optional(),
    groups: numberGroupsSchema.optional(),
  })
  .meta({ id: 'Column' });
export type Column = z.infer<typeof Column>;

/** The marks with which this server serves the pictures of URLs in values: pages load nothing from elsewhere. */
export const PictureMarks = z.record(z.string(), z.string()).meta({ id: 'PictureMarks' });
export type PictureMarks = z.infer<typeof PictureMarks>;

/** The longest URL of a picture, in UTF-16 units. */
export const MAX_PICTURE_ADDRESS = 4000;

/**
 * A catalogue of up to this many items is loaded into the browser; of a larger one the server pages, sorts and filters (ITE-07).
 */
export const MAX_LOADED_ITEMS = 100_000;
/** Leading characters by which texts are sorted. */
export const MAX_SORTED_LETTERS = 200;

export const ItemPage = z
  .object({
    columns: z.array(Column),
    data: z.array(ItemRow),
    /** Number of items selected by search and filter. */
    total: z.number().int(),
    /** Number of items in the whole catalogue. */
    items: z.number().int(),
    fields: z.array(Field),
    finished: z.boolean(),
    pageCount: z.number().int(),
    message: z.string(),
    pictures: PictureMarks,
    /** Number of the snapshot the page is from; null before the first import. */
    snapshot: z.number().int().nullable(),
  })
  .meta({ id: 'ItemPage' });
export type ItemPage = z.infer<typeof ItemPage>;

/** Comparisons of an item filter. */
export const filterModes = [
  'contains',
  'is_equal',
  'is_empty',
  'is_not_empty',
  'is_greater',
  'is_less',
  'between',
  'is_not_equal',
  'is_equal_any',
  'not_equal_any',
  'length_exceeds',
  'is_duplicate',
] as const;
export type FilterMode = (typeof filterModes)[number];

export const itemFilterModes: Readonly<Record<FilterMode, string>> = {
  contains: 'enthält',
  is_equal: 'ist gleich',
  is_empty: 'ist leer',
  is_not_empty: 'ist nicht leer',
  is_greater: 'ist größer als',
  is_less: 'ist kleiner als',
  between: 'liegt zwischen',
  is_not_equal: 'ist nicht gleich',
  is_equal_any: 'ist gleich einem von',
  not_equal_any: 'ist keinem gleich von',
  length_exceeds: 'hat mehr Zeichen als',
  is_duplicate: 'kommt mehrfach vor',
};

/** The filters whose value is a number; a text that is no number matches none of them. */
export const numberFilters: ReadonlySet<FilterMode> = new Set(['is_greater', 'is_less', 'between', 'length_exceeds']);

/** The longest value of a filter, in UTF-16 units. */
export const MAX_FILTER_VALUE = 1000;

/** Selection and order of a page of items. `filter` is JSON text: [{field (id), mode, value}], at most 10 entries. */
export const ItemQuery = z.object({
  masterid: z.string().max(40).optional(),
  offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(5000).default(5000),
  sort: z.string().max(20).optional(),
  direction: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().max(200).optional(),
  filter: z.string().max(10_000).optional(),
  /** Ids of the fields to show, separated by commas or points, with ranges (f0001-f0009); absent: those that the company chose. */
  columns: z.string().max(20_000).optional(),
  /** Whether to show pictures: the response then has the marks of each value's first URL. */
  pictures: z.enum(['true', 'false']).optional(),
});
const filterOn = (field: z.ZodString) =>
  z
    .object({
      field,
      mode: z.enum(filterModes),
      /** For 'is_equal_any' and 'not_equal_any' one entry per line. */
      value: z.string().max(MAX_FILTER_VALUE).default(''),
      /** The upper end of 'between', inclusive like `value`. */
      to: z.string().max(MAX_FILTER_VALUE).optional(),
    })
    .refine(({ mode, value }) => !numberFilters.has(mode) || numberText(value) !== undefined)
    .refine(({ mode, to }) => mode !== 'between' || numberText(to ?? '') !== undefined);
/** `field` is the id of a field. */
export const ItemFilters = z.array(filterOn(z.string().max(20))).max(10);
/** Filters by field name: fields that rules write have no ids. */
export const NamedFilters = z.array(filterOn(z.string().max(500))).max(10);
export type ItemFilter = z.infer<typeof ItemFilters>[number];

/** Texts by field name. Not z.record, which copies and would drop a field that a file calls `__proto__`. */
const TextsByName = z.custom<Record<string, string | null>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => text === null || typeof text === 'string'),
);

/** One item, every field by its name; `_id` first. An item outside the requested selection has no neighbours. */
export const ItemCard = z.object({
  data: TextsByName,
  fields: z.array(Field),
  neighbours: z.object({ previous: z.string().nullable(), next: z.string().nullable() }),
  pictures: PictureMarks,
});

/** The changes of an item by imports, the newest first; `first`: the oldest stored state. */
export const ItemHistory = z
  .object({
    entries: z.array(
      z.object({
        snapshot: z.number().int(),
        at: z.string(),
        source: z.string(),
        what: z.enum(['first', 'new', 'gone', 'changed']),
        changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
      }),
    ),
    /** Number of stored states compared, and whether there are older ones. */
    states: z.number().int(),
    more: z.boolean(),
  })
  .meta({ id: 'ItemHistory' });
export type ItemHistory = z.infer<typeof ItemHistory>;

/** Updates the given members of the named columns; `name` wins over `id`, which an import may have given to another field. */
export const FieldsUpdate = z.object({
  masterid: z.string().max(40).optional(),
  updatedColumns: z
    .array(
      z.object({
        id: z.string().max(20),
        name: z.string().max(500).optional(),
        show: z.union([z.literal(0), z.literal(1)]).optional(),
        /** HDR-08; an empty text removes the note. */
        note: z
          .string()
          .trim()
          .max(MAX_CELL, { error: () => `Eine Notiz hat höchstens ${integerText(MAX_CELL)} Zeichen.` })
          .optional(),
      }),
    )
    .max(10_000),
});
export type FieldUpdate = z.infer<typeof FieldsUpdate>['updatedColumns'][number];
