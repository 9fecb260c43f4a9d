import { z } from 'zod';
import { readInteger } from '#shared/values/schema.ts';

/** DIF-01: actions if a new state differs from the accepted one by more than the limits. */
export const differenceActions = {
  no_action: { label: 'Keine Aktion' },
  send_notification: { label: 'Benachrichtigung senden' },
  block_send: { label: 'Übertragung anhalten' },
} as const;
export type DifferenceAction = keyof typeof differenceActions;
export const differenceActionNames = [
  'no_action',
  'send_notification',
  'block_send',
] as const satisfies readonly DifferenceAction[];

/** DIF-02: percentage of deviating items from which the action is taken; 0 for no limit. */
const percent = z.preprocess(
  (value) => (value === null || value === '' ? 0 : readInteger(value)),
  z.number().int().min(0).max(100),
);

export const DifferenceSettings = z
  .object({
    action_on_difference: z.enum(differenceActionNames).default('no_action'),
    /** Limit of removed items. */
    neg_difference: percent.default(0),
    /** Limit of added items. */
    pos_difference: percent.default(0),
  })
  .meta({ id: 'DifferenceSettings' });
export type DifferenceSettings = z.infer<typeof DifferenceSettings>;

/** A save. At `no_action` a form hides the limits and does not send them: absent members keep their stored value. */
export const DifferenceSettingsSave = z
  .object({
    action_on_difference: z.enum(differenceActionNames).optional(),
    neg_difference: percent.optional(),
    pos_difference: percent.optional(),
  })
  .meta({ id: 'DifferenceSettingsSave' });
export type DifferenceSettingsSave = z.infer<typeof DifferenceSettingsSave>;

/** DIF-02: returns the German note on an action without any limit; undefined if there is a limit or no action. */
export function withoutLimits(settings: DifferenceSettings): string | undefined {
  const { action_on_difference: action, neg_difference: negative, pos_difference: positive } = settings;
  if (action === 'no_action' || negative > 0 || positive > 0) return undefined;
  const done = action === 'block_send' ? 'Angehalten' : 'Benachrichtigt';
  return `Ohne Grenze zählt nicht, wie viele Artikel entfallen oder neu sind. ${done} wird nur, wenn Preise, Bestände, Titel oder Pflichtfelder auffällig sind.`;
}

/** How a field's values changed between two states. */
export const FieldDrift = z.object({
  field: z.string(),
  kind: z.enum(['scaled', 'prices', 'same', 'stock', 'emptied']),
  /** A German main clause. */
  sentence: z.string(),
  /** It would do harm at the channel: counts like an exceeded limit. */
  grave: z.boolean(),
});
export type FieldDrift = z.infer<typeof FieldDrift>;

const sample = z.object({
  id: z.string(),
  title: z.string().nullable(),
  /** For changed items only. */
  fields: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});

/** The changes of a run's state against the accepted one: counts, fields, examples and causes. */
export const RunDifference = z
  .object({
    runid: z.string(),
    before: z.number().int(),
    after: z.number().int(),
    removed: z.number().int(),
    added: z.number().int(),
    changed: z.number().int(),
    /** Changed values by field, the most first. */
    fields: z.array(z.object({ field: z.string(), changed: z.number().int() })),
    drifts: z.array(FieldDrift),
    samples: z.object({ removed: z.array(sample), added: z.array(sample), changed: z.array(sample) }),
    /** Causes since the accepted state: the import, or documents with author and time; German sentences. */
    causes: z.array(z.string()),
  })
  .meta({ id: 'RunDifference' });
export type RunDifference = z.infer<typeof RunDifference>;

/** A state that never became live: it waits for its release, or a user discarded it. null: it was live. */
export const HeldBack = z.enum(['waiting', 'discarded']).nullable();
export type HeldBack = z.infer<typeof HeldBack>;

/** The stored file of a run; one that was live can be made live again. */
export const StoredFile = z
  .object({
    number: z.number().int(),
    runid: z.string(),
    name: z.string(),
    items: z.number().int(),
    bytes: z.number().int(),
    createdAt: z.string(),
    live: z.boolean(),
    /** The file was deleted by maintenance. */
    gone: z.boolean(),
    held: HeldBack,
    /** false: changes only; it cannot be served as the whole. */
    whole: z.boolean(),
  })
  .meta({ id: 'StoredFile' });
export type StoredFile = z.infer<typeof StoredFile>;
