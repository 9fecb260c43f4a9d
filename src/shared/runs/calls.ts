import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, offset, runid } from '#shared/http/call-parts.ts';
import { RejectedRow, Run } from './schema.ts';

export const runCalls = {
  run: {
    method: 'GET',
    path: '/api/runs/{runid}',
    summary: 'Stand eines Laufs',
    access: 'read',
    params: runid,
    response: Run,
  },
  rejected: {
    method: 'GET',
    path: '/api/runs/{runid}/rejected',
    summary: 'Abgelehnte und doppelte Zeilen',
    access: 'read',
    params: runid,
    query: z.object({
      offset,
      limit: z.coerce.number().int().min(1).max(1000).default(100),
    }),
    response: z.object({ rows: z.array(RejectedRow), total: z.number().int() }),
    question: 'records',
  },
  cancelRun: {
    method: 'POST',
    path: '/api/runs/{runid}/cancel',
    summary: 'Lauf abbrechen',
    access: 'run',
    params: runid,
    response: Run,
  },
  retryRun: {
    method: 'POST',
    path: '/api/runs/{runid}/retry',
    summary: 'Einen gescheiterten Lauf noch einmal starten',
    access: 'run',
    params: runid,
    response: z.object({ runid: id }),
  },
  releaseRun: {
    security: 'release',
    method: 'POST',
    path: '/api/runs/{runid}/release',
    summary: 'Zurückgehaltenen Stand freigeben',
    access: 'run',
    params: runid,
    body: z.object({ reason: z.string().trim().min(1).max(1000) }),
    response: Run,
  },
} as const satisfies Record<string, Call>;
