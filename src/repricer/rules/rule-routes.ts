import type { FastifyInstance } from 'fastify';
import { forMaster as on, type Place } from '#repricer/model/for-master.ts';
import { enqueue } from '#repricer/queue/queue.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import { type Principal, requireProof, route } from '#platform/http/server.ts';
import { unprocessable } from '#platform/errors.ts';
import { api } from '#shared/http/api.ts';
import { isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import { RuleId } from '#shared/rules/schema.ts';
import { decide } from '#repricer/decide/decide.ts';
import { readDecideRequest } from '#repricer/model/priced-item.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';
import { confirmLimits } from './confirm-limits.ts';
import {
  deleteRepricerRule,
  loadRepricerRules,
  reorderRepricerRules,
  rulesToChange,
  saveRepricerRule,
  withOrder,
  withRule,
} from './rule-store.ts';

type Caller = { principal: Principal; params: { masterid: string }; confirmation: Confirmation };
type List = readonly RepricerRule[];

/** Registers the routes of repricing rules (REP-16 to REP-19). */
export function repricerRuleRoutes(app: FastifyInstance, deps: SimulateDeps): void {
  const { database, clock } = deps;
  /** Queues every price that the rules concern. */
  const decideAgain = (trx: Trx, ref: Place) => enqueue(trx, ref, { cause: 'rule', now: clock.now() });
  const confirm = async ({ principal, params: { masterid }, confirmation }: Caller, after: (rules: List) => List) => {
    const ref = await on(database, principal, masterid, async (_trx, place) => place);
    await confirmLimits(deps, ref, after, confirmation);
  };

  route(app, api.repricerRules, ({ principal, params: { masterid } }) =>
    on(database, principal, masterid, async (trx, ref) => {
      const { rules } = await loadRepricerRules(trx, ref);
      return Object.fromEntries(rules.map((rule) => [rule.id, rule]));
    }),
  );
  route(app, api.saveRepricerRule, async (input) => {
    const { principal, params, body, ifMatch, audit } = input;
    const { masterid, ruleid: id } = params;
    const rule = { ...body, id };
    await confirm(input, (rules) => withRule(rules, rule));
    return on(database, principal, masterid, async (trx, ref) => {
      const wrong = wrongId(id, body.id);
      if (wrong !== undefined) throw unprocessable('rule_id', `${wrong} Es wurde nichts gespeichert.`);
      const { rules } = await rulesToChange(trx, ref);
      proveLimits(principal, rules, rule);
      const saved = await saveRepricerRule(trx, ref, rule, { author: principal.name, expected: ifMatch });
      await decideAgain(trx, ref);
      await audit.within(trx);
      return { ok: true as const, ...saved };
    });
  });
  route(app, api.deleteRepricerRule, async (input) => {
    const { principal, params, query, ifMatch, audit } = input;
    await confirm(input, (rules) => rules.filter(({ id }) => id !== query.queryselector));
    return on(database, principal, params.masterid, async (trx, ref) => {
      proveOtherLimits(principal, (await rulesToChange(trx, ref)).rules);
      const save = { author: principal.name, expected: ifMatch };
      const revision = await deleteRepricerRule(trx, ref, query.queryselector, save);
      await decideAgain(trx, ref);
      await audit.within(trx);
      return { ok: true as const, revision, message: 'Gelöscht' };
    });
  });
  route(app, api.orderRepricerRules, async (input) => {
    const { principal, params, body, ifMatch, audit } = input;
    await confirm(input, (rules) => withOrder(rules, body));
    return on(database, principal, params.masterid, async (trx, ref) => {
      proveOrder(principal, (await rulesToChange(trx, ref)).rules, body);
      const revision = await reorderRepricerRules(trx, ref, body, { author: principal.name, expected: ifMatch });
      await decideAgain(trx, ref);
      await audit.within(trx);
      return { ok: true as const, revision, message: 'Gespeichert' };
    });
  });
  route(app, api.decidePrice, ({ principal, params: { masterid }, body }) =>
    on(database, principal, masterid, async () => {
      const { item, offers } = readDecideRequest(body);
      return decide(readRule(body.rule), item, offers);
    }),
  );
}

/** Returns what is wrong with the id in the URL, or with the rule's own id. */
function wrongId(inAddress: string, own: string): string | undefined {
  if (!RuleId.safeParse(inAddress).success) return 'Die Kennung der Regel besteht aus 10 Buchstaben und Ziffern.';
  return own === '' || own === inAddress ? undefined : 'Die Kennung der Regel passt nicht zur Adresse.';
}

/** Returns whether a rule prices items. */
const runs = (rule: RepricerRule | undefined): boolean => rule !== undefined && rule.active && isComplete(rule);

function proveLimits(principal: Principal, rules: List, rule: RepricerRule): void {
  const before = rules.find(({ id }) => id === rule.id);
  if (changesLimits(before?.action, rule.action) || (runs(rule) && !runs(before))) requireProof(principal);
}

/** Rules saved with an order need proof as if saved alone; the order itself only if it changes. */
function proveOrder(principal: Principal, rules: List, body: Parameters<typeof withOrder>[1]): void {
  for (const rule of body.rules) proveLimits(principal, rules, rule);
  const idsOf = (list: List) => list.map(({ id }) => id).join();
  const unsorted = withOrder(rules, { ...body, ids: [] });
  if (idsOf(withOrder(rules, body)) !== idsOf(unsorted)) proveOtherLimits(principal, rules);
}

/**
 * Requires proof if a new order moves limits: another rule then decides some items, and the rules read limits from different
 * fields.
 */
function proveOtherLimits(principal: Principal, rules: List): void {
  const [first, ...others] = rules.map(({ action }) => action);
  if (first !== undefined && others.some((one) => changesLimits(first, one))) requireProof(principal);
}

/** Returns whether a rule reads a limit from another field than before: unwanted prices could then be sent. */
const changesLimits = (before: RepricerRule['action'] | undefined, after: RepricerRule['action']): boolean =>
  (['min_price', 'max_price', 'standard_price'] as const).some(
    (limit) => after[limit].value !== (before?.[limit].value ?? ''),
  );
