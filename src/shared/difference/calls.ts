import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, masterid, Ok, ordinal, runid, Saved } from '#shared/http/call-parts.ts';
import { DifferenceSettings, DifferenceSettingsSave, StoredFile, RunDifference } from './schema.ts';

const Stored = z
  .object({ settings: DifferenceSettings, revision: z.number().int() })
  .meta({ id: 'StoredDifferenceSettings' });
const reason = z.object({ reason: z.string().trim().min(1).max(1000) }).meta({ id: 'Reason' });
const number = ordinal;

export const differenceCalls = {
  importDifference: {
    method: 'GET',
    path: '/api/masters/{masterid}/difference',
    summary: 'Aktion bei Differenz für Importe',
    access: 'read',
    params: masterid,
    response: Stored,
  },
  saveImportDifference: {
    security: 'settings',
    method: 'POST',
    path: '/api/masters/{masterid}/difference',
    summary: 'Aktion bei Differenz für Importe speichern',
    access: 'edit',
    ifMatch: true,
    params: masterid,
    body: DifferenceSettingsSave,
    form: true,
    response: Saved,
  },
  exportDifference: {
    method: 'GET',
    path: '/api/exports/{id}/difference',
    summary: 'Aktion bei Differenz für Ausgaben',
    access: 'read',
    params: exportid,
    response: Stored,
  },
  saveExportDifference: {
    security: 'settings',
    method: 'POST',
    path: '/api/exports/{id}/difference',
    summary: 'Aktion bei Differenz für Ausgaben speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: DifferenceSettingsSave,
    form: true,
    response: Saved,
  },
  runDifference: {
    method: 'GET',
    path: '/api/runs/{runid}/difference',
    summary: 'Was ein Lauf gegenüber dem bisherigen Stand ändert',
    access: 'read',
    params: runid,
    response: RunDifference,
    question: 'catalogue',
  },
  exportFiles: {
    method: 'GET',
    path: '/api/exports/{id}/files',
    summary: 'Aufbewahrte Dateien eines Exports',
    access: 'read',
    params: exportid,
    response: z.array(StoredFile),
  },
  publishFile: {
    security: 'release',
    method: 'POST',
    path: '/api/exports/{id}/files/{number}/publish',
    summary: 'Eine aufbewahrte Datei wieder ausliefern',
    access: 'run',
    params: z.object({ id, number }),
    body: reason,
    response: Ok,
  },
  makeSnapshotLive: {
    security: 'release',
    method: 'POST',
    path: '/api/masters/{masterid}/snapshots/{number}/live',
    summary: 'Einen aufbewahrten Stand wieder in Kraft setzen',
    access: 'run',
    params: z.object({ masterid: id, number }),
    body: reason,
    response: Ok,
  },
} as const satisfies Record<string, Call>;
