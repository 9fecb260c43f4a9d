import type { FastifyInstance } from 'fastify';
import { onMaster as on } from './on-master.ts';
import type { Database } from '#platform/db.ts';
import { route } from '#platform/http.ts';
import { unprocessable } from '#platform/errors.ts';
import { api } from '#shared/api.ts';
import { RuleId } from '#shared/rules.ts';
import { decide } from './decide.ts';
import { readRule } from './read-rule.ts';
import { deleteRepricerRule, loadRepricerRules, orderRepricerRules, saveRepricerRule } from './rule-store.ts';

/** Repricing rules (REP-16 to REP-19). */
export function repricerRuleRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.repricerRules, ({ who, params: { masterid } }) =>
    on(database, who, masterid, async (trx, place) => {
      const { rules } = await loadRepricerRules(trx, place);
      return Object.fromEntries(rules.map((rule) => [rule.id, rule]));
    }),
  );
  route(app, api.saveRepricerRule, ({ who, params: { masterid, ruleid }, body, ifMatch }) =>
    on(database, who, masterid, async (trx, place) => {
      const id = RuleId.safeParse(ruleid);
      if (!id.success || (body.id !== '' && body.id !== ruleid))
        throw unprocessable('rule_id', 'Die Kennung der Regel passt nicht zur Adresse. Es wurde nichts gespeichert.');
      const rule = { ...body, id: ruleid };
      return {
        ok: true as const,
        ...(await saveRepricerRule(trx, place, rule, { author: who.name, expected: ifMatch })),
      };
    }),
  );
  route(app, api.deleteRepricerRule, ({ who, params: { masterid }, query, ifMatch }) =>
    on(database, who, masterid, async (trx, place) => {
      const save = { author: who.name, expected: ifMatch };
      const revision = await deleteRepricerRule(trx, place, query.queryselector, save);
      return { ok: true as const, revision, message: 'Gelöscht' };
    }),
  );
  route(app, api.orderRepricerRules, ({ who, params: { masterid }, body, ifMatch }) =>
    on(database, who, masterid, async (trx, place) => {
      const revision = await orderRepricerRules(trx, place, body.ids, { author: who.name, expected: ifMatch });
      return { ok: true as const, revision, message: 'Gespeichert' };
    }),
  );
  route(app, api.decidePrice, ({ who, params: { masterid }, body }) =>
    on(database, who, masterid, async () => decide(readRule(body.rule), body.item, body.offers)),
  );
}
