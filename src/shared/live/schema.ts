import { z } from 'zod';

/** LIV-01: an event of the live status. `channel` is the id of the export whose file is made or of the account whose prices are, '' for an import. */
export const LiveEvent = z.object({
  message: z.enum(['import', 'channel']),
  state: z.enum(['run', 'idle']),
  channel: z.string(),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

/**
 * The same of all catalogues of a company, and of the uploads of their files: `channel` is then the export. `masterid` says whose
 * import it is, '' for everything else.
 */
export const CompanyEvent = LiveEvent.extend({
  message: z.enum([...LiveEvent.shape.message.options, 'upload']),
  masterid: z.string(),
});
export type CompanyEvent = z.infer<typeof CompanyEvent>;
/** What runs when a stream begins: its event `running`. */
export const CompanyRunning = z.array(CompanyEvent);

/**
 * Everything people are told of, one line each: the word of its badge, how a title begins, how grave it looks, and what happens by
 * e-mail unless the company chose otherwise. A new kind is a new line here and nowhere else.
 */
export const notificationEvents = {
  failed: { label: 'Fehlgeschlagen', title: 'Fehlgeschlagen', tone: 'red', mail: 'now' },
  blocked: { label: 'Angehalten', title: 'Wartet auf Ihre Freigabe', tone: 'yellow', mail: 'now' },
  deviation: { label: 'Abweichung', title: 'Starke Abweichung', tone: 'yellow', mail: 'digest' },
  retry: { label: 'Wird wiederholt', title: 'Wird immer wieder versucht', tone: 'yellow', mail: 'digest' },
  order: { label: 'Bestellung', title: 'Eine Bestellung wartet auf Sie', tone: 'yellow', mail: 'now' },
  overdue: { label: 'Überfällig', title: 'Kein erfolgreicher Lauf', tone: 'red', mail: 'now' },
  /** Stays in Kontor: telling outside that telling outside fails would go round in circles. */
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
    /** Where it can be looked at. */
    path: z.string(),
    createdAt: z.string(),
    read: z.boolean(),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

/** HDR-01. */
export const HeaderInfo = z.object({
  info: z.object({ company: z.string(), active: z.boolean() }),
  messages: z.object({ count: z.number().int() }),
});
export type HeaderInfo = z.infer<typeof HeaderInfo>;
