import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';
import type { Suggested } from './choices.ts';
import { conditionsOf, type Line } from './lines.ts';
import type { TableOf } from './use-counts.ts';

/** Values per request; the others follow once these have a target. */
const most = 5000;
const none: readonly Suggested[] = [];

const valueOf = (line: Line): string => conditionsOf(line)[0]?.value.trim() ?? '';

/** Loads suggestions for rows without a target, by the value of their first condition; none without a list. */
export function useSuggestions(table: TableOf, lines: readonly Line[], targets: readonly TargetEntry[] | null) {
  const key = useMemo(() => {
    const values = lines.filter((line) => line.target === '').map(valueOf);
    return [...new Set(values)]
      .filter((value) => value !== '')
      .slice(0, most)
      .join('\n');
  }, [lines]);
  const enabled = targets !== null && targets.length > 0 && key !== '';
  // Same object while values and list are unchanged: typing elsewhere sends no request.
  const question = useMemo(() => ({ values: key.split('\n'), targets }), [key, targets]);
  const { answer, busy, failure, retry } = useLive(
    question,
    async (signal) => {
      const { id, ...body } = table;
      const values = question.values.map((value) => ({ value }));
      const found = await call(api.suggestTargets, { params: { id }, body: { ...body, values }, signal });
      return new Map(found.map(({ value, suggestions }) => [value, suggestions]));
    },
    { delay: 400, enabled },
  );
  const suggestionsOf = useMemo(
    () =>
      (line: Line): readonly Suggested[] =>
        line.target === '' && answer !== null ? (answer.get(valueOf(line)) ?? none) : none,
    [answer],
  );
  return { suggestionsOf, busy: enabled && busy, failure, retry };
}
export type Suggestions = ReturnType<typeof useSuggestions>;
