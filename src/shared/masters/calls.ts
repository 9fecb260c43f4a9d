import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, masterid } from '#shared/http/call-parts.ts';
import { ImportForm, ImportFromAddress } from '#shared/import/schema.ts';
import { FirstSteps } from './first-steps.ts';
import { Master, NewMaster, Snapshot } from './schema.ts';
import { Run } from '#shared/runs/schema.ts';

export const masterCalls = {
  masters: {
    method: 'GET',
    path: '/api/masters',
    summary: 'Kataloge auflisten',
    access: 'read',
    response: z.array(Master),
  },
  firstSteps: {
    method: 'GET',
    path: '/api/first-steps',
    summary: 'Wie weit die Firma auf dem Weg zur ersten Datei ist',
    access: 'read',
    response: FirstSteps,
  },
  createMaster: {
    method: 'POST',
    path: '/api/masters',
    summary: 'Katalog anlegen',
    access: 'edit',
    body: NewMaster,
    response: z.object({ masterid: id }),
  },
  master: {
    method: 'GET',
    path: '/api/masters/{masterid}',
    summary: 'Ein Katalog',
    access: 'read',
    params: masterid,
    response: Master,
  },
  /** Multipart (`file`, `options`) or JSON {url, options}; the route reads both itself. */
  import: {
    method: 'POST',
    path: '/api/masters/{masterid}/import',
    summary: 'Import starten: multipart mit file und options, oder JSON {url, options}',
    access: 'run',
    params: masterid,
    upload: { form: ImportForm, json: ImportFromAddress },
    response: z.object({ runid: id }),
  },
  importLimits: {
    method: 'GET',
    path: '/api/import-limits',
    summary: 'Wie groß eine Datei für einen Import sein darf, in Bytes: hochgeladen und von einer Adresse',
    access: 'read',
    response: z.object({ uploadBytes: z.number().int(), fetchBytes: z.number().int() }),
  },
  masterRuns: {
    method: 'GET',
    path: '/api/masters/{masterid}/runs',
    summary: 'Letzte Importe',
    access: 'read',
    params: masterid,
    response: z.array(Run),
  },
  snapshots: {
    method: 'GET',
    path: '/api/masters/{masterid}/snapshots',
    summary: 'Aufbewahrte Stände',
    access: 'read',
    params: masterid,
    response: z.array(Snapshot),
  },
} as const satisfies Record<string, Call>;
