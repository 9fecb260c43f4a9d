import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, masterid, Ok } from '#shared/http/call-parts.ts';

/** Days that a deleted catalogue or export can be restored. */
export const TRASH_DAYS = 30;

/** A deleted catalogue or export that can be restored. */
export const TrashEntry = z
  .object({
    id: z.string(),
    kind: z.enum(['catalogue', 'export']),
    name: z.string(),
    /** The catalogue of an export. */
    catalogue: z.string().nullable(),
    /** Exports deleted with their catalogue and restored with it. */
    exports: z.array(z.string()),
    /** The export's catalogue was deleted as well and must be restored first. */
    waitsForCatalogue: z.boolean(),
    trashedAt: z.iso.datetime(),
    trashedBy: z.string(),
    goesAt: z.iso.datetime(),
    daysLeft: z.number().int(),
  })
  .meta({ id: 'TrashEntry' });
export type TrashEntry = z.infer<typeof TrashEntry>;

/** The record of a permanent deletion, in numbers. */
export const DeletionRecord = z
  .object({
    id: z.string(),
    kind: z.enum(['catalogue', 'export', 'company']),
    name: z.string(),
    askedBy: z.string(),
    askedAt: z.iso.datetime(),
    doneAt: z.iso.datetime(),
    rows: z.number().int(),
    files: z.number().int(),
    bytes: z.number(),
  })
  .meta({ id: 'DeletionRecord' });
export type DeletionRecord = z.infer<typeof DeletionRecord>;

const TypedName = z.object({ name: z.string().max(200) }).meta({ id: 'TypedName' });

export const trashCalls = {
  trash: {
    method: 'GET',
    path: '/api/trash',
    summary: 'Papierkorb: gelöschte Kataloge und Exporte, und was endgültig gelöscht wurde',
    access: 'read',
    response: z.object({ entries: z.array(TrashEntry), gone: z.array(DeletionRecord) }),
  },
  trashMaster: {
    security: 'deletion',
    method: 'POST',
    path: '/api/masters/{masterid}/trash',
    summary: 'Katalog mit seinen Exporten in den Papierkorb legen; sein Name wird zur Bestätigung mitgegeben',
    access: 'admin',
    params: masterid,
    body: TypedName,
    response: Ok,
  },
  trashExport: {
    security: 'deletion',
    method: 'POST',
    path: '/api/exports/{id}/trash',
    summary: 'Export in den Papierkorb legen; sein Name wird zur Bestätigung mitgegeben',
    access: 'edit',
    params: exportid,
    body: TypedName,
    response: Ok,
  },
  restoreTrashed: {
    security: 'deletion',
    method: 'POST',
    path: '/api/trash/{id}/restore',
    summary: 'Katalog oder Export aus dem Papierkorb zurückholen, mit derselben Adresse',
    access: 'edit',
    params: exportid,
    response: Ok,
  },
  purgeTrashed: {
    people: true,
    security: 'deletion',
    stepUp: true,
    method: 'POST',
    path: '/api/trash/{id}/purge',
    summary: 'Katalog oder Export im Papierkorb sofort endgültig löschen; sein Name wird zur Bestätigung mitgegeben',
    access: 'admin',
    params: exportid,
    body: TypedName,
    response: Ok,
  },
} as const satisfies Record<string, Call>;
