import type { FastifyInstance } from 'fastify';
import { onMaster as on, type Place } from '#repricer/model/on-master.ts';
import { enqueue } from '#repricer/queue/queue.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { type Principal, requireProof, route } from '#platform/http/server.ts';
import { unprocessable } from '#platform/errors.ts';
import { api } from '#shared/http/api.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { RuleId } from '#shared/rules/schema.ts';
import { decide } from '#repricer/decide/decide.ts';
import { readDecideRequest } from '#repricer/model/priced-item.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import { deleteRepricerRule, loadRepricerRules, orderRepricerRules, saveRepricerRule } from './rule-store.ts';

/** Repricing rules (REP-16 to REP-19). */
export function repricerRuleRoutes(
  app: FastifyInstance,
  { database, clock }: { database: Database; clock: Clock },
): void {
  /** Every price that the rules concern is decided again. */
  const decideAgain = (trx: Trx, ref: Place) => enqueue(trx, ref, { cause: 'rule', now: clock.now() });

  route(app, api.repricerRules, ({ principal, params: { masterid } }) =>
    on(database, principal, masterid, async (trx, ref) => {
      const { rules } = await loadRepricerRules(trx, ref);
      return Object.fromEntries(rules.map((rule) => [rule.id, rule]));
    }),
  );
  route(app, api.saveRepricerRule, ({ principal, params: { masterid, ruleid }, body, ifMatch, audit }) =>
    on(database, principal, masterid, async (trx, ref) => {
      const id = RuleId.safeParse(ruleid);
      if (!id.success || (body.id !== '' && body.id !== ruleid))
        throw unprocessable('rule_id', 'Die Kennung der Regel passt nicht zur Adresse. Es wurde nichts gespeichert.');
      const rule = { ...body, id: ruleid };
      const { rules } = await loadRepricerRules(trx, ref);
      if (changesLimits(rules.find(({ id }) => id === ruleid)?.action, rule.action)) requireProof(principal);
      const saved = await saveRepricerRule(trx, ref, rule, { author: principal.name, expected: ifMatch });
      await decideAgain(trx, ref);
      await audit.within(trx);
      return { ok: true as const, ...saved };
    }),
  );
  route(app, api.deleteRepricerRule, ({ principal, params: { masterid }, query, ifMatch, audit }) =>
    on(database, principal, masterid, async (trx, ref) => {
      await proveOtherLimits(principal, trx, ref);
      const save = { author: principal.name, expected: ifMatch };
      const revision = await deleteRepricerRule(trx, ref, query.queryselector, save);
      await decideAgain(trx, ref);
      await audit.within(trx);
      return { ok: true as const, revision, message: 'Gelöscht' };
    }),
  );
  route(app, api.orderRepricerRules, ({ principal, params: { masterid }, body, ifMatch, audit }) =>
    on(database, principal, masterid, async (trx, ref) => {
      await proveOtherLimits(principal, trx, ref);
      const revision = await orderRepricerRules(trx, ref, body.ids, { author: principal.name, expected: ifMatch });
      await decideAgain(trx, ref);
      await audit.within(trx);
      return { ok: true as const, revision, message: 'Gespeichert' };
    }),
  );
  route(app, api.decidePrice, ({ principal, params: { masterid }, body }) =>
    on(database, principal, masterid, async () => {
      const { item, offers } = readDecideRequest(body);
      return decide(readRule(body.rule), item, offers);
    }),
  );
}

/** Another rule then decides some items: where the rules take their limits from different fields, that moves limits like another field does. */
async function proveOtherLimits(principal: Principal, trx: Trx, ref: Place): Promise<void> {
  const { rules } = await loadRepricerRules(trx, ref);
  const [first, ...others] = rules.map(({ action }) => action);
  if (first !== undefined && others.some((one) => changesLimits(first, one))) requireProof(principal);
}

/** Whether a rule takes a limit from another field than it did: prices could then be sent that nobody wants. */
const changesLimits = (before: RepricerRule['action'] | undefined, after: RepricerRule['action']): boolean =>
  (['min_price', 'max_price', 'standard_price'] as const).some(
    (limit) => after[limit].value !== (before?.[limit].value ?? ''),
  );
