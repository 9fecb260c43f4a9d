import { z } from 'zod';

/**
 * LIV-01: an event of the live status. `channel` is the id of the export whose file is made or of the account whose prices are
 * updated, '' for an import.
 */
export const LiveEvent = z.object({
  message: z.enum(['import', 'channel']),
  state: z.enum(['run', 'idle']),
  channel: z.string(),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

/** How a run has ended; 'blocked': it waits for a release; 'discarded': it waited for one, and a user discarded its result. */
export const RunOutcome = z.enum(['done', 'failed', 'blocked', 'cancelled', 'discarded']);
export type RunOutcome = z.infer<typeof RunOutcome>;

/**
 * An event of any catalogue of a company, or of the upload of a file: `channel` is then the export. `masterid`: the catalogue of
 * an import, '' for other events. `outcome`: of the run that ended, unless it is 'done'.
 */
export const CompanyEvent = LiveEvent.extend({
  message: z.enum([...LiveEvent.shape.message.options, 'upload']),
  masterid: z.string(),
  outcome: RunOutcome.exclude(['done']).optional(),
});
export type CompanyEvent = z.infer<typeof CompanyEvent>;
/** Everything that runs when a stream begins: its event `running`. */
export const CompanyRunning = z.array(CompanyEvent);

/**
 * The kinds of notifications, one line each: label of the badge, start of the title, colour, and the default for e-mail unless
 * the company chose otherwise. A new kind needs a new line only here.
 */
export const notificationEvents = {
  failed: { label: 'Fehlgeschlagen', title: 'Fehlgeschlagen', tone: 'red', mail: 'now' },
  blocked: { label: 'Angehalten', title: 'Wartet auf Freigabe', tone: 'yellow', mail: 'now' },
  deviation: { label: 'Abweichung', title: 'Starke Abweichung', tone: 'yellow', mail: 'digest' },
  retry: { label: 'Wird wiederholt', title: 'Wird immer wieder versucht', tone: 'yellow', mail: 'digest' },
  order: { label: 'Bestellung', title: 'Eine Bestellung wartet auf Sie', tone: 'yellow', mail: 'now' },
  overdue: { label: 'Überfällig', title: 'Kein erfolgreicher Lauf', tone: 'red', mail: 'now' },
  /** Never sent outside: a report that sending failed would loop. */
  undelivered: { label: 'Nicht zugestellt', title: 'Nicht zugestellt', tone: 'red', mail: 'none' },
} as const satisfies Record<
  string,
  { label: string; title: string; tone: 'red' | 'yellow' | 'gray'; mail: 'none' | 'now' | 'digest' }
>;
export type NotificationEvent = keyof typeof notificationEvents;
export const notificationEventNames = Object.keys(notificationEvents).filter(
  (name): name is NotificationEvent => name in notificationEvents,
);
export const NotificationEventName = z.enum(notificationEventNames);

export const Notification = z
  .object({
    id: z.string(),
    event: NotificationEventName,
    title: z.string(),
    text: z.string(),
    /** Page where the user can see it. */
    path: z.string(),
    createdAt: z.string(),
    read: z.boolean(),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

/** Data of the page header (HDR-01). */
export const HeaderInfo = z.object({
  info: z.object({ company: z.string(), active: z.boolean() }),
  messages: z.object({ count: z.number().int() }),
});
export type HeaderInfo = z.infer<typeof HeaderInfo>;
