import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, offset, Ok } from '#shared/http/call-parts.ts';
import { MOST_AGE_MS } from './most-age.ts';
import { HeaderInfo, Notification } from './schema.ts';

export const statusCalls = {
  /** LIV-01: server-sent events; `projectId` is a catalogue, one of its exports or of its marketplace accounts. */
  live: {
    method: 'GET',
    path: '/notify/notify/{projectId}',
    summary: 'Ereignisstrom: Importe und Ausgaben eines Katalogs, während sie laufen',
    access: 'read',
    params: z.object({ projectId: id }),
    mediaType: 'text/event-stream',
  },
  /**
   * The event stream of the pages, one per browser. It begins with events of what ended since the page's data were loaded (`age`:
   * milliseconds ago); then `running` lists what runs.
   */
  companyLive: {
    method: 'GET',
    path: '/api/live',
    summary: 'Ereignisstrom: Importe, Ausgaben und Übertragungen aller Kataloge, während sie laufen',
    access: 'enter',
    query: z.object({ age: z.coerce.number().int().min(0).max(MOST_AGE_MS).default(0) }),
    mediaType: 'text/event-stream',
  },
  /** LIV-04: `channel` is the id of an export or of a marketplace account. */
  updateChannel: {
    method: 'POST',
    path: '/ajax/update/output/{channel}',
    summary: 'Einen Kanal aktualisieren: die Datei eines Exports neu erzeugen, oder Angebote und Preise eines Kontos',
    access: 'run',
    params: z.object({ channel: id }),
    response: z.object({ runid: id }),
  },
  /** Returns the data of the page header (HDR-01). */
  header: {
    method: 'GET',
    path: '/api/header',
    summary: 'Firma, ob sie eingerichtet ist, und die Zahl ungelesener Nachrichten',
    access: 'enter',
    response: HeaderInfo,
  },
  notifications: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'Benachrichtigungen, die neuesten zuerst',
    access: 'read',
    query: z.object({
      offset,
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ notifications: z.array(Notification), total: z.number().int() }),
  },
  readNotifications: {
    method: 'POST',
    path: '/api/notifications/read',
    summary: 'Benachrichtigungen als gelesen kennzeichnen; ohne ids alle',
    access: 'read',
    body: z.object({ ids: z.array(z.string().min(1).max(200)).max(1000).optional() }),
    response: Ok,
  },
} as const satisfies Record<string, Call>;
