import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { FacetCache } from '#catalogue/facets/facet-cache.ts';
import { knownFields } from '#catalogue/snapshots.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { loadMappingHeads } from '#feed/stages/assignments/store.ts';
import { loadState, type RuleDeps } from './rule-request.ts';
import { ruleAnswer } from './answer-in-duckdb-process.ts';
import { ruleEffect } from './effect.ts';
import { ruleFacet } from './rule-facet.ts';
import { PreviewBases } from './preview-bases.ts';

/** Queries about rules as they are in a form; nothing is saved (RUL-11). */
export function effectRoutes(app: FastifyInstance, deps: RuleDeps): void {
  const bases = new PreviewBases(deps.duckdb);
  app.addHook('onClose', async () => bases.close());
  const stateOf = (company: string, id: string, rules: readonly Rule[]) =>
    deps.database.company(company, (trx) => loadState(trx, company, id, { ...deps, rules }));

  route(app, api.ruleEffect, async ({ principal, params, body, signal }) => {
    const state = await stateOf(principal.company, params.masterid, body.rules);
    const index = body.rules.findIndex((rule) => rule.id === body.data);
    if (index === -1) throw notFound('Diese Regel');
    return ruleEffect({ ...deps, bases }, state, { rules: body.rules, index }, signal);
  });

  const facets = new FacetCache();
  route(app, api.ruleFacet, async ({ principal, params, body: { data, ...asked }, signal }) => {
    const state = await stateOf(principal.company, params.masterid, asked.rules);
    const index = asked.rules.findIndex((rule) => rule.id === data);
    if (index === -1) throw notFound('Diese Regel');
    return ruleFacet({ ...deps, facets }, state, { ...asked, index }, signal);
  });

  route(app, api.ruleCounts, async ({ principal, params, body, signal }) => {
    const state = await stateOf(principal.company, params.masterid, body.rules);
    return ruleAnswer(deps.duckdb, 'counts', { state, ...body }, signal);
  });

  route(app, api.ruleFindings, async ({ principal, params, body, signal }) => {
    const known = await deps.database.company(principal.company, async (trx) => {
      const state = await loadState(trx, principal.company, params.masterid, { ...deps, rules: body.rules });
      const fields = await knownFields(trx, principal.company, state.scope.masterid);
      const { mappings } = await loadMappingHeads(trx, principal.company, state.scope.masterid);
      return {
        state,
        earlier: new Set(fields.map(({ name }) => name)),
        mappings: mappings.map(({ name, active }) => ({ name, active })),
      };
    });
    return ruleAnswer(deps.duckdb, 'findings', { ...known, ...body }, signal);
  });
}
