import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentConnectionWait, ConnectionWait, withConnectionWait } from '#platform/db/connection-wait.ts';

declare module 'fastify' {
  interface FastifyRequest {
    connectionWait: ConnectionWait | null;
  }
}

/** Lets all database work of a request wait two seconds in total for connections; after that it is answered with 503 (F12). */
export function limitConnectionWait(app: FastifyInstance): void {
  app.decorateRequest('connectionWait', null);
  const countWait = (request: FastifyRequest, _reply: unknown, done: () => void) => {
    request.connectionWait ??= currentConnectionWait() ?? new ConnectionWait();
    withConnectionWait(request.connectionWait, done);
  };
  app.addHook('onRequest', countWait);
  // Body parsing ends in an event of the connection, which has lost the request's async context.
  app.addHook('preHandler', countWait);
}
