import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lineContext, readParent } from './line-context.ts';
import { METRICS_PATH } from './metrics-route.ts';
import { isStream } from './request-metrics.ts';
import { activeSpan, runInSpan, type Span, type SpanStart, type Traces } from './spans.ts';

/** Asked every few seconds by machines; nobody looks for them in a trace, nor for files of pages. */
const quiet: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', METRICS_PATH]);

/** A span for each request, named by its route (never by its address: that holds names). */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, { raw }, done) => {
    if (quiet.has(request.routeOptions.url) || request.url.startsWith('/assets/')) return done();
    const start = startOf(request);
    const span = activeSpan()?.child(start) ?? traces.begin(start, parentOf(request));
    if (span) {
      spans.set(request, span);
      // Who goes away before the answer gets none: then nothing else tells.
      raw.once('close', () => end(span, raw));
    }
    runInSpan(span, done);
  });
  // Reading a body ends in an event of the connection, which knows nothing of the request.
  app.addHook('preHandler', (request, _reply, done) => runInSpan(spans.get(request), done));
  app.addHook('onResponse', async (request, { raw }) => {
    const span = spans.get(request);
    if (span) end(span, raw);
  });
}

/** An event stream is no work: it lasts as long as somebody listens. */
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

/** Where the header cannot be read, the trace that the request's lines carry. */
function parentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  const given = typeof traceparent === 'string' ? traceparent : undefined;
  return readParent(given) === undefined ? lineContext()?.trace : given;
}
