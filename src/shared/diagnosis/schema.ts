import { z } from 'zod';
import { severityNames } from '#shared/channels/schema.ts';
import { Readiness } from './readiness.ts';

const integer = z.number().int();

/** Where a problem is mended; the client makes the address of it. */
export const Fix = z
  .discriminatedUnion('kind', [
    /** The row; null: the construction has none for `field` yet. */
    z.object({ kind: z.literal('construction'), rowId: z.string().nullable(), field: z.string() }),
    z.object({ kind: z.literal('mapping'), mappingid: z.string() }),
    z.object({ kind: z.literal('table'), table: z.enum(['categories', 'brands', 'colors']) }),
    z.object({ kind: z.literal('settings') }),
    /** What wrote the value tells the explanation of an item that has the problem. */
    z.object({ kind: z.literal('explain'), itemid: z.string(), field: z.string() }),
    /** Why the price of an item is as it is, and what became of it. */
    z.object({ kind: z.literal('price'), itemid: z.string() }),
  ])
  .meta({ id: 'Fix' });
export type Fix = z.infer<typeof Fix>;

/** One kind of problem at one field, and the items that have it. */
export const ItemProblem = z
  .object({
    key: z.string(),
    severity: z.enum(severityNames),
    /** The field's name in the export, and what people call it. */
    field: z.string(),
    title: z.string(),
    sentence: z.string(),
    means: z.string(),
    todo: z.string(),
  })
  .meta({ id: 'ItemProblem' });
export type ItemProblem = z.infer<typeof ItemProblem>;

export const DiagnosedProblem = ItemProblem.extend({
  items: integer,
  /** Items that would be without errors if this were mended: it is their only one. */
  gain: integer,
  fix: Fix,
}).meta({ id: 'DiagnosedProblem' });
export type DiagnosedProblem = z.infer<typeof DiagnosedProblem>;

/** Picture columns of an export that a check looks at: as many as any channel has. Their four bits each have room in one exact number (2^53). */
export const MOST_IMAGE_COLUMNS = 13;

/** How far the pictures of the run are looked at; null: no check of them came to an end yet. */
export const ImagesState = z.object({
  /** Different addresses in the run. */
  addresses: integer.nullable(),
  /** Of those, the ones that nobody has looked at yet. */
  open: integer.nullable(),
  /** Titles of the export's picture columns that are more than a check looks at. */
  unchecked: z.array(z.string()),
  /** The check that is under way. */
  running: z.string().nullable(),
});
export type ImagesState = z.infer<typeof ImagesState>;

export const Diagnosis = z
  .object({
    /** never_run: nothing is known yet. no_checks: the channel has no template and no row is required. */
    state: z.enum(['checked', 'never_run', 'no_checks', 'not_kept']),
    channel: z.string(),
    /** The run it belongs to; null: of the present state, unsaved rows included. */
    run: z.object({ runid: z.string(), finishedAt: z.string() }).nullable(),
    readiness: Readiness.nullable(),
    /** The gravest first. */
    problems: z.array(DiagnosedProblem),
    /** Items with errors were left out of the file. */
    omitted: integer,
    /** null: the channel says nothing of pictures, or the state was not written by a run. */
    images: ImagesState.nullable(),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof Diagnosis>;

/** An item with the values that show a problem. */
export const ProblemItem = z.object({
  id: z.string(),
  values: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
});
export type ProblemItem = z.infer<typeof ProblemItem>;
