import { KontorError } from '#platform/errors.ts';
import { type TurnLimits, Turns } from './turns.ts';
import type { Principal } from './server.ts';

/** How long one question may compute. The limit of turns leaves threads of Node's pool (files, DNS) to the rest of the program. */
export type QuestionLimits = TurnLimits & { readonly mostMs: number };
export const usualQuestions: QuestionLimits = { atOnce: 3, perCompany: 2, perUser: 2, waiting: 20, mostMs: 60_000 };

/** Questions that compute on a whole catalogue while somebody waits for the answer. */
export class Questions {
  private readonly limits: QuestionLimits;
  private readonly turns: Turns;

  constructor(limits: QuestionLimits) {
    this.limits = limits;
    this.turns = new Turns(limits);
  }

  /** @throws 422 in German for what takes too long or too much memory; the signal's reason when the client has gone */
  async ask<T>(principal: Principal, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.turns.run(principal, signal, async () => {
      const timeout = AbortSignal.timeout(this.limits.mostMs);
      try {
        return await work(AbortSignal.any([signal, timeout]));
      } catch (error) {
        signal.throwIfAborted();
        if (timeout.aborted) throw tooMuch('question_too_long', 'dauert zu lange', error);
        if (isOutOfMemory(error)) throw tooMuch('question_too_large', 'braucht zu viel Arbeitsspeicher', error);
        throw error;
      }
    });
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Out of Memory Error');

const tooMuch = (code: string, words: string, cause: unknown) =>
  new KontorError(
    422,
    code,
    `Die Berechnung ${words} und wurde beendet; gespeichert ist alles wie bisher. Bitte grenzen Sie ein, was gefragt wird: bestimmte Felder statt aller, weniger Bedingungen oder weniger Zeilen auf einmal.`,
    { cause },
  );
