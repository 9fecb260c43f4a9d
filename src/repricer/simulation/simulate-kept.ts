import type { Ids } from '#platform/ids.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import type { KeptSimulations } from './kept-simulations.ts';
import { basisOf, limitsNow } from '#repricer/model/pricing-inputs-version.ts';
import { loadSafety } from '#repricer/control/safety.ts';
import { simulateNow, type SimulateParts } from './simulate.ts';
import { simulateHistory } from './simulate-history.ts';
import { partOf, type Question } from './tally.ts';

type Place = { company: string; masterid: string };
type Parts = SimulateParts & { ids: Ids; simulations: KeptSimulations };

/**
 * Tries a rule, or shows another part of the simulation that the question names: the same rows, whatever the offers have become.
 * `fresh`: it was computed now.
 */
export async function simulate(
  parts: Parts,
  place: Place,
  question: Question,
  signal: AbortSignal,
): Promise<{ answer: Simulation; fresh: boolean }> {
  const { simulations, ids, clock } = parts;
  const asked = await askedBy(parts, place, question);
  const kept = question.simulation === undefined ? undefined : simulations.find(question.simulation, asked);
  if (kept !== undefined) {
    const { id, at, counts, rows } = kept;
    return { answer: { ...counts, ...partOf(rows, question), id, at: at.toISOString() }, fresh: false };
  }
  const computed = { id: ids.id(), at: clock.now() };
  const { all, ...tallied } = await (question.on === 'history' ? simulateHistory : simulateNow)(
    parts,
    place,
    question,
    signal,
  );
  const { matching: _matching, rows: _rows, ...counts } = tallied;
  // Where values changed while it was computed, some rows come from the old ones.
  if (all !== undefined && (await askedBy(parts, place, question)) === asked)
    simulations.keep({ ...computed, asked, counts, rows: all });
  return { answer: { ...tallied, id: computed.id, at: computed.at.toISOString() }, fresh: true };
}

/** Whose simulation it is and what its rows come from: the rule's content, the fields as they stand after the master's rules, the gate's figures. */
async function askedBy({ database }: Parts, place: Place, question: Question): Promise<string> {
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
