import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, Ok } from '#shared/http/call-parts.ts';
import { Facet } from './facets.ts';
import {
  FieldsUpdate,
  ItemCard,
  ItemHistory,
  ItemPage,
  ItemQuery,
  MAX_PICTURE_ADDRESS,
  MOST_IMAGES,
} from './schema.ts';

export const itemCalls = {
  items: {
    method: 'GET',
    path: '/api/items/data',
    summary:
      'Artikel seitenweise. Wer weitere Seiten mit dem Stand (snapshot) der ersten holt, bekommt jeden Artikel genau einmal, auch wenn inzwischen ein Import kam; 410, wenn es den Stand nicht mehr gibt',
    question: 'catalogue',
    large: true,
    access: 'read',
    query: ItemQuery.extend({ snapshot: z.coerce.number().int().min(1).max(2_147_483_647).optional() }),
    response: ItemPage,
  },
  item: {
    method: 'GET',
    path: '/api/items/data/id/{id}',
    summary: 'Ein Artikel',
    access: 'read',
    params: z.object({ id: z.string().min(1).max(2000) }),
    // The neighbours are taken from this selection, in its order.
    query: ItemQuery.omit({ offset: true, limit: true, columns: true, pictures: true }),
    response: ItemCard,
    question: 'catalogue',
  },
  itemFacet: {
    method: 'GET',
    path: '/api/items/facet',
    summary: 'Was in einem Feld der Artikel steht, die zu Suche und Filtern der anderen Felder passen',
    question: 'catalogue',
    access: 'read',
    query: ItemQuery.pick({ masterid: true, search: true, filter: true }).extend({ field: z.string().min(1).max(20) }),
    response: Facet,
  },
  itemHistory: {
    method: 'GET',
    path: '/api/items/data/id/{id}/history',
    summary: 'Welcher Import welche Werte eines Artikels änderte, nach den aufbewahrten Ständen',
    question: 'catalogue',
    access: 'read',
    params: z.object({ id: z.string().min(1).max(2000) }),
    query: z.object({ masterid: id }),
    response: ItemHistory,
  },
  updateFields: {
    method: 'POST',
    path: '/api/items/fields/update',
    summary: 'Sichtbare Spalten speichern',
    access: 'edit',
    body: FieldsUpdate,
    response: Ok,
  },
  /** Returns which of these items have a reachable picture in a field (ITE-05). */
  itemImages: {
    method: 'POST',
    path: '/api/items/images',
    summary: 'Welche dieser Artikel in einem Feld ein Bild haben, das erreichbar ist (per HEAD gefragt)',
    question: 'catalogue',
    access: 'read',
    body: z.object({
      masterid: id.optional(),
      field: z.string().min(1).max(50),
      ids: z.array(z.string().min(1).max(2000)).max(MOST_IMAGES),
    }),
    response: z.object({ valid: z.array(z.string()) }),
  },
  picture: {
    method: 'GET',
    path: '/api/pictures',
    summary: 'Ein Bild, das im Katalog steht, von seinem Server geholt (JPEG, PNG, GIF, WebP, AVIF; höchstens 8 MB)',
    access: 'read',
    // As returned with the values, in `pictures`.
    query: z.object({ address: z.string().min(1).max(MAX_PICTURE_ADDRESS), mark: z.string().min(1).max(100) }),
    mediaType: 'image/*',
  },
  itemsCsv: {
    security: 'download',
    method: 'GET',
    path: '/api/items/csv',
    summary: 'Artikel als CSV-Datei',
    access: 'read',
    query: ItemQuery.omit({ offset: true, limit: true, pictures: true }),
    mediaType: 'text/csv',
    question: 'file',
  },
} as const satisfies Record<string, Call>;
