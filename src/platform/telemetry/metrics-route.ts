import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';
import type { PrometheusMetrics } from './prometheus.ts';

export const METRICS_PATH = '/metrics';

/** Registers the metrics' route, which needs its own token (KONTOR_METRICS_TOKEN); sessions and API tokens do not open it. */
export function metricsRoute(app: FastifyInstance, metrics: PrometheusMetrics, token: string): void {
  app.get(METRICS_PATH, async (request, reply) => {
    if (!hasToken(request, token))
      throw new KontorError(
        401,
        'metrics_token',
        'Diese Zahlen sieht nur, wer das Kennwort aus der Einstellung KONTOR_METRICS_TOKEN als „Authorization: Bearer …“ mitschickt.',
      );
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text());
  });
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Compares hashes of equal length in constant time, so that timing does not reveal how much of a guess was right. */
const hasToken = ({ headers }: FastifyRequest, token: string): boolean =>
  timingSafeEqual(hashOf(headers.authorization ?? ''), hashOf(`Bearer ${token}`));
