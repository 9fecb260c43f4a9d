import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { CompanyEvent, LiveEvent, RunOutcome } from '#shared/live/schema.ts';
import { listExports, resolveScope } from '#catalogue/exports.ts';
import { listMasters } from '#catalogue/masters.ts';
import { accountSubject } from '#marketplaces/accounts/update.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { Database } from '#platform/db/database.ts';
import { protectionHeaders } from '#platform/http/protection-headers.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { LiveStatus, type Listener } from './live.ts';
import { OpenStreams, type StreamLimits, writeToStream } from './open-streams.ts';
import { countUnread, listNotifications, markRead } from '#notifications/notifications.ts';

export type StatusDeps = {
  database: Database;
  log: Log;
  /** Identifies the caller again, to check whether he may still listen (T13). */
  identify: (request: FastifyRequest) => Promise<Principal | null>;
  companyNameOf: (principal: Principal) => Promise<string>;
  /** Milliseconds between these checks: the longest time that a stream outlives its session. */
  sessionCheckMs: number;
  /** Overrides the usual limits of concurrent streams. */
  streamLimits?: StreamLimits | undefined;
};

const beatMs = 25_000;
const MEDIA_TYPE = 'text/event-stream; charset=utf-8';

/** LIV, HDR-01: calls for what is running, and for the company's notifications. */
export function statusRoutes(app: FastifyInstance, deps: StatusDeps): void {
  const { database, log, companyNameOf } = deps;
  const status = new LiveStatus(database, log);
  const streams = new OpenStreams(deps.streamLimits);
  const open = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });

  const keep = (reply: FastifyReply, end: () => void) => {
    open.add(end);
    reply.raw.once('close', () => open.delete(end));
    return reply;
  };

  route(app, api.live, async ({ principal, params, request, reply }) => {
    const subjects = await database.company(principal.company, async (trx) => {
      const accounts = await listAccounts(trx, principal.company);
      const ownAccount = accounts.find(({ id }) => id === params.projectId);
      const { masterid } = ownAccount ?? (await resolveScope(trx, principal.company, params.projectId));
      const exports = await listExports(trx, principal.company, masterid);
      return new Map<string, Omit<LiveEvent, 'state'>>([
        [`master:${masterid}`, { message: 'import', channel: '' }],
        ...exports.map(({ id }) => [`export:${id}`, { message: 'channel', channel: id }] as const),
        ...accounts
          .filter((account) => account.masterid === masterid)
          .map(({ id }) => [accountSubject(id), { message: 'channel', channel: id }] as const),
      ]);
    });
    return keep(
      reply,
      await stream(request, reply, principal, { ...deps, status, streams }, (send, resumed) => ({
        begin: (running) => {
          for (const [subject, message] of subjects) {
            const runs = running.has(subject);
            if (runs || resumed) send({ ...message, state: runs ? 'run' : 'idle' });
          }
        },
        tell: (subject, state) => {
          const message = subjects.get(subject);
          if (message !== undefined) send({ ...message, state });
        },
      })),
    );
  });

  route(app, api.companyLive, async ({ principal, query: { age }, request, reply }) =>
    keep(
      reply,
      await stream(request, reply, principal, { ...deps, status, streams, age }, (send) => ({
        begin: (running, ended) => {
          for (const [subject, outcome] of ended) send(companyEvent(subject, 'idle', outcome));
          send(
            [...running].map((subject) => companyEvent(subject, 'run')),
            'running',
          );
        },
        tell: (subject, state, outcome) => send(companyEvent(subject, state, outcome)),
      })),
    ),
  );
  messageRoutes(app, { database, companyNameOf });
}

/** HDR-01: calls for the signed-in user, and for the company's notifications. */
function messageRoutes(
  app: FastifyInstance,
  { database, companyNameOf }: Pick<StatusDeps, 'database' | 'companyNameOf'>,
): void {
  route(app, api.header, async ({ principal }) => {
    const company = await companyNameOf(principal);
    return database.company(principal.company, async (trx) => ({
      info: {
        company,
        active: (await listMasters(trx, principal.company)).some(({ live }) => live !== null),
      },
      messages: { count: await countUnread(trx, principal) },
    }));
  });
  route(app, api.notifications, ({ principal, query }) =>
    database.company(principal.company, (trx) => listNotifications(trx, principal, query)),
  );
  route(app, api.readNotifications, async ({ principal, body }) => {
    await database.company(principal.company, (trx) => markRead(trx, principal, body.ids));
    return { ok: true as const };
  });
}

/** Returns the event that pages receive of a job: an import by its catalogue, everything else by its channel. */
function companyEvent(subject: string, state: CompanyEvent['state'], outcome: RunOutcome = 'done'): CompanyEvent {
  const at = subject.indexOf(':');
  const id = subject.slice(at + 1);
  const ended = state === 'idle' && outcome !== 'done' ? { outcome } : {};
  if (subject.startsWith('master:')) return { message: 'import', state, channel: '', masterid: id, ...ended };
  return { message: subject.startsWith('upload:') ? 'upload' : 'channel', state, channel: id, masterid: '', ...ended };
}

type Streaming = { status: LiveStatus; streams: OpenStreams; age?: number } & Pick<
  StatusDeps,
  'identify' | 'log' | 'sessionCheckMs'
>;
/** The events of a stream: at its start, and for every change. `resumed`: the listener had an earlier stream. */
type Saying = (
  send: (data: unknown, name?: string) => void,
  resumed: boolean,
) => {
  begin: (running: ReadonlySet<string>, ended: ReadonlyMap<string, RunOutcome>) => void;
  tell: Listener['tell'];
};

/**
 * Streams events until the listener disconnects, his session ends, his rights change, or the program stops; the returned function
 * ends it.
 */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  { status, streams, identify, log, sessionCheckMs, age }: Streaming,
  saying: Saying,
): Promise<() => void> {
  const { raw } = reply;
  if (request.method === 'HEAD') {
    await reply.type(MEDIA_TYPE).send();
    return () => undefined;
  }
  const leave = streams.enter(principal);
  raw.once('close', leave);
  if (raw.destroyed) leave();
  let answered = false;
  const answer = () => {
    if (answered) return;
    answered = true;
    reply.hijack();
    raw.writeHead(200, {
      ...protectionHeaders(request),
      'content-type': MEDIA_TYPE,
      'x-accel-buffering': 'no',
    });
    writeToStream(raw, 'retry: 5000\n\n');
  };
  const last = Number(request.headers['last-event-id'] ?? 0);
  let next = Number.isSafeInteger(last) && last > 0 ? last : 0;
  const send = (data: unknown, name?: string) => {
    answer();
    writeToStream(
      raw,
      `${name === undefined ? '' : `event: ${name}\n`}id: ${++next}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  };
  const { begin, tell } = saying(send, next > 0);
  // Queried before anything is answered: a database error is then answered as usual, and the reserved stream is released.
  const { running, ended, stop } = await status.listen({ company: principal.company, tell }, age);
  answer();
  begin(running, ended);
  if (raw.destroyed) {
    stop();
    return () => undefined;
  }
  const beat = setInterval(() => writeToStream(raw, ': \n\n'), beatMs);
  // After a change of role the client reconnects, with its new rights.
  const rightsOf = (one: Principal | null) => one && `${one.company} ${one.permissions.join(' ')}`;
  const recheck = setInterval(() => {
    identify(request)
      .then((now) => (rightsOf(now) === rightsOf(principal) ? undefined : raw.end()))
      // The stream stays until a later check: ended, its page would connect again, to the same failure.
      .catch((error: unknown) => log.warn({ err: error }, 'the session of an open stream could not be checked'));
  }, sessionCheckMs);
  raw.once('close', () => {
    clearInterval(beat);
    clearInterval(recheck);
    stop();
  });
  // Otherwise the connection would be kept alive for further requests, and the program would wait for it when it stops.
  return () => raw.end(() => raw.socket?.destroy());
}
