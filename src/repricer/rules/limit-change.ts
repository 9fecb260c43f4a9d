import type { Trx } from '#platform/db/database.ts';
import { type LimitChange, type LimitMoves, type LimitsQuestion, otherLimits } from '#shared/repricer/before-save.ts';
import { isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import {
  type Fields,
  fieldsOfRules,
  ruleFor,
  runningRules,
  type RunningRule,
} from '#repricer/decide/decide-listing.ts';
import { limitOf } from '#repricer/gate/gate-limits.ts';
import { fieldsNow } from '#repricer/model/item-fields.ts';
import { listingPage, type Listing } from '#repricer/model/listings.ts';
import { loadRepricerRules } from './rule-store.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';

const chunk = 5000;

type Limits = { min: number | null; max: number | null; standard: number | null };
type Offer = Pick<Listing, 'item' | 'marketplace'>;
type Pair = { before: RunningRule[]; after: RunningRule[] };

/**
 * T26: returns how the limits of our offers move if these rules are saved, sorted or deleted, using the fields after the master's
 * rules. Counts the changes of running rules for offers that have a rule, and those that a paused rule would make if it ran: its
 * fields are chosen while it is paused, and it is activated with a click.
 */
export async function limitChange(
  deps: SimulateDeps,
  ref: { company: string; masterid: string },
  question: LimitsQuestion,
  signal: AbortSignal,
): Promise<LimitChange> {
  const { database } = deps;
  const { rules } = await database.company(ref.company, (trx) => loadRepricerRules(trx, ref));
  const counter = new LimitCounter(rules, question);
  const names = fieldsOfRules([...rules, ...question.rules]);
  let after = { marketplace: '', item: '' };
  for (;;) {
    signal.throwIfAborted();
    const page: Listing[] = await database.company(ref.company, (trx: Trx) => listingPage(trx, ref, after, chunk));
    const items = [...new Set(page.map(({ item }) => item))];
    const { fields } = await fieldsNow(deps, ref, { items, names, signal });
    for (const { item, marketplace } of page) counter.add({ item, marketplace }, fields.get(item) ?? {});
    const last = page.at(-1);
    if (last === undefined || page.length < chunk) return counter.change;
    after = { marketplace: last.marketplace, item: last.item };
  }
}

const none = (): LimitMoves => ({ up: 0, down: 0, halved: 0, come: 0, gone: 0 });

/** Counts the changes of limits offer by offer. */
export class LimitCounter {
  readonly change: LimitChange = { concerned: 0, min: none(), max: none(), standard: none(), steepest: null };
  readonly #pairs: readonly Pair[];

  constructor(rules: readonly RepricerRule[], question: LimitsQuestion) {
    this.#pairs = pairsOf(rules, saved(rules, question), new Set(question.rules.map(({ id }) => id)));
  }

  add(offer: Offer, fields: Fields): void {
    for (const { before, after } of this.#pairs) {
      const [old, now] = [ruleFor(before, fields), ruleFor(after, fields)];
      // Without a rule before or after, nothing is sent then: there are no limits that could move.
      if (old === undefined || now === undefined) continue;
      const [from, to] = [limitsOf(old, fields), limitsOf(now, fields)];
      if (from.min === to.min && from.max === to.max && from.standard === to.standard) continue;
      this.change.concerned++;
      for (const limit of ['min', 'max', 'standard'] as const) move(this.change[limit], from[limit], to[limit]);
      this.#keepSteepest(offer, from.min, to.min);
      return;
    }
  }

  #keepSteepest(offer: Offer, from: number | null, to: number | null): void {
    if (from === null || to === null || to >= from) return;
    const { steepest } = this.change;
    if (steepest === null || to / from < steepest.to_cents / steepest.from_cents)
      this.change.steepest = { ...offer, from_cents: from, to_cents: to };
  }
}

/** Returns all rules as they would be afterwards. An incomplete one is stored paused (REP-13). */
function saved(rules: readonly RepricerRule[], { rules: changed, order, gone }: LimitsQuestion): RepricerRule[] {
  const complete = changed.map((rule) => ({ ...rule, active: rule.active && isComplete(rule) }));
  const by = new Map(complete.map((rule) => [rule.id, rule]));
  const known = new Set(rules.map(({ id }) => id));
  const next = [...rules.map((rule) => by.get(rule.id) ?? rule), ...complete.filter(({ id }) => !known.has(id))].filter(
    ({ id }) => !gone.includes(id),
  );
  const rank = new Map(order.map((id, index) => [id, index]));
  return next.toSorted((one, other) => (rank.get(one.id) ?? order.length) - (rank.get(other.id) ?? order.length));
}

/** Returns pairs of rules before and after: those that run, and all whose fields change as if they ran. */
function pairsOf(
  before: readonly RepricerRule[],
  after: readonly RepricerRule[],
  changed: ReadonlySet<string>,
): Pair[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const changedIds = new Set(
    after.flatMap((rule) => {
      const old = was.get(rule.id);
      return changed.has(rule.id) && old !== undefined && otherLimits(old, rule) ? [rule.id] : [];
    }),
  );
  const woken = (rules: readonly RepricerRule[]) =>
    runningRules(rules.map((rule) => (changedIds.has(rule.id) ? { ...rule, active: true } : rule)));
  const running = { before: runningRules(before), after: runningRules(after) };
  return changedIds.size === 0 ? [running] : [running, { before: woken(before), after: woken(after) }];
}

function limitsOf({ rule: { action } }: RunningRule, fields: Fields): Limits {
  return {
    min: limitOf(fields[action.min_price.value], 'min'),
    max: limitOf(fields[action.max_price.value], 'max'),
    standard: limitOf(fields[action.standard_price.value], 'standard'),
  };
}

function move(moves: LimitMoves, from: number | null, to: number | null): void {
  if (from === to) return;
  if (from === null) moves.come++;
  else if (to === null) moves.gone++;
  else if (to > from) moves.up++;
  else {
    moves.down++;
    if (to * 2 < from) moves.halved++;
  }
}
