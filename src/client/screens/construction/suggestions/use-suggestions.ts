import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';
import { askedRows, offersOf } from './suggestions.ts';

/** Sources for the rows that have none, asked anew when other rows have none. */
export function useSuggestions(id: string, rows: readonly ConstructionRow[], template: ConstructionTemplate | null) {
  const requested = useMemo(() => askedRows(rows, template), [rows, template]);
  const key = requested.map(({ exportfield }) => exportfield).join('\n');
  // A question is the same while its names are: typing elsewhere asks nothing.
  const question = useMemo(() => ({ key }), [key]);
  const { answer, busy, failure, retry } = useLive(
    question,
    (signal) => call(api.suggestSources, { params: { id }, body: { rows: requested }, signal }),
    { delay: 400, enabled: key !== '' },
  );
  const offers = useMemo(() => (answer === null ? [] : offersOf(rows, requested, answer)), [rows, requested, answer]);
  return { offers, requested: requested, known: answer !== null, busy, failure, retry };
}
