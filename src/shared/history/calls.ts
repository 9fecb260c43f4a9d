import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { ordinal, Saved } from '#shared/http/call-parts.ts';
import { MAX_INTEGER } from '#shared/values/schema.ts';
import { Activity, Revision, RevisionChanges, RevisionContent, subjectNames } from './schema.ts';

/** `scope` is `master:<id>` or `export:<id>`. */
const params = { subject: z.enum(subjectNames), scope: z.string().min(1).max(60) } as const;
const page = z.object({
  before: ordinal.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});

/** Calls for the history of every document: rules, construction, settings, columns. */
export const historyCalls = {
  revisions: {
    method: 'GET',
    path: '/api/documents/{subject}/{scope}/revisions',
    summary: 'Gespeicherte Stände eines Dokuments, neueste zuerst, mit ihren Änderungen',
    access: 'read',
    params: z.object(params),
    query: page,
    response: z.array(Revision),
    question: 'records',
  },
  revision: {
    method: 'GET',
    path: '/api/documents/{subject}/{scope}/revisions/{revision}',
    summary: 'Ein gespeicherter Stand mit Inhalt; „latest“ ist der neueste',
    access: 'read',
    params: z.object({ ...params, revision: z.union([z.literal('latest'), ordinal]) }),
    response: RevisionContent,
    large: true,
  },
  revisionChanges: {
    method: 'GET',
    path: '/api/documents/{subject}/{scope}/revisions/{number}/changes',
    summary: 'Was ein Stand gegenüber dem davor änderte, auch bei großen Tabellen',
    access: 'read',
    params: z.object({ ...params, number: ordinal }),
    response: RevisionChanges,
  },
  restore: {
    method: 'POST',
    path: '/api/documents/{subject}/{scope}/restore',
    summary: 'Einen Stand wiederherstellen (als neuer Stand), oder mit `part` nur einen gelöschten Teil daraus',
    access: 'edit',
    confirmation: true,
    ifMatch: true,
    params: z.object(params),
    body: z.object({ revision: z.number().int().min(1).max(MAX_INTEGER), part: z.string().min(1).max(64).optional() }),
    response: Saved,
  },
  activity: {
    method: 'GET',
    path: '/api/documents',
    summary: 'Alles, was im Unternehmen gespeichert wurde, neueste zuerst',
    access: 'read',
    query: z.object({
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(100).default(30),
    }),
    response: z.array(Activity),
    question: 'records',
  },
} as const satisfies Record<string, Call>;
