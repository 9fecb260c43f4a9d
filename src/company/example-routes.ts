import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { route } from '#platform/http/server.ts';
import { type ExampleDeps, hasExamples, removeExamples } from './examples.ts';

/** Whether a company still holds the examples of its first start, and their removal. */
export function exampleRoutes(app: FastifyInstance, deps: ExampleDeps): void {
  route(app, api.examples, async ({ principal }) => ({ present: await hasExamples(deps, principal.company) }));

  route(app, api.removeExamples, async ({ principal, audit }) => {
    await removeExamples(deps, principal.company, (trx) => audit.within(trx));
    return { ok: true as const };
  });
}
