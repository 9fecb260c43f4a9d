import { useState } from 'react';
import { ASKED_ABOVE, type LimitChange, mayMoveLimits } from '#shared/repricer-before-save.ts';
import type { RepricerRule } from '#shared/repricer.ts';
import type { useSaving } from './use-saving.ts';

/** A save that waits for an answer. */
export type AskedLimits = { change: LimitChange; answer: (go: boolean) => void };
type List = readonly RepricerRule[];

/** T26: asks before a save moves the limits of many offers; a slip there sells a whole catalogue below its cost. */
export function useLimitQuestion(server: Pick<ReturnType<typeof useSaving>, 'limitChange'>) {
  const [asked, setAsked] = useState<AskedLimits | null>(null);
  /** Whether these may be saved; false also where it cannot be found out what would move. */
  const mayGo = async (sent: List, { rules, saved }: { rules: List; saved: List }): Promise<boolean> => {
    const before = new Map(saved.map((rule) => [rule.id, rule]));
    if (!sent.some((rule) => mayMoveLimits(before.get(rule.id), rule))) return true;
    const change = await server.limitChange(
      sent,
      rules.map(({ id }) => id),
    );
    if (change === undefined || change.concerned <= ASKED_ABOVE) return change !== undefined;
    return new Promise((resolve) => {
      const answer = (go: boolean) => {
        setAsked(null);
        resolve(go);
      };
      setAsked({ change, answer });
    });
  };
  return { asked, mayGo };
}
