import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { knownFields } from '#catalogue/snapshots.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { loadState, type RuleParts } from './rule-request.ts';
import { ruleCounts } from './counts.ts';
import { ruleEffect } from './effect.ts';
import { ruleFindings } from './findings.ts';
import { PreviewBases } from './preview-bases.ts';

/** Questions about rules as they stand in a form; nothing is saved by asking (RUL-11). */
export function effectRoutes(app: FastifyInstance, parts: RuleParts): void {
  const bases = new PreviewBases(parts.duck);
  app.addHook('onClose', async () => bases.close());
  const stateOf = (company: string, id: string, rules: readonly Rule[]) =>
    parts.database.company(company, (trx) => loadState(trx, company, id, { ...parts, rules }));

  route(app, api.ruleEffect, async ({ who, params, body, signal }) => {
    const state = await stateOf(who.company, params.masterid, body.rules);
    const place = body.rules.findIndex((rule) => rule.id === body.data);
    if (place === -1) throw notFound('Diese Regel');
    return ruleEffect({ ...parts, bases }, state, { rules: body.rules, place }, signal);
  });

  route(app, api.ruleCounts, async ({ who, params, body, signal }) => {
    return ruleCounts(parts, await stateOf(who.company, params.masterid, body.rules), body.rules, signal);
  });

  route(app, api.ruleFindings, async ({ who, params, body, signal }) => {
    const { state, earlier } = await parts.database.company(who.company, async (trx) => {
      const state = await loadState(trx, who.company, params.masterid, { ...parts, rules: body.rules });
      const known = await knownFields(trx, who.company, state.scope.masterid);
      return { state, earlier: new Set(known.map(({ name }) => name)) };
    });
    return { findings: await ruleFindings(parts, state, body.rules, earlier, signal) };
  });
}
