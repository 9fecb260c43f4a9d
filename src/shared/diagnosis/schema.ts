import { z } from 'zod';
import { severityNames } from '#shared/channels/schema.ts';
import { Readiness } from './readiness.ts';

const integer = z.number().int();

/** Where a problem can be fixed; the client makes a link of it. */
export const Fix = z
  .discriminatedUnion('kind', [
    /** `rowId`: the row; null: the construction has none for `field` yet. */
    z.object({ kind: z.literal('construction'), rowId: z.string().nullable(), field: z.string() }),
    z.object({ kind: z.literal('mapping'), mappingid: z.string() }),
    z.object({ kind: z.literal('table'), table: z.enum(['categories', 'brands', 'colors']) }),
    z.object({ kind: z.literal('settings') }),
    /** The explanation of an item with the problem, which shows what wrote the value. */
    z.object({ kind: z.literal('explain'), itemid: z.string(), field: z.string() }),
    /** The explanation of an item's price and its result at the marketplace. */
    z.object({ kind: z.literal('price'), itemid: z.string() }),
  ])
  .meta({ id: 'Fix' });
export type Fix = z.infer<typeof Fix>;

/** One kind of problem at one field, and the items that have it. */
export const ItemProblem = z
  .object({
    key: z.string(),
    severity: z.enum(severityNames),
    /** The field's name in the export, and its title for people. */
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
  /** Number of items that would be free of errors if this were fixed: it is their only error. */
  gain: integer,
  fix: Fix,
}).meta({ id: 'DiagnosedProblem' });
export type DiagnosedProblem = z.infer<typeof DiagnosedProblem>;

/**
 * Picture columns of an export that are checked: as many as any channel has. At four bits each they fit one exact number (2^53).
 */
export const MOST_IMAGE_COLUMNS = 13;

/** Progress of the run's picture check; null: no check has finished yet. */
export const ImagesState = z.object({
  /** Number of different URLs in the run. */
  addresses: integer.nullable(),
  /** Number of those not checked yet. */
  open: integer.nullable(),
  /** Titles of the export's picture columns beyond the checked ones. */
  unchecked: z.array(z.string()),
  /** Id of the running check. */
  running: z.string().nullable(),
});
export type ImagesState = z.infer<typeof ImagesState>;

export const Diagnosis = z
  .object({
    /** never_run: nothing is known yet. no_checks: the channel has no template and no row is required. */
    state: z.enum(['checked', 'never_run', 'no_checks', 'not_kept']),
    channel: z.string(),
    /** The run it belongs to; null: the present state, unsaved rows included. */
    run: z.object({ runid: z.string(), finishedAt: z.string() }).nullable(),
    readiness: Readiness.nullable(),
    /** The most severe first. */
    problems: z.array(DiagnosedProblem),
    /** Number of items left out of the file because of errors. */
    omitted: integer,
    /** null: the channel has no rules for pictures, or the state was not written by a run. */
    images: ImagesState.nullable(),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof Diagnosis>;

/** An item with the values that cause a problem. */
export const ProblemItem = z.object({
  id: z.string(),
  values: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
});
export type ProblemItem = z.infer<typeof ProblemItem>;
