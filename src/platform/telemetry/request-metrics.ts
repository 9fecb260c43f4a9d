import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lineContext, newTrace, traceOf, withLineContext } from './line-context.ts';
import type { Metrics } from './metrics.ts';

/** An event stream lasts as long as somebody listens: that is no time that anybody waited. */
const isStream = (contentType: unknown): boolean => String(contentType).startsWith('text/event-stream');

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

/** Every line that is written for a request names it, and the trace that it belongs to. */
export function nameRequestInLog(app: FastifyInstance): void {
  const traces = new WeakMap<FastifyRequest, string>();
  const name = (request: FastifyRequest, _reply: unknown, done: () => void) => {
    const trace = traces.get(request) ?? lineContext()?.trace ?? traceOf(request.headers['traceparent']) ?? newTrace();
    traces.set(request, trace);
    withLineContext({ request: request.id, trace }, done);
  };
  app.addHook('onRequest', name);
  // Reading a body ends in an event of the connection, which knows nothing of the request.
  app.addHook('preHandler', name);
}
