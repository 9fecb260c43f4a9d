import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentPatience, Patience, withPatience } from '#platform/db/patience.ts';

declare module 'fastify' {
  interface FastifyRequest {
    patience: Patience | null;
  }
}

/** Lets all that a request asks of the database wait two seconds for connections, then it is answered with 503 (F12). */
export function limitPatience(app: FastifyInstance): void {
  app.decorateRequest('patience', null);
  const bePatient = (request: FastifyRequest, _reply: unknown, done: () => void) => {
    request.patience ??= currentPatience() ?? new Patience();
    withPatience(request.patience, done);
  };
  app.addHook('onRequest', bePatient);
  // Reading a body ends in an event of the connection, which knows nothing of the request.
  app.addHook('preHandler', bePatient);
}
