import { useState } from 'react';
import { api } from '#shared/api.ts';
import { ASKED_ABOVE, type LimitChange, mayMoveLimits } from '#shared/repricer-before-save.ts';
import type { RepricerRule } from '#shared/repricer.ts';
import { call } from '../../call.ts';
import type { Failure } from '../../failure.ts';
import { saveFailureOf } from '../../fields/save-failure.ts';

/** A save that waits for an answer. */
export type AskedLimits = { change: LimitChange; answer: (go: boolean) => void };
type List = readonly RepricerRule[];

/** T26: asks before a save moves the limits of many offers; a slip there sells a whole catalogue below its cost. */
export function useLimitQuestion(masterid: string, setFailure: (failure: Failure | null) => void) {
  const [asked, setAsked] = useState<AskedLimits | null>(null);
  const [looking, setLooking] = useState(false);
  /** Which limits a save of these would move; undefined: that could not be found out, which is told. */
  const look = async (sent: List, all: List): Promise<LimitChange | undefined> => {
    setLooking(true);
    setFailure(null);
    try {
      const body = { rules: [...sent], order: all.map(({ id }) => id) };
      return await call(api.limitChange, { params: { masterid }, body });
    } catch (error) {
      setFailure(saveFailureOf(error));
      return undefined;
    } finally {
      setLooking(false);
    }
  };
  /** Whether these may be saved; false also where it cannot be found out what would move. */
  const mayGo = async (sent: List, { rules, saved }: { rules: List; saved: List }): Promise<boolean> => {
    const before = new Map(saved.map((rule) => [rule.id, rule]));
    if (!sent.some((rule) => mayMoveLimits(before.get(rule.id), rule))) return true;
    const change = await look(sent, rules);
    if (change === undefined || change.concerned <= ASKED_ABOVE) return change !== undefined;
    return new Promise((resolve) => {
      const answer = (go: boolean) => {
        setAsked(null);
        resolve(go);
      };
      setAsked({ change, answer });
    });
  };
  return { asked, looking, mayGo };
}
