import { statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#platform/db/database.ts';

const pingMs = 500;
const leastFree = 0.02;
const leastFreeBytes = 500 * 1024 ** 2;

export type Readiness = { ready: boolean; reasons: string[] };

/** /livez: the event loop runs. /readyz: database in time, room on the disk, no shutdown begun. Neither shows data. */
export function healthRoutes(
  app: FastifyInstance,
  deps: { database: Database; dataFolder: string; stopping: () => boolean },
): void {
  app.get('/livez', (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    const { ready, reasons } = await readiness(deps);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok: ready, reasons });
  });
}

export async function readiness(deps: {
  database: Database;
  dataFolder: string;
  stopping: () => boolean;
}): Promise<Readiness> {
  const reasons: string[] = [];
  if (deps.stopping()) reasons.push('shutting down');
  const stop = new AbortController();
  const late = wait(pingMs, 'late' as const, { signal: stop.signal }).catch(() => 'late' as const);
  const answer = await Promise.race([
    deps.database.ping().then(
      () => 'ok' as const,
      () => 'down' as const,
    ),
    late,
  ]);
  stop.abort();
  if (answer !== 'ok') reasons.push(`database ${answer}`);
  const disk = await statfs(deps.dataFolder).catch(() => undefined);
  if (!disk) reasons.push('data folder unreadable');
  else if (disk.bavail / disk.blocks < leastFree && disk.bavail * disk.bsize < leastFreeBytes)
    reasons.push('disk nearly full');
  return { ready: reasons.length === 0, reasons };
}
