import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { TargetList } from '#shared/targets/schema.ts';
import { colorWords } from '#feed/suggestions/words/color-words.ts';
import { Suggester } from './suggest.ts';
import { plainName } from '#feed/suggestions/words/words.ts';

/** Values between two pauses for other requests. */
const AT_ONCE = 25;

const Target = z.object({ id: z.string(), name: z.string(), info: z.string() });

/** The values to assign, with the targets and earlier decisions to find suggestions among. */
export const SuggestionQuestion = z.object({
  isColors: z.boolean(),
  /** A TargetList as JSON text is parsed only where the question is answered: on a thread, if it is large. */
  targets: z.union([z.string(), z.array(Target)]),
  decisions: z.array(z.object({ value: z.string(), target: z.string(), where: z.string() })),
  values: z.array(z.object({ value: z.string(), more: z.array(z.string()) })),
  most: z.number().int(),
});
export type SuggestionQuestion = z.infer<typeof SuggestionQuestion>;

export const SuggestionAnswer = z.array(
  z.object({
    value: z.string(),
    suggestions: z.array(Target.extend({ confidence: z.number(), reason: z.string() })),
  }),
);
export type SuggestionAnswer = z.infer<typeof SuggestionAnswer>;

/** Finds the suggestions for each value. */
export async function answerSuggestions(
  { isColors, targets: given, decisions, values, most }: SuggestionQuestion,
  signal?: AbortSignal,
): Promise<SuggestionAnswer> {
  const targets = typeof given === 'string' ? TargetList.parse(JSON.parse(given)).entries : given;
  const names = targets.map(({ name }) => name);
  const suggester = new Suggester(targets, decisions, isColors ? colorWords(names, plainName) : new Map());
  const answers: SuggestionAnswer = [];
  for (const [index, { value, more }] of values.entries()) {
    if (index % AT_ONCE === 0) {
      await turn();
      signal?.throwIfAborted();
    }
    const suggestions = suggester
      .suggest({ value, more }, most)
      .map(({ target: { id, name, info }, confidence, reason }) => ({ id, name, info, confidence, reason }));
    answers.push({ value, suggestions });
  }
  return answers;
}
