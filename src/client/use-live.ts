import { useEffect, useEffectEvent, useState } from 'react';
import { type Failure, failureOf } from './failure.ts';

export type Live<Answer> = {
  /** The newest answer; kept while a newer one is being requested. */
  answer: Answer | null;
  busy: boolean;
  failure: Failure | null;
  retry: () => void;
};
type Options = {
  /** Milliseconds without a newer question before this one is sent. */
  delay: number;
  /** Delay in milliseconds for the very first question. */
  first?: number;
  enabled?: boolean;
};
type Settled<Answer> = { question: object; attempt: number; answer: Answer | null; failure: Failure | null };

/**
 * Queries the server while the user edits. Every new question (compared by identity) aborts the running one and waits until the
 * edits pause. The last answer is kept until the next one, also after a failure; with `enabled` false there is none.
 */
export function useLive<Answer>(
  question: object,
  ask: (signal: AbortSignal) => Promise<Answer>,
  { delay, first = 0, enabled = true }: Options,
): Live<Answer> {
  const [attempt, setAttempt] = useState(0);
  const [settled, setSettled] = useState<Settled<Answer> | null>(null);
  const answers = useEffectEvent(ask);
  const settle = useEffectEvent((answer: Answer | null, failure: Failure | null) =>
    setSettled({ question, attempt, answer: answer ?? settled?.answer ?? null, failure }),
  );
  const wait = settled === null ? first : settled.attempt === attempt ? delay : 0;
  const pause = useEffectEvent(() => wait);
  const forget = useEffectEvent(() => setSettled(null));
  useEffect(() => {
    if (!enabled) {
      forget();
      return;
    }
    const stop = new AbortController();
    const start = async () => {
      try {
        const answer = await answers(stop.signal);
        if (!stop.signal.aborted) settle(answer, null);
      } catch (error) {
        if (!stop.signal.aborted) settle(null, failureOf('Fehler beim Laden der Daten:', error));
      }
    };
    const timer = setTimeout(() => void start(), pause());
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question, attempt, enabled]);
  const busy = enabled && (settled?.question !== question || settled.attempt !== attempt);
  return {
    answer: settled?.answer ?? null,
    busy,
    failure: busy ? null : (settled?.failure ?? null),
    retry: () => setAttempt((count) => count + 1),
  };
}
