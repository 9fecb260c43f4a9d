import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, masterid, Saved } from '#shared/http/call-parts.ts';
import { Run } from '#shared/runs/schema.ts';
import { SaveImportSchedule, SaveSchedule, Schedule } from './schema.ts';

const Started = z.object({ runid: id }).meta({ id: 'StartedRun' });

export const scheduleCalls = {
  importSchedule: {
    method: 'GET',
    path: '/api/masters/{masterid}/schedule',
    summary: 'Zeitplan der Importe',
    access: 'read',
    params: masterid,
    response: Schedule,
  },
  saveImportSchedule: {
    method: 'POST',
    path: '/api/masters/{masterid}/schedule',
    summary: 'Zeitplan der Importe speichern; address ist die Adresse, von der geholt wird, leer: die gespeicherte',
    access: 'edit',
    ifMatch: true,
    params: masterid,
    body: SaveImportSchedule,
    response: Saved,
  },
  runImportSchedule: {
    method: 'POST',
    path: '/api/masters/{masterid}/schedule/run',
    summary: 'Jetzt von der gespeicherten Adresse importieren',
    access: 'run',
    params: masterid,
    response: Started,
  },
  exportSchedule: {
    method: 'GET',
    path: '/api/exports/{id}/schedule',
    summary: 'Zeitplan eines Exports',
    access: 'read',
    params: exportid,
    response: Schedule,
  },
  saveExportSchedule: {
    method: 'POST',
    path: '/api/exports/{id}/schedule',
    summary: 'Zeitplan eines Exports speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: SaveSchedule,
    response: Saved,
  },
  stockSchedule: {
    method: 'GET',
    path: '/api/exports/{id}/stock-schedule',
    summary: 'Zeitplan der Datei mit Bestand und Preis, und ihre letzten Läufe',
    access: 'read',
    params: exportid,
    response: z.object({ schedule: Schedule, runs: z.array(Run) }),
  },
  saveStockSchedule: {
    method: 'POST',
    path: '/api/exports/{id}/stock-schedule',
    summary: 'Zeitplan der Datei mit Bestand und Preis speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: SaveSchedule,
    response: Saved,
  },
  runStock: {
    method: 'POST',
    path: '/api/exports/{id}/stock-run',
    summary: 'Nur Bestand und Preis neu ausgeben',
    access: 'run',
    params: exportid,
    response: Started,
  },
} as const satisfies Record<string, Call>;
