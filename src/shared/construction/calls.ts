import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, Saved } from '#shared/http/call-parts.ts';
import {
  Construction,
  ConstructionRow,
  ConstructionRowSave,
  MOST_ROWS,
  SourceField,
  SourceSuggestion,
} from './schema.ts';

export const constructionCalls = {
  fieldData: {
    method: 'POST',
    path: '/api/fielddata/',
    summary: 'Verfügbare Quellfelder (Gruppe _field)',
    access: 'read',
    query: z.object({ masterid: id.optional(), id: id.optional() }),
    response: z.array(SourceField),
    question: 'catalogue',
  },
  construction: {
    method: 'GET',
    path: '/api/exports/{id}/construction',
    summary: 'Feldaufbau laden',
    access: 'read',
    params: exportid,
    response: Construction,
    large: true,
    question: 'records',
  },
  saveConstruction: {
    method: 'POST',
    path: '/exports/{projectId}/construction/saveajax',
    summary: 'Feldaufbau speichern',
    access: 'edit',
    ifMatch: true,
    params: z.object({ projectId: id }),
    body: z.array(ConstructionRowSave).max(MOST_ROWS),
    bodyLimit: 4 * 1024 * 1024,
    response: Saved.extend({ incomplete: z.array(z.string()) }),
  },
  /** Saves the tabbed construction; CON-06: an incomplete list is refused. */
  saveConstructionTabs: {
    method: 'POST',
    path: '/apis/{projectId}/construction/savejson',
    summary: 'Feldaufbau speichern, nur wenn alle Pflichtfelder gefüllt sind',
    access: 'edit',
    ifMatch: true,
    params: z.object({ projectId: id }),
    body: z.array(ConstructionRowSave).max(MOST_ROWS),
    bodyLimit: 4 * 1024 * 1024,
    response: Saved.extend({ incomplete: z.array(z.string()) }),
  },
  suggestSources: {
    method: 'POST',
    path: '/api/exports/{id}/construction/suggest',
    summary: 'Quellfelder für Felder der Vorlage vorschlagen, die noch keine haben',
    question: 'catalogue',
    large: true,
    access: 'read',
    params: exportid,
    body: z.object({ rows: z.array(ConstructionRow).max(MOST_ROWS).optional() }),
    bodyLimit: 4 * 1024 * 1024,
    response: z.array(SourceSuggestion),
  },
  previewExport: {
    method: 'POST',
    path: '/api/exports/{id}/preview',
    summary: 'Erste Artikel des Exports, auch mit ungespeichertem Feldaufbau',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: z.object({
      rows: z.array(ConstructionRow).max(MOST_ROWS).optional(),
      limit: z.number().int().min(1).max(100).default(20),
    }),
    bodyLimit: 4 * 1024 * 1024,
    response: z.object({
      columns: z.array(z.string()),
      /** Item numbers, one for each row of `data`. */
      ids: z.array(z.string()),
      data: z.array(z.array(z.string().nullable())),
      total: z.number().int(),
    }),
    large: true,
  },
} as const satisfies Record<string, Call>;
