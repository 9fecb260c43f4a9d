import { z } from 'zod';
import { exportTableNames } from '#shared/assignments/schema.ts';
import type { Call } from '#shared/http/call.ts';
import { exportid, id } from '#shared/http/call-parts.ts';
import { TargetEntry, TargetListInfo, TargetsFromElsewhere, TargetUpload } from './schema.ts';

const params = z.object({ id, table: z.enum(exportTableNames) });

/** Calls for lists of a channel's categories, brands and colours, and their suggestions for values. */
export const targetCalls = {
  targetLists: {
    method: 'GET',
    path: '/api/exports/{id}/targets',
    summary: 'Welche Listen von Kategorien, Marken und Farben ein Export hat',
    access: 'read',
    params: exportid,
    response: z.array(TargetListInfo),
  },
  targets: {
    method: 'GET',
    path: '/api/exports/{id}/targets/{table}',
    summary: 'Die Einträge einer Liste, mit den Attributen, die der Kanal dafür nennt',
    access: 'read',
    params,
    response: z.array(TargetEntry),
    large: true,
  },
  /** Multipart `file`, or JSON {url} or {from: id of another export}; the route parses it itself. */
  uploadTargets: {
    method: 'POST',
    path: '/api/exports/{id}/targets/{table}',
    summary:
      'Liste des Kanals laden: multipart mit file, oder JSON {url} oder {from: Export}; die bisherige bleibt im Verlauf',
    access: 'edit',
    params,
    upload: { form: z.object({ file: z.file() }), json: TargetsFromElsewhere },
    response: TargetUpload,
  },
  suggestTargets: {
    method: 'POST',
    path: '/api/assignments/{id}/suggest',
    summary: 'Vorschläge für Werte mit Sicherheit und Begründung, hier berechnet',
    question: 'catalogue',
    large: true,
    access: 'read',
    params: exportid,
    body: z.object({
      table: z.enum([...exportTableNames, 'mapping']),
      /** For a mapping: its id; suggestions come from its own target choices. */
      mapping: id.optional(),
      values: z
        .array(z.object({ value: z.string().max(10_000), more: z.array(z.string().max(1000)).max(5).default([]) }))
        .max(5000),
      most: z.number().int().min(1).max(10).default(5),
    }),
    bodyLimit: 16 * 1024 * 1024,
    response: z.array(
      z.object({
        value: z.string(),
        suggestions: z.array(
          TargetEntry.omit({ attributes: true }).extend({ confidence: z.number(), reason: z.string() }),
        ),
      }),
    ),
  },
} as const satisfies Record<string, Call>;
