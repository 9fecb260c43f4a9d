import { z } from 'zod';

/** LIV-01: an event of the live status. `channel` is the id of the export whose file is made, '' for an import. */
export const LiveEvent = z.object({
  message: z.enum(['import', 'channel']),
  state: z.enum(['run', 'idle']),
  channel: z.string(),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

/** What a notification is about. */
export const notificationEvents = {
  failed: { label: 'Fehlgeschlagen' },
  blocked: { label: 'Angehalten' },
  deviation: { label: 'Abweichung' },
  retry: { label: 'Wird wiederholt' },
} as const;
export type NotificationEvent = keyof typeof notificationEvents;
export const notificationEventNames = [
  'failed',
  'blocked',
  'deviation',
  'retry',
] as const satisfies readonly NotificationEvent[];

export const Notification = z
  .object({
    id: z.string(),
    event: z.enum(notificationEventNames),
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
