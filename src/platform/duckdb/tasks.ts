import { z } from 'zod';
import { largeAnswer } from '#platform/http/large-answer.ts';
import type { Calculator, Task } from './connection.ts';

/** Task functions by name: each gets a source of connections, its question, and a signal that aborts when nobody waits. */
export type Answers = Readonly<
  Record<string, (calculator: Calculator, question: never, signal: AbortSignal) => Promise<object>>
>;

const Module = z.object({
  answers: z.record(
    z.string(),
    z.custom<(calculator: Calculator, question: unknown, signal: AbortSignal) => Promise<object>>(
      (value) => typeof value === 'function',
    ),
  ),
});

/** Bytes passed on at a time. */
const PORTION_BYTES = 512 * 1024;

/**
 * Computes the JSON of a task's answer in this process.
 * @throws KontorError as the answer does; 422 if it is too large to read
 */
export async function* answerHere(
  calculator: Calculator,
  { module, name, question }: Task,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array[]> {
  const { answers } = Module.parse(await import(module));
  const answer = answers[name];
  if (answer === undefined) throw new Error(`${module} has no answer named ${name}`);
  let [pieces, size]: [Uint8Array[], number] = [[], 0];
  for await (const piece of await largeAnswer(await answer(calculator, question, signal), signal)) {
    const bytes = Buffer.from(String(piece));
    pieces.push(bytes);
    size += bytes.byteLength;
    if (size < PORTION_BYTES) continue;
    yield pieces;
    [pieces, size] = [[], 0];
  }
  yield pieces;
}
