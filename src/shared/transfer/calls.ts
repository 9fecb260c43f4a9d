import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id } from '#shared/http/call-parts.ts';
import { wireText } from '#shared/values/schema.ts';
import {
  TransferPage,
  transferPageSize,
  transferPageSizes,
  TransferReason,
  TransferSum,
  transferViewNames,
} from './schema.ts';

/** `transfer`, or the export's channel; any other is not found. */
const controller = z.object({ controller: z.string().min(1).max(60) });
const limit = z.coerce
  .number()
  .refine((size) => transferPageSizes.some((allowed) => allowed === size), 'Erlaubt sind 10, 25, 50 und 100.')
  .default(transferPageSize);
/** `search`: a part of the item's number; `reason`: a key of `transferReasons`. '' for all. */
const selection = {
  search: wireText(200).default(''),
  reason: wireText(200).default(''),
};
const page = z.object({ id, ...selection, offset: z.coerce.number().int().min(0).max(100_000_000).default(0), limit });

const grid = {
  method: 'GET',
  access: 'read',
  params: controller,
  query: page,
  response: TransferPage,
  question: 'catalogue',
} as const;
/** The id of the export is in the body (JSON or a form), or in the URL: the specification says only „params id“. */
const counted = {
  method: 'POST',
  access: 'read',
  params: controller,
  query: z.object({ id: id.optional() }),
  form: true,
  question: 'catalogue',
} as const;
const pages = {
  ...counted,
  body: z.object({ id: id.optional(), limit }).prefault({}).meta({ id: 'TransferPageSize' }),
  response: z.number().int().meta({ id: 'PageCount' }),
} as const;

export const transferCalls = {
  /** Counts the items of a transfer by result (TRA-01). */
  transferSum: {
    ...counted,
    path: '/api/{controller}/data/sum/',
    summary: 'Übertragung: Zahl der gesendeten, angenommenen und abgelehnten Artikel',
    body: z.object({ id: id.optional() }).prefault({}),
    response: TransferSum,
  },
  /** Pages of a transfer's items (TRA-02). */
  transferList: { ...grid, path: '/api/{controller}/data/list/', summary: 'Übertragung: alle Artikel' },
  transferReady: { ...grid, path: '/api/{controller}/data/ready/', summary: 'Übertragung: Artikel ohne Fehler' },
  transferFailure: { ...grid, path: '/api/{controller}/data/failure/', summary: 'Übertragung: Artikel mit Fehlern' },
  transferListPages: {
    ...pages,
    path: '/api/{controller}/data/pagination/list',
    summary: 'Übertragung: Zahl der Seiten aller Artikel; 0, wenn sie nicht zu ermitteln ist',
  },
  transferReadyPages: {
    ...pages,
    path: '/api/{controller}/data/pagination/ready',
    summary: 'Übertragung: Zahl der Seiten der Artikel ohne Fehler; 0, wenn sie nicht zu ermitteln ist',
  },
  transferFailurePages: {
    ...pages,
    path: '/api/{controller}/data/pagination/failure',
    summary: 'Übertragung: Zahl der Seiten der Artikel mit Fehlern; 0, wenn sie nicht zu ermitteln ist',
  },
  transferReasons: {
    method: 'GET',
    path: '/api/exports/{id}/transfer/reasons',
    summary: 'Übertragung: Gründe, aus denen Artikel abgelehnt wurden, mit der Zahl der Artikel',
    access: 'read',
    params: exportid,
    response: z.array(TransferReason),
    question: 'catalogue',
  },
  transferCsv: {
    security: 'download',
    method: 'GET',
    path: '/api/exports/{id}/transfer/csv',
    summary: 'Ergebnisse der Übertragung als CSV-Datei',
    access: 'read',
    params: exportid,
    query: z.object({ view: z.enum(transferViewNames).default('list'), ...selection }),
    mediaType: 'text/csv',
    question: 'file',
  },
  resendFailed: {
    method: 'POST',
    path: '/api/exports/{id}/transfer/resend',
    summary: 'Abgelehnte Artikel erneut senden: der Export läuft neu, mit allem, was inzwischen berichtigt ist',
    access: 'run',
    params: exportid,
    response: z.object({ runid: id }),
  },
} as const satisfies Record<string, Call>;
