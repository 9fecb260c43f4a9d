import { z } from 'zod';
import { Fix } from '#shared/diagnosis/schema.ts';
import { severityNames } from '#shared/channels/schema.ts';

/** TRA-02: selections of a transfer's items; the names are those in the calls' paths. */
export const transferViews = {
  list: { label: 'Alle Artikel', file: 'alle' },
  ready: { label: 'Bereit', file: 'bereit' },
  failure: { label: 'Fehlerhaft', file: 'fehlerhaft' },
} as const;
export type TransferView = keyof typeof transferViews;
export const transferViewNames = ['list', 'ready', 'failure'] as const satisfies readonly TransferView[];

/** The result of an item: sent (no answer yet), accepted, refused. */
export const transferStates = {
  sent: { label: 'Gesendet' },
  accepted: { label: 'Angenommen' },
  invalid: { label: 'Abgelehnt' },
} as const;
export type TransferState = keyof typeof transferStates;
export const transferStateNames = ['sent', 'accepted', 'invalid'] as const satisfies readonly TransferState[];

/** TRA-01. `source`: who judged the items: nobody yet, Kontor's own check of the channel's file, or the channel itself. */
export const TransferSum = z
  .object({
    SEND: z.number().int(),
    ACCEPTED: z.number().int(),
    INVALID: z.number().int(),
    source: z.enum(['none', 'unchecked', 'file', 'channel']),
    /** The run whose file was judged, or the time of the channel's last answer. */
    at: z.string().nullable(),
    channel: z.string(),
  })
  .meta({ id: 'TransferSum' });
export type TransferSum = z.infer<typeof TransferSum>;

/** A reason why the item was refused or criticised, and where it can be fixed. */
export const TransferProblem = z.object({
  key: z.string(),
  severity: z.enum(severityNames),
  field: z.string(),
  sentence: z.string(),
  todo: z.string(),
  fix: Fix,
});
export type TransferProblem = z.infer<typeof TransferProblem>;

export const TransferRow = z.object({
  _id: z.string(),
  title: z.string().nullable(),
  state: z.enum(transferStateNames),
  /** The channel's message, in German; '' if there is none. */
  message: z.string(),
  /** When the channel answered; null: the result is from the run. */
  at: z.string().nullable(),
  problems: z.array(TransferProblem),
});
export type TransferRow = z.infer<typeof TransferRow>;

/** A reason why items were refused, and their number; an item with several reasons counts for each. */
export const TransferReason = z
  .object({
    /** Identifies the reason in the calls of the views. */
    key: z.string(),
    /** Field of the export, '' if none is the cause. */
    field: z.string(),
    sentence: z.string(),
    items: z.number().int(),
  })
  .meta({ id: 'TransferReason' });
export type TransferReason = z.infer<typeof TransferReason>;
/** The most frequent reasons are listed; items with rarer ones are found by number. */
export const MAX_REASONS = 100;

/** TRA-02: one page. `message` (TRA-03): HTML to show if there is no data. */
export const TransferPage = z
  .object({
    columns: z.array(z.object({ id: z.string(), name: z.string() })),
    data: z.array(TransferRow),
    total: z.number().int(),
    pageCount: z.number().int(),
    message: z.string(),
  })
  .meta({ id: 'TransferPage' });
export type TransferPage = z.infer<typeof TransferPage>;

/** Sizes of a page (TRA-02). */
export const transferPageSizes = [10, 25, 50, 100] as const;
export const transferPageSize = 50;
