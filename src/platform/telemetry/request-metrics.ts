import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** An event stream lasts as long as somebody listens: that is no time that anybody waited. */
export const isStream = (contentType: unknown): boolean => String(contentType).startsWith('text/event-stream');

/** Counts and times what is answered, by route (never by address: that holds names), method and status. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const seconds = metrics.durations(
    'kontor_http_request_seconds',
    'How long requests took until their answer was sent.',
    ['method', 'route', 'status'],
  );
  app.addHook('onResponse', async (request, reply) => {
    if (isStream(reply.raw.getHeader('content-type'))) return;
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.raw.statusCode),
    };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
}
