import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lineContext, readParent } from './line-context.ts';
import { METRICS_PATH } from './metrics-route.ts';
import { isStream } from './request-metrics.ts';
import { activeSpan, runInSpan, type Span, type SpanStart, type Traces } from './spans.ts';

/** Routes requested every few seconds by machines; like files of pages, they are of no interest in traces. */
const quiet: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', METRICS_PATH]);

/** Creates a span for each request, named by its route (never by its address, which contains names). */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, { raw }, done) => {
    if (quiet.has(request.routeOptions.url) || request.url.startsWith('/assets/')) return done();
    const start = startOf(request);
    const span = activeSpan()?.child(start) ?? traces.begin(start, parentOf(request));
    if (span) {
      spans.set(request, span);
      // If the client disconnects before the response, no other event ends the span.
      raw.once('close', () => end(span, raw));
    }
    runInSpan(span, done);
  });
  // Body parsing ends in an event of the connection, which has lost the request's async context.
  app.addHook('preHandler', (request, _reply, done) => runInSpan(spans.get(request), done));
  app.addHook('onResponse', async (request, { raw }) => {
    const span = spans.get(request);
    if (span) end(span, raw);
  });
}

/** Ends a request's span. Event streams are dropped: they last as long as a client listens. */
function end(span: Span, raw: FastifyReply['raw']): void {
  if (isStream(raw.getHeader('content-type'))) return;
  if (raw.writableFinished) span.set({ 'http.response.status_code': raw.statusCode }, raw.statusCode >= 500);
  else span.set({ 'error.type': 'gone' });
  span.end();
}

function startOf(request: FastifyRequest): SpanStart {
  const { method } = request;
  const route = request.routeOptions.url;
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) },
  };
}

/** Returns the parent of a request's span; if its header is unreadable, the trace of the request's log lines. */
function parentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  const given = typeof traceparent === 'string' ? traceparent : undefined;
  return readParent(given) === undefined ? lineContext()?.trace : given;
}
