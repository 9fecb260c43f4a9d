import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, Ok } from '#shared/http/call-parts.ts';
import { NewView, SavedView, SavedViewList, ViewChange, ViewPlace } from './schema.ts';

const view = z.object({ view: id });

/** Calls for saved views: every user has views of his own; a shared one is changed by users who may edit. */
export const savedViewCalls = {
  savedViews: {
    method: 'GET',
    path: '/api/views',
    summary: 'Gespeicherte Ansichten einer Tabelle: die eigenen und die geteilten',
    access: 'read',
    query: ViewPlace,
    response: SavedViewList,
  },
  createView: {
    method: 'POST',
    path: '/api/views',
    summary: 'Ansicht einer Tabelle unter einem Namen speichern',
    access: 'read',
    body: NewView,
    response: SavedView,
  },
  saveView: {
    method: 'POST',
    path: '/api/views/{view}',
    summary: 'Ansicht umbenennen, aktualisieren oder teilen',
    access: 'read',
    ifMatch: true,
    params: view,
    body: ViewChange,
    response: SavedView,
  },
  deleteView: {
    method: 'DELETE',
    path: '/api/views/{view}',
    summary: 'Ansicht löschen',
    access: 'read',
    params: view,
    response: Ok,
  },
  setStandardView: {
    method: 'POST',
    path: '/api/views/{view}/standard',
    summary: 'Mit dieser Ansicht beginnt die Tabelle künftig, nur für einen selbst',
    access: 'read',
    params: view,
    body: z.object({ standard: z.boolean() }),
    response: Ok,
  },
} as const satisfies Record<string, Call>;
