import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentPatience, Patience, withPatience } from '#platform/db/patience.ts';

declare module 'fastify' {
  interface FastifyRequest {
    patience: Patience | null;
  }
}

/** Lets all database work of a request wait two seconds in total for connections; after that it is answered with 503 (F12). */
export function limitPatience(app: FastifyInstance): void {
  app.decorateRequest('patience', null);
  const bePatient = (request: FastifyRequest, _reply: unknown, done: () => void) => {
    request.patience ??= currentPatience() ?? new Patience();
    withPatience(request.patience, done);
  };
  app.addHook('onRequest', bePatient);
  // Body parsing ends in an event of the connection, which has lost the request's async context.
  app.addHook('preHandler', bePatient);
}
