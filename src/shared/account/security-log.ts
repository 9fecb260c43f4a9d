import { z } from 'zod';
import { day, MAX_INTEGER } from '#shared/values/schema.ts';
import { securityKinds, type Call } from '#shared/http/call.ts';

export const securityResults = ['done', 'begun', 'refused', 'failed'] as const;
export type SecurityResult = (typeof securityResults)[number];

const Filters = {
  kind: z.enum(securityKinds).optional(),
  result: z.enum(securityResults).optional(),
  /** Part of the actor's name or address. */
  person: z.string().max(200).default(''),
  from: day.optional(),
  to: day.optional(),
};
const Query = z.object({
  ...Filters,
  offset: z.coerce.number().int().min(0).max(MAX_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const FilterQuery = z.object(Filters);
export type SecurityFilters = z.output<typeof FilterQuery>;

export const SecurityEvent = z
  .object({
    number: z.number().int(),
    at: z.iso.datetime(),
    kind: z.enum(securityKinds),
    result: z.enum(securityResults),
    /** '' if nobody was signed in. */
    actor: z.string(),
    by: z.enum(['session', 'token', 'nobody']),
    address: z.string(),
    what: z.string(),
    subject: z.string(),
  })
  .meta({ id: 'SecurityEvent' });
export type SecurityEvent = z.infer<typeof SecurityEvent>;

/**
 * Result of the last check of the hash chain: null before the first; `broken` says in German where it breaks, '' if it is intact.
 */
export const ChainState = z.object({ verifiedAt: z.iso.datetime().nullable(), broken: z.string() });

export const securityLogCalls = {
  securityLog: {
    method: 'GET',
    path: '/api/security-log',
    summary: 'Sicherheitsprotokoll der Firma, das Neueste zuerst',
    access: 'admin',
    query: Query,
    response: z.object({
      total: z.number().int(),
      events: z.array(SecurityEvent),
      chain: ChainState,
      unknownTries: z.number().int(),
    }),
  },
  securityLogCsv: {
    method: 'GET',
    path: '/api/security-log/csv',
    summary: 'Sicherheitsprotokoll als CSV-Datei, mit denselben Filtern',
    access: 'admin',
    security: 'download',
    query: FilterQuery,
    mediaType: 'text/csv',
  },
  verifySecurityLog: {
    method: 'POST',
    path: '/api/security-log/verify',
    summary: 'Prüfen, ob jeder Eintrag des Sicherheitsprotokolls noch so dasteht, wie er geschrieben wurde',
    access: 'admin',
    response: ChainState,
  },
} as const satisfies Record<string, Call>;
