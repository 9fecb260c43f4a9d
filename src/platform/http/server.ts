import { requestCompany } from '#platform/duckdb/calculator-processes.ts';
import { Readable } from 'node:stream';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { z } from 'zod';
import type { AnswerOf, Call, Permission } from '#shared/http/call.ts';
import { factorMissing, KontorError, notAllowed, notIdentified, peopleOnly, stepUpRequired } from '#platform/errors.ts';
import { isParsedElsewhere, isForm, isReadElsewhere, readJsonAndForms, takesBody } from './bodies/body-parsers.ts';
import { BodyBudget, type BodyLimits } from './bodies/body-budget.ts';
import { waitForRoom } from './bodies/body-room.ts';
import { BODY_MS, limitBodyTime, refuseUnread } from './bodies/body-time.ts';
import { answerHeads } from './bodies/head-answers.ts';
import { errorBody, mediaTypeText } from './error-body.ts';
import { hasToken, refuseForeignOrigin } from './foreign-origin.ts';
import { limitRequests } from './limits/request-limit.ts';
import { singleProcessCounts, type SharedCounts } from './limits/shared-counts.ts';
import { protectionHeaders } from './protection-headers.ts';
import { packAnswers } from './answers/packed-answers.ts';
import type { RequestKeys } from './request-keys.ts';
import { fieldsOf, readInput, makeStorable, pathValues, revisionOf } from './read-input.ts';
import { limitConnectionWait } from './request-connection-wait.ts';
import { METRICS_PATH } from '#platform/telemetry/metrics-route.ts';
import { watchRequests } from '#platform/telemetry/watch-requests.ts';
import { type Metrics, noMetrics } from '#platform/telemetry/metrics.ts';
import type { Traces } from '#platform/telemetry/spans.ts';
import { Audit, type AuditSink } from './audit.ts';
import { largeAnswer } from './large-answer.ts';
import { type QuestionLimits, Questions } from './questions/questions.ts';
import { type Confirmation, confirmationOf } from './questions/confirmation.ts';
import { goneSignal, turnOf } from './questions/turn-of-request.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { unknownAddress } from './answers/unknown-address.ts';
import { trustProxyOption, type TrustedProxies } from './trusted-proxies.ts';

/** The sender of a request, identified by the session cookie or the bearer token, never by anything else in the request. */
export type Principal = {
  company: string;
  companyName: string;
  userId: string | undefined;
  name: string;
  email: string;
  role: string;
  permissions: readonly Permission[];
  /** 'token': other sites cannot make a browser send one, unlike a cookie. */
  by: 'session' | 'token';
  /** The installation's own token: whoever sets the installation's environment may do everything that its users may. */
  operator?: boolean;
  /** Sessions only. proven: password or second factor entered recently; factorMissing: one is required and not set up. */
  session?: { id: string; proven: boolean; factorMissing: boolean };
};

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export type HttpOptions = {
  log: Log;
  /** Identifies the sender of a request; null when nobody is signed in. */
  identify: (request: FastifyRequest) => Promise<Principal | null>;
  /** Proxies whose headers are trusted for the client's address (`request.ip`), the protocol and the host. */
  trustProxy?: TrustedProxies | undefined;
  /** Limits for catalogue questions, instead of the defaults. */
  questions?: QuestionLimits | undefined;
  /** Writes the security log. */
  audit?: AuditSink | undefined;
  metrics?: Metrics | undefined;
  /** Collector of spans. */
  traces?: Traces | undefined;
  /** Makes requests with an Idempotency-Key run once. */
  requestKeys?: RequestKeys | undefined;
  /** Time in ms in which an upload must have arrived; headers have a shorter limit. By default the 800 s of the specification. */
  uploadMs?: number | undefined;
  /** Time in ms in which the body of any other request must have arrived. */
  bodyMs?: number | undefined;
  /** Limits of memory for large bodies, instead of the defaults. */
  bodies?: BodyLimits | undefined;
  /** Request counts of the other processes. */
  counts?: SharedCounts | undefined;
  /** Limit for one user, or for one address if nobody is signed in. */
  requestsAMinute?: number | undefined;
};

/** Creates the server with everything that applies to all routes: request ids, limits, German errors, origin check, JSON only. */
export async function makeServer({
  log,
  identify,
  trustProxy,
  questions,
  audit,
  metrics = noMetrics,
  traces,
  requestKeys,
  bodies,
  counts = singleProcessCounts,
  requestsAMinute = 3000,
  uploadMs = 800_000,
  bodyMs = BODY_MS,
}: HttpOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    trustProxy: trustProxyOption(trustProxy),
    bodyLimit: 1024 * 1024,
    requestTimeout: uploadMs,
    clientErrorHandler: refuseUnread,
    connectionTimeout: 120_000,
    routerOptions: { maxParamLength: 2000 },
    genReqId: () => crypto.randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    // Every log line names its request (nameRequestInLog), not only lines written through the request.
    childLoggerFactory: (logger) => logger,
    forceCloseConnections: 'idle',
    // For refusals before a route is found: addresses that are too long or unreadable.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  app.server.headersTimeout = 20_000;
  app.decorateRequest('takeTurn', null);
  app.decorate('questions', new Questions(questions, metrics));
  app.decorate('bodyBudget', new BodyBudget(bodies));
  app.decorate('audit', audit ?? null);
  app.decorate('requestKeys', requestKeys ?? null);
  watchRequests(app, metrics, traces);
  readJsonAndForms(app);
  answerHeads(app);
  limitConnectionWait(app);
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
  const refusalOf = unknownAddress(app);
  app.setNotFoundHandler((request, reply) => answerError(refusalOf(request, reply), request, reply));
  identifyRequests(app, identify);
  limitBodyTime(app, bodyMs);
  await limitRequests(app, {
    most: requestsAMinute,
    counts,
    isFree: (url) => url.startsWith('/assets/') || isProbe(url),
  });
  await packAnswers(app);
  return app;
}

/** Identifies the sender of each request, and refuses requests that another site made a browser send. */
function identifyRequests(app: FastifyInstance, identify: HttpOptions['identify']): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(protectionHeaders(request));
    reply.header('x-request-id', request.id);
    // Health checks and metrics must not wait for a database that does not answer.
    if (request.url.startsWith('/assets/') || isProbe(request.url)) return;
    request.principal = await identify(request);
    await refuseForeignOrigin(request, app.getDecorator<AuditSink | null>('audit'));
  });
}

const isProbe = (url: string): boolean => url === '/livez' || url === '/readyz' || url === METRICS_PATH;

export type CallInput<C extends Call> = {
  /** Null on public calls if nobody is signed in; present on all others. */
  principal: Principal;
  params: OutputOf<C, 'params'>;
  query: OutputOf<C, 'query'>;
  body: C['answeredApart'] extends true ? Uint8Array : OutputOf<C, 'body'>;
  /** Aborted when the client disconnects before the response: work done only for the response may stop. */
  signal: AbortSignal;
  /** The call's event in the security log. */
  audit: Audit;
  request: FastifyRequest;
  reply: FastifyReply;
} & (C['ifMatch'] extends true ? Revised : unknown) &
  (C['confirmation'] extends true ? { confirmation: Confirmation } : unknown);
/** Revision number of the If-Match header; undefined without one. */
type Revised = { ifMatch: number | undefined };
type OutputOf<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodType
  ? z.output<C[K]>
  : undefined;
export type Handler<C extends Call> = (
  input: CallInput<C>,
) => Promise<
  C extends { answeredApart: true } | { writtenApart: true }
    ? Readable
    : C['response'] extends z.ZodType
      ? AnswerOf<C>
      : unknown
>;

const auditOf = (app: FastifyInstance, call: Call, request: FastifyRequest): Audit =>
  new Audit(app.getDecorator<AuditSink | null>('audit'), call, request);

const requestKeysOf = (app: FastifyInstance) => app.getDecorator<RequestKeys | null>('requestKeys');

const questionsOf = (app: FastifyInstance): Questions => app.getDecorator<Questions>('questions');

/** Registers the route of one call: permission, then params, query and body by schema, then the response by schema. */
export function route<C extends Call>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  app.route({
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(call.bodyLimit === undefined ? {} : { bodyLimit: call.bodyLimit }),
    config: { takesBody: takesBody(call), call },
    // Permission is checked before a byte of the body is read.
    preParsing: async (request, reply) => {
      await auditOf(app, call, request).watch(async () => allow(call, request));
      const company = call.access === 'public' ? '' : allow(call, request).company;
      await waitForRoom(app.getDecorator<BodyBudget>('bodyBudget'), { call, company }, request, reply);
      if (call.question !== undefined)
        request.takeTurn = turnOf(questionsOf(app), call.question, allow(call, request), reply);
    },
    // Lets DuckDB compute for the request in the process that already computes for its company.
    preHandler: (request, _reply, done) => {
      requestCompany.run(call.access === 'public' ? '' : allow(call, request).company, done);
    },
    handler: async (request, reply) => {
      const principal = allow(call, request);
      const signal = goneSignal(reply);
      const audit = auditOf(app, call, request);
      if (isForm(request) && call.form !== true && takesBody(call))
        throw new KontorError(415, 'media_type', mediaTypeText);
      const apart = isReadElsewhere(request) || isParsedElsewhere(request);
      makeStorable([request.params, request.query, call.body && !apart ? request.body : undefined]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member was just parsed by the call's own schema
      const input = {
        principal,
        params: readInput(call, 'params', pathValues(request.params)),
        query: readInput(call, 'query', request.query),
        body: apart
          ? (request.body ?? new Uint8Array())
          : readInput(
              call,
              'body',
              call.form === true && request.isMultipart() ? await fieldsOf(request) : request.body,
            ),
        ...(call.ifMatch === true ? { ifMatch: revisionOf(request.headers['if-match']) } : {}),
        signal,
        audit,
        request,
        reply,
      } as CallInput<C>;
      if (call.confirmation === true) Object.assign(input, { confirmation: confirmationOf(app, call, input) });
      const takeTurn = request.takeTurn;
      const perform = async () => {
        const answer = await audit.around(async () =>
          takeTurn === null
            ? handler(input)
            : questionsOf(app).ask(await takeTurn(), signal, (ended) => handler({ ...input, signal: ended })),
        );
        if (call.response === undefined) return answer;
        reply.type('application/json; charset=utf-8');
        if (answer instanceof Readable) return answer;
        if (call.large !== true || typeof answer !== 'object' || answer === null) return call.response.parse(answer);
        return largeAnswer(answer, input.signal);
      };
      return requestKeysOf(app)?.once({ call, request, input }, principal, perform) ?? perform();
    },
  });
}

function allow(call: Call, request: FastifyRequest): Principal {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handlers of public calls do not read it
  if (call.access === 'public') return request.principal as Principal;
  if (!request.principal) throw notIdentified(hasToken(request));
  if (!request.principal.permissions.includes(call.access)) {
    throw notAllowed();
  }
  if (call.people === true && request.principal.by === 'token' && request.principal.operator !== true)
    throw peopleOnly();
  if (request.principal.session?.factorMissing === true && call.withoutFactor !== true) throw factorMissing();
  if (call.stepUp === true) requireProof(request.principal);
  return request.principal;
}

/**
 * Requires a fresh proof for actions that a stolen open session must not reach. Programs with a token prove themselves with each
 * call.
 * @throws 403
 */
export function requireProof({ session }: Pick<Principal, 'session'>): void {
  if (session?.proven === false) throw stepUpRequired();
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, known, retryAfter } = errorBody(error, request.id);
  if (!known || status >= 500) request.log.error({ err: error, req: request }, 'request failed');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).header('cache-control', 'no-store').send(body);
}
