import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';
import { askedRows, offersOf } from './suggestions.ts';

/** Loads sources for rows without one, again when the set of such rows changes. */
export function useSuggestions(id: string, rows: readonly ConstructionRow[], template: ConstructionTemplate | null) {
  const requested = useMemo(() => askedRows(rows, template), [rows, template]);
  const key = requested.map(({ exportfield }) => exportfield).join('\n');
  // Same object while the names are unchanged: typing elsewhere sends no request.
  const question = useMemo(() => ({ key }), [key]);
  const { answer, busy, failure, retry } = useLive(
    question,
    (signal) => call(api.suggestSources, { params: { id }, body: { rows: requested }, signal }),
    { delay: 400, enabled: key !== '' },
  );
  const offers = useMemo(() => (answer === null ? [] : offersOf(rows, requested, answer)), [rows, requested, answer]);
  return { offers, requested: requested, known: answer !== null, busy, failure, retry };
}
