import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Whether a response is an event stream: it lasts as long as a client listens, which is no waiting time. */
export const isStream = (contentType: unknown): boolean => String(contentType).startsWith('text/event-stream');

/** Counts and times requests by route (never by address, which contains names), method and status. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const seconds = metrics.durations(
    'kontor_http_request_seconds',
    'How long requests took until their response was sent.',
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
