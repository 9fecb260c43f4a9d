import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lineContext, newTrace, traceOf, withLineContext } from './line-context.ts';
import type { Metrics } from './metrics.ts';
import { measureRequests } from './request-metrics.ts';
import { traceRequests } from './request-spans.ts';
import type { Traces } from './spans.ts';

/** Names requests in the log, measures them, and gives them spans where `traces` are collected. */
export function watchRequests(app: FastifyInstance, metrics: Metrics, traces: Traces | undefined): void {
  nameRequestInLog(app);
  if (traces) traceRequests(app, traces);
  measureRequests(app, metrics);
}

/** Every line that is written for a request names it, and the trace that it belongs to. */
function nameRequestInLog(app: FastifyInstance): void {
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
