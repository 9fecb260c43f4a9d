import type { Call } from '#shared/http/call.ts';
import { Ok } from '#shared/http/call-parts.ts';
import { Installation } from './schema.ts';

/** Only for the installation's operator, whoever else holds 'admin'. */
export const operationCalls = {
  installation: {
    method: 'GET',
    path: '/api/installation',
    summary: 'Betrieb: letzte Sicherung, und ob nach einer Wiederherstellung angehalten ist',
    access: 'admin',
    response: Installation,
  },
  releaseOutgoing: {
    method: 'POST',
    path: '/api/installation/release',
    summary: 'Nach einer Wiederherstellung wieder senden: Preise, Bestand, Bestellmeldungen, Übertragungen',
    access: 'admin',
    response: Ok,
  },
} as const satisfies Record<string, Call>;
