import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, masterid, Saved } from '#shared/http/call-parts.ts';
import { FoundStockFields } from './stock-fields.ts';
import { Export, ExportSettingsSave, NewExport } from './schema.ts';
import { Run } from '#shared/runs/schema.ts';

const notModified = 'Seit If-None-Match oder If-Modified-Since gibt es keine andere Datei';

export const exportCalls = {
  createExport: {
    method: 'POST',
    path: '/api/masters/{masterid}/exports',
    summary: 'Export anlegen',
    access: 'edit',
    params: masterid,
    body: NewExport,
    response: z.object({ id }),
  },
  export: {
    method: 'GET',
    path: '/api/exports/{id}',
    summary: 'Ein Export',
    access: 'read',
    params: exportid,
    response: Export,
  },
  saveExport: {
    method: 'POST',
    path: '/api/exports/{id}/settings',
    summary: 'Einstellungen eines Exports speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: ExportSettingsSave,
    response: Saved,
  },
  renewFeedAddress: {
    security: 'secret',
    stepUp: true,
    method: 'POST',
    path: '/api/exports/{id}/feed-address',
    summary: 'Neue geheime Adressen eines Exports; die bisherigen enden sofort oder nach sieben Tagen',
    access: 'edit',
    params: exportid,
    body: z.object({ graceDays: z.union([z.literal(0), z.literal(7)]) }),
    response: z.object({ pullPath: z.string() }),
  },
  runExport: {
    method: 'POST',
    path: '/api/exports/{id}/run',
    summary: 'Export starten; full=1 schreibt die ganze Datei, auch wo nur Änderungen übergeben werden',
    access: 'run',
    params: exportid,
    query: z.object({ full: z.literal('1').optional() }),
    response: z.object({ runid: id }),
  },
  exportRuns: {
    method: 'GET',
    path: '/api/exports/{id}/runs',
    summary: 'Letzte Läufe eines Exports',
    access: 'read',
    params: exportid,
    response: z.array(Run),
  },
  exportUploads: {
    method: 'GET',
    path: '/api/exports/{id}/uploads',
    summary: 'Letzte Übertragungen der Datei eines Exports auf den Server des Kanals',
    access: 'read',
    params: exportid,
    response: z.array(Run),
  },
  stockFields: {
    method: 'GET',
    path: '/api/exports/{id}/stock-fields',
    summary: 'Feed-Typ 3: welche Felder Artikelnummer, Bestand und Preis sind',
    access: 'read',
    params: exportid,
    response: FoundStockFields,
  },
  exportFile: {
    security: 'download',
    method: 'GET',
    path: '/api/exports/{id}/file',
    summary: 'Zuletzt angenommene Datei',
    access: 'read',
    params: exportid,
    others: { 304: notModified },
  },
  feed: {
    method: 'GET',
    path: '/feeds/{token}/{name}',
    summary: 'Datei unter ihrer geheimen Adresse; name ist der Dateiname oder ein Feed-Typ',
    access: 'public',
    params: z.object({ token: z.string().min(20).max(100), name: z.string().min(1).max(200) }),
    others: {
      206: 'Der Teil, den Range nennt',
      302: 'Die Datei liegt unter der Adresse in Location, die nicht lange gilt (wo der Speicher ein eigener Dienst ist)',
      304: notModified,
      416: 'Den Teil, den Range nennt, gibt es nicht',
    },
  },
} as const satisfies Record<string, Call>;
