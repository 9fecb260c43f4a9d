import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Ids } from '#platform/ids.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import type { KeptSimulations } from './kept-simulations.ts';
import { basisOf, limitsNow } from '#repricer/model/pricing-inputs-version.ts';
import { loadSafety } from '#repricer/control/safety.ts';
import { simulateNow, type SimulateDeps } from './simulate.ts';
import { simulateHistory } from './simulate-history.ts';
import { partOf, type SimulationInput } from './tally.ts';

type Deps = SimulateDeps & { ids: Ids; simulations: KeptSimulations };

/**
 * Tries a rule, or shows another part of the simulation that the question names: the same rows, whatever the offers have become.
 * `fresh`: it was computed now.
 */
export async function simulate(
  deps: Deps,
  place: CatalogueRef,
  question: SimulationInput,
  signal: AbortSignal,
): Promise<{ answer: Simulation; fresh: boolean }> {
  const { simulations, ids, clock } = deps;
  const asked = await askedBy(deps, place, question);
  const kept = question.simulation === undefined ? undefined : simulations.find(question.simulation, asked);
  if (kept !== undefined) {
    const { id, at, counts, rows } = kept;
    return { answer: { ...counts, ...partOf(rows, question), id, at: at.toISOString() }, fresh: false };
  }
  const computed = { id: ids.id(), at: clock.now() };
  const { all, ...tallied } = await (question.on === 'history' ? simulateHistory : simulateNow)(
    deps,
    place,
    question,
    signal,
  );
  const { matching: _matching, rows: _rows, ...counts } = tallied;
  // Where values changed while it was computed, some rows come from the old ones.
  if (all !== undefined && (await askedBy(deps, place, question)) === asked)
    simulations.keep({ ...computed, asked, counts, rows: all });
  return { answer: { ...tallied, id: computed.id, at: computed.at.toISOString() }, fresh: true };
}

/** Whose simulation it is and what its rows come from: the rule's content, the fields as they stand after the master's rules, the gate's figures. */
async function askedBy({ database }: Deps, place: CatalogueRef, question: SimulationInput): Promise<string> {
  const { company, masterid } = place;
  const { rule, cost_field, on, days, item } = question;
  const { basis, safety } = await database.company(company, async (trx) => ({
    basis: basisOf(await limitsNow(trx, place)),
    safety: (await loadSafety(trx, place)).revision,
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
