import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { route } from '#platform/http/server.ts';
import { type ExampleDeps, hasExamples, removeExamples } from './examples.ts';

/** Calls that tell whether a company still has the examples of its first start, and that remove them. */
export function exampleRoutes(app: FastifyInstance, deps: ExampleDeps): void {
  route(app, api.examples, async ({ principal }) => ({ present: await hasExamples(deps, principal.company) }));

  route(app, api.removeExamples, async ({ principal, audit }) => {
    await removeExamples(deps, principal.company, (trx) => audit.within(trx));
    return { ok: true as const };
  });
}
