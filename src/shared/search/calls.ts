import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { SearchAnswer } from './schema.ts';

export const searchCalls = {
  search: {
    method: 'GET',
    path: '/api/search',
    summary: 'Kataloge, Exporte, Konten bei Marktplätzen, Regeln und Artikel nach Name oder Nummer suchen',
    access: 'read',
    query: z.object({ q: z.string().trim().min(1).max(200) }),
    response: SearchAnswer,
    question: 'catalogue',
  },
} as const satisfies Record<string, Call>;
