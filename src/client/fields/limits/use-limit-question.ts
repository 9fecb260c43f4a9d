import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import {
  type AskedLimitChange,
  type LimitChange,
  limitsQuestion,
  type LimitsQuestion,
} from '#shared/repricer/before-save.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { saveFailureOf } from '#client/editor/save-failure.ts';
import type { LimitsAct } from './limit-words.ts';

/** An intended change to the rules that awaits the user's answer. */
export type LimitQuestion = { act: LimitsAct; change: LimitChange; answer: (go: boolean) => void };
type List = readonly RepricerRule[];
/** `still`: false once a later change has replaced this one. */
type Wish = { before: List; after: List; still?: () => boolean };

/** Failure texts per action if the effect cannot be determined: then the action is not carried out. */
const failures: Record<LimitsAct, (error: unknown) => Failure> = {
  save: saveFailureOf,
  order: (error) => {
    const failure = failureOf('Fehler beim Speichern', error);
    return { ...failure, message: `${failure.message} Die Reihenfolge steht wieder wie zuvor.` };
  },
  remove: (error) => failureOf('Fehler beim Löschen', error),
  restore: (error) => failureOf('Fehler beim Wiederherstellen', error),
};

/** T26: asks before anything moves the limits of many offers; a slip there sells a whole catalogue below its cost. */
export function useLimitQuestion(masterid: string, setFailure: (failure: Failure | null) => void) {
  const [pending, setPending] = useState<LimitQuestion | null>(null);
  const [loading, setLoading] = useState(false);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const agreed = useRef('');
  /** Loads which limits would move; undefined if that failed, which is shown. */
  const loadChange = async (act: LimitsAct, body: LimitsQuestion): Promise<AskedLimitChange | undefined> => {
    setLoading(true);
    setFailure(null);
    try {
      return await call(api.limitChange, { params: { masterid }, body });
    } catch (error) {
      setFailure(failures[act](error));
      return undefined;
    } finally {
      setLoading(false);
    }
  };
  const decide = async (act: LimitsAct, { before, after, still = () => true }: Wish): Promise<boolean> => {
    const question = limitsQuestion(before, after);
    agreed.current = '';
    if (question === undefined) return true;
    if (!still()) return false;
    const change = await loadChange(act, question);
    if (change === undefined || !still()) return false;
    if (change.question === '') return true;
    return new Promise((resolve) => {
      const answer = (go: boolean) => {
        setPending(null);
        if (go) agreed.current = change.question;
        resolve(go);
      };
      setPending({ act, change, answer });
    });
  };
  /** Resolves to whether the rules may become `after`; false also if the effect cannot be determined. One question at a time. */
  const mayGo = (act: LimitsAct, wish: Wish): Promise<boolean> => {
    const mine = queue.current.then(() => decide(act, wish));
    queue.current = mine;
    return mine;
  };
  /** Returns the question that the user last agreed to, so that the server does not ask it again for the save that follows. */
  const agreedQuestion = () => agreed.current;
  return { pending: pending, looking: loading, mayGo, agreedQuestion };
}
