import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lineContext, newTrace, traceOf, withLineContext } from './line-context.ts';
import type { Metrics } from './metrics.ts';
import { measureRequests } from './request-metrics.ts';
import { traceRequests } from './request-spans.ts';
import type { Traces } from './spans.ts';

/** Names requests in the log, measures them, and gives them spans if `traces` are collected. */
export function watchRequests(app: FastifyInstance, metrics: Metrics, traces: Traces | undefined): void {
  nameRequestInLog(app);
  if (traces) traceRequests(app, traces);
  measureRequests(app, metrics);
}

/** Makes every log line written for a request carry its id and trace. */
function nameRequestInLog(app: FastifyInstance): void {
  const traces = new WeakMap<FastifyRequest, string>();
  const name = (request: FastifyRequest, _reply: unknown, done: () => void) => {
    const trace = traces.get(request) ?? lineContext()?.trace ?? traceOf(request.headers['traceparent']) ?? newTrace();
    traces.set(request, trace);
    withLineContext({ request: request.id, trace }, done);
  };
  app.addHook('onRequest', name);
  // Body parsing ends in an event of the connection, which has lost the request's async context.
  app.addHook('preHandler', name);
}
