import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Ids } from '#platform/ids.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import type { SimulationCache } from './kept-simulations.ts';
import { basisOf, limitsNow } from '#repricer/model/pricing-inputs-version.ts';
import { loadSafety } from '#repricer/control/safety.ts';
import { simulateNow, type SimulateDeps } from './simulate.ts';
import { simulateHistory } from './simulate-history.ts';
import { partOf, type SimulationInput } from './tally.ts';

type Deps = SimulateDeps & { ids: Ids; simulations: SimulationCache };

/**
 * Simulates a rule, or returns another page of the simulation that the request names: the same rows, even if offers have changed.
 * `isNew`: it was computed now, not found in the cache.
 */
export async function simulate(
  deps: Deps,
  ref: CatalogueRef,
  question: SimulationInput,
  signal: AbortSignal,
): Promise<{ answer: Simulation; isNew: boolean }> {
  const { simulations, ids, clock } = deps;
  const requestKey = await requestKeyOf(deps, ref, question);
  const cached = question.simulation === undefined ? undefined : simulations.find(question.simulation, requestKey);
  if (cached !== undefined) {
    const { id, at, counts, rows } = cached;
    return { answer: { ...counts, ...partOf(rows, question), id, at: at.toISOString() }, isNew: false };
  }
  const computed = { id: ids.id(), at: clock.now() };
  const { all, ...tallied } = await (question.on === 'history' ? simulateHistory : simulateNow)(
    deps,
    ref,
    question,
    signal,
  );
  const { matching: _matching, rows: _rows, ...counts } = tallied;
  // If inputs changed during the computation, some rows come from the old ones: it is not cached.
  if (all !== undefined && (await requestKeyOf(deps, ref, question)) === requestKey)
    simulations.keep({ ...computed, requestKey, counts, rows: all });
  return { answer: { ...tallied, id: computed.id, at: computed.at.toISOString() }, isNew: true };
}

/**
 * Returns the key of a simulation: the company and the inputs of its rows, which are the rule's content, the fields after the
 * master's rules and the gate's figures.
 */
async function requestKeyOf({ database }: Deps, ref: CatalogueRef, question: SimulationInput): Promise<string> {
  const { company, masterid } = ref;
  const { rule, cost_field, on, days, item } = question;
  const { basis, safety } = await database.company(company, async (trx) => ({
    basis: basisOf(await limitsNow(trx, ref)),
    safety: (await loadSafety(trx, ref)).revision,
  }));
  return JSON.stringify([
    company,
    masterid,
    basis,
    safety,
    rule.action,
    cost_field,
    on,
    on === 'history' ? days : 0,
    item,
  ]);
}
