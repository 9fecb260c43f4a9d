import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { LiveEvent } from '#shared/live/schema.ts';
import { listExports, resolveScope } from '#catalogue/exports.ts';
import { listMasters } from '#catalogue/masters.ts';
import { accountSubject } from '#marketplaces/accounts/update.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { Database } from '#platform/db/database.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { LiveStatus, type Listener } from './live.ts';
import { countUnread, listNotifications, markRead } from '#notifications/notifications.ts';

export type StatusDeps = {
  database: Database;
  log: Log;
  /** Whether the one who opened a stream may still listen (T13). */
  identify: (request: FastifyRequest) => Promise<Principal | null>;
  companyNameOf: (principal: Principal) => Promise<string>;
};

const beatMs = 25_000;
const recheckMs = 60_000;

/** LIV, HDR-01: what runs now, and what the company's people are told. */
export function statusRoutes(app: FastifyInstance, { database, log, identify, companyNameOf }: StatusDeps): void {
  const status = new LiveStatus(database, log);
  const open = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });

  route(app, api.live, async ({ principal, params, request, reply }) => {
    const subjects = await database.company(principal.company, async (trx) => {
      const accounts = await listAccounts(trx, principal.company);
      const asked = accounts.find(({ id }) => id === params.projectId);
      const { masterid } = asked ?? (await resolveScope(trx, principal.company, params.projectId));
      const exports = await listExports(trx, principal.company, masterid);
      return new Map<string, Omit<LiveEvent, 'state'>>([
        [`master:${masterid}`, { message: 'import', channel: '' }],
        ...exports.map(({ id }) => [`export:${id}`, { message: 'channel', channel: id }] as const),
        ...accounts
          .filter((account) => account.masterid === masterid)
          .map(({ id }) => [accountSubject(id), { message: 'channel', channel: id }] as const),
      ]);
    });
    const end = await stream(request, reply, { company: principal.company, subjects }, { status, identify });
    open.add(end);
    reply.raw.once('close', () => open.delete(end));
    return reply;
  });

  route(app, api.header, async ({ principal }) => {
    const company = await companyNameOf(principal);
    return database.company(principal.company, async (trx) => ({
      info: {
        company,
        active: (await listMasters(trx, principal.company)).some(({ live }) => live !== null),
      },
      messages: { count: await countUnread(trx, principal.company) },
    }));
  });
  route(app, api.notifications, ({ principal, query }) =>
    database.company(principal.company, (trx) => listNotifications(trx, principal.company, query)),
  );
  route(app, api.readNotifications, async ({ principal, body }) => {
    await database.company(principal.company, (trx) => markRead(trx, principal.company, body.ids));
    return { ok: true as const };
  });
}

type Streaming = { status: LiveStatus; identify: StatusDeps['identify'] };

/** Sends events until the listener goes, his session ends, or the program does; the returned function ends it. */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  { company, subjects }: Pick<Listener, 'company' | 'subjects'>,
  { status, identify }: Streaming,
): Promise<() => void> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  raw.write('retry: 5000\n\n');
  const last = Number(request.headers['last-event-id'] ?? 0);
  let next = Number.isSafeInteger(last) && last > 0 ? last : 0;
  const tell = (event: LiveEvent) => raw.write(`id: ${++next}\ndata: ${JSON.stringify(event)}\n\n`);
  const stop = await status.listen({ company, subjects, tell }, next > 0);
  if (raw.destroyed) {
    stop();
    return () => undefined;
  }
  const beat = setInterval(() => raw.write(': \n\n'), beatMs);
  const recheck = setInterval(() => {
    identify(request)
      .then((principal) => (principal?.company === company ? undefined : raw.end()))
      .catch(() => undefined);
  }, recheckMs);
  raw.once('close', () => {
    clearInterval(beat);
    clearInterval(recheck);
    stop();
  });
  // An answered connection would be kept for further questions, and the program would wait for it to go.
  return () => raw.end(() => raw.socket?.destroy());
}
