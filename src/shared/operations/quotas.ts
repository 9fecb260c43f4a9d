import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';

export const quotaKinds = ['bytes', 'catalogues', 'exports', 'jobs'] as const;
export type QuotaKind = (typeof quotaKinds)[number];

/** A company's use of a quota; limit null: unlimited. */
export const QuotaUse = z
  .object({ kind: z.enum(quotaKinds), used: z.number(), limit: z.number().nullable() })
  .meta({ id: 'QuotaUse' });
export type QuotaUse = z.infer<typeof QuotaUse>;

export const quotaCalls = {
  quotas: {
    method: 'GET',
    path: '/api/quotas',
    summary: 'Was die Firma an Speicher, Katalogen, Exporten und wartenden Läufen benutzt, und wie viel sie darf',
    access: 'admin',
    response: z.array(QuotaUse),
  },
} as const satisfies Record<string, Call>;
