import { useMemo } from 'react';
import { api } from '#shared/api.ts';
import { call } from '../../call.ts';
import { useLive } from '../../use-live.ts';
import type { Suggested } from './choices.ts';
import { conditionsOf, type Line } from './lines.ts';
import type { TableOf } from './use-counts.ts';

/** Values asked at once; the rest follows when those have got a target. */
const most = 5000;

const valueOf = (line: Line): string => conditionsOf(line)[0]?.value.trim() ?? '';

/** Suggestions for rows without a target, by the value of their first condition. */
export function useSuggestions(table: TableOf, lines: readonly Line[], enabled: boolean) {
  const wanted = useMemo(() => {
    const values = lines.filter((line) => line.target === '').map(valueOf);
    return [...new Set(values)].filter((value) => value !== '').slice(0, most);
  }, [lines]);
  const key = wanted.join('\n');
  // A question is the same while the values are: typing elsewhere asks nothing.
  const question = useMemo(() => ({ values: key === '' ? [] : key.split('\n') }), [key]);
  const { answer, busy, failure } = useLive(
    question,
    async (signal) => {
      const { id, ...body } = table;
      const values = question.values.map((value) => ({ value }));
      const found = await call(api.suggestTargets, { params: { id }, body: { ...body, values }, signal });
      return new Map(found.map(({ value, suggestions }) => [value, suggestions]));
    },
    { delay: 400, enabled: enabled && key !== '' },
  );
  const none: readonly Suggested[] = [];
  const suggestionsOf = (line: Line): readonly Suggested[] =>
    line.target === '' ? (answer?.get(valueOf(line)) ?? none) : none;
  return { suggestionsOf, busy, failure };
}
