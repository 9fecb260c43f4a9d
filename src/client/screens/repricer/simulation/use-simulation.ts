import { useEffect, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { DecisionReason } from '#shared/repricer/decision.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { SimulationChoice } from './use-simulation-choice.ts';

export type Move = 'up' | 'down' | 'held';
/** Input of the shown simulation: the rule as it was then, the offers, and the filter and page of its rows. */
export type SimulationInput = SimulationChoice & {
  rule: RepricerRule;
  reason: DecisionReason | null;
  move: Move | null;
  page: number;
};
/** `renewed`: the rows had to be computed again and may differ from those of the previous pages. */
export type Simulated = { question: SimulationInput; answer: Simulation; renewed: boolean };

export const pageSize = 25;

/** Simulates a rule, saved or not, on the stored offers; a newer request aborts the older one. */
export function useSimulation(masterid: string, onTried: () => void) {
  const [result, setResult] = useState<Simulated | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const underWay = useRef<AbortController | null>(null);
  /** The last request, and the simulation that it requests a part of; null: it started one. */
  const lastRequest = useRef<{ question: SimulationInput; of: string | null } | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const ask = async (question: SimulationInput, of: string | null = null) => {
    underWay.current?.abort();
    const stop = new AbortController();
    underWay.current = stop;
    lastRequest.current = { question, of };
    setBusy(true);
    setFailure(null);
    const { rule, costField, on, days, reason, move, page } = question;
    const paging = { offset: page * pageSize, limit: pageSize };
    const part = { ...(reason === null ? {} : { reason }), ...(move === null ? {} : { move }) };
    const body = { rule, cost_field: costField, on, days, ...paging, ...part };
    const simulation = of === null ? {} : { simulation: of };
    try {
      const answer = await call(api.simulatePrices, {
        params: { masterid },
        body: { ...body, ...simulation },
        signal: stop.signal,
      });
      if (stop.signal.aborted) return;
      lastRequest.current = { question, of: answer.id };
      setResult({ question, answer, renewed: of !== null && of !== answer.id });
      onTried();
    } catch (error) {
      if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden der Daten:', error));
    } finally {
      if (!stop.signal.aborted) setBusy(false);
    }
  };
  const cancel = () => {
    underWay.current?.abort();
    lastRequest.current = result && { question: result.question, of: result.answer.id };
    setBusy(false);
  };
  /** Repeats the last request with changes: two changes in a row both count, even if the first has no answer yet. */
  const askAgain = (part: Partial<SimulationInput> = {}) => {
    if (lastRequest.current !== null) void ask({ ...lastRequest.current.question, ...part }, lastRequest.current.of);
  };
  return { result, busy, failure, ask, askAgain, cancel, forget: () => setFailure(null) };
}
