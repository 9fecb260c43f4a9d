import { z } from 'zod';
import { importOptionsSchema } from '#shared/import/schema.ts';

export const weekdayNames = ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'] as const;

/** Shorter intervals make no sense for a catalogue; channels fetch at most every five minutes. */
export const LEAST_MINUTES = 5;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Uhrzeiten stehen als HH:MM, zum Beispiel 06:30.');

const whenShape = {
  active: z.boolean().default(false),
  kind: z.enum(['times', 'interval']).default('times'),
  /** HH:MM, Berlin time. */
  times: z.array(time).max(48, 'Mehr als 48 Uhrzeiten am Tag sind nicht möglich.').default(['06:00']),
  /** 1 Monday … 7 Sunday. */
  weekdays: z.array(z.number().int().min(1).max(7)).max(7).default([1, 2, 3, 4, 5, 6, 7]),
  /** Minutes between runs, counted from midnight. */
  minutes: z
    .number()
    .int()
    .min(LEAST_MINUTES, `Der Abstand beträgt mindestens ${LEAST_MINUTES} Minuten.`)
    .max(1440, 'Der Abstand beträgt höchstens einen Tag (1.440 Minuten).')
    .default(60),
  /** Hours without a successful run after which people are notified. */
  patience: z.number().int().min(1).max(720).default(26),
};

/** When something runs automatically. Times are Berlin time. */
export const ScheduleTimes = z.object(whenShape);
export type ScheduleTimes = z.infer<typeof ScheduleTimes>;

/** The stored settings. `source`: the URL of an import without user part and query; the whole URL is a secret. */
export const ScheduleSettings = z
  .object({ ...whenShape, source: z.string().default('') })
  .meta({ id: 'ScheduleSettings' });
export type ScheduleSettings = z.infer<typeof ScheduleSettings>;

function complete({ active, kind, times, weekdays }: ScheduleTimes, context: z.RefinementCtx): void {
  if (!active) return;
  const issue = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (weekdays.length === 0) issue('weekdays', 'Bitte wählen Sie mindestens einen Wochentag.');
  if (kind === 'times' && times.length === 0) issue('times', 'Bitte geben Sie mindestens eine Uhrzeit an.');
}

export const SaveSchedule = z.object(whenShape).superRefine(complete).meta({ id: 'SaveSchedule' });
/** A save of an import's schedule. An empty address keeps the stored one; absent options are those of the last import. */
export const SaveImportSchedule = z
  .object({
    ...whenShape,
    address: z.string().trim().max(2000).default(''),
    options: importOptionsSchema.optional(),
  })
  .superRefine(complete)
  .meta({ id: 'SaveImportSchedule' });

/** A schedule with its state. */
export const Schedule = z
  .object({
    settings: ScheduleSettings,
    revision: z.number().int(),
    /** The next planned start; null while switched off. */
    nextAt: z.string().nullable(),
    /** Why the last planned start did not happen; null if it did. */
    note: z.string().nullable(),
    /** Since when no run succeeded, if people were notified of it; null otherwise. */
    overdueSince: z.string().nullable(),
    /** The server's time, for a preview of the next runs. */
    now: z.string(),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;
