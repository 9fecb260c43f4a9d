import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { Ok } from '#shared/http/call-parts.ts';
import { InstallationUse } from './installation-use.ts';
import { Installation } from './schema.ts';

/** The key of a job of any company. */
const job = { company: z.string().min(1).max(100), id: z.string().min(1).max(100) };

/** Only for the installation's operator, not for other holders of 'admin'. */
export const operationCalls = {
  installation: {
    method: 'GET',
    path: '/api/installation',
    summary: 'Betrieb: letzte Sicherung, und ob nach einer Wiederherstellung angehalten ist',
    access: 'admin',
    response: Installation,
  },
  installationUse: {
    method: 'GET',
    path: '/api/installation/use',
    summary: 'Betrieb: Läufe aller Firmen, Speicher, Fassungen, gelöschte Firmen',
    question: 'records',
    access: 'admin',
    response: InstallationUse,
  },
  cancelJob: {
    security: 'operation',
    method: 'POST',
    path: '/api/installation/jobs/{company}/{id}/cancel',
    summary: 'Betrieb: einen Lauf irgendeiner Firma abbrechen',
    access: 'admin',
    params: z.object(job),
    response: Ok,
  },
  pauseJobs: {
    security: 'operation',
    method: 'POST',
    path: '/api/installation/jobs/pause',
    summary: 'Betrieb: keine neuen Läufe beginnen, oder wieder beginnen; was läuft, kommt zu seinem Ende',
    access: 'admin',
    body: z.strictObject({ paused: z.boolean() }),
    response: Ok,
  },
  drainProcess: {
    security: 'operation',
    method: 'POST',
    path: '/api/installation/processes/drain',
    summary: 'Betrieb: einen Prozess keine neuen Läufe beginnen lassen, oder wieder; was er tut, kommt zu seinem Ende',
    access: 'admin',
    body: z.strictObject({ name: z.string().min(1).max(300), drained: z.boolean() }),
    response: Ok,
  },
  retryJobs: {
    security: 'operation',
    method: 'POST',
    path: '/api/installation/jobs/retry',
    summary: 'Betrieb: gescheiterte Läufe erneut versuchen, ausgewählte oder alle einer Art',
    access: 'admin',
    body: z.union([
      z.strictObject({ jobs: z.array(z.object(job)).min(1).max(100) }),
      z.strictObject({ kind: z.string().min(1).max(100) }),
    ]),
    response: z.object({
      started: z.number().int(),
      refused: z.array(z.object({ ...job, message: z.string() })),
    }),
  },
  releaseOutgoing: {
    people: true,
    security: 'operation',
    stepUp: true,
    method: 'POST',
    path: '/api/installation/release',
    summary: 'Nach einer Wiederherstellung wieder senden: Preise, Bestand, Bestellmeldungen, Übertragungen',
    access: 'admin',
    response: Ok,
  },
} as const satisfies Record<string, Call>;
