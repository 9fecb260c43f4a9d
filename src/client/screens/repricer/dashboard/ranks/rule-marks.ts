import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { Revision } from '#shared/history/schema.ts';
import { call } from '#client/call.ts';
import type { ChartMark } from '#client/ui/charts/chart-series.ts';
import { berlinDay, type DayRange } from '#client/ui/text/days.ts';
import { useLive } from '#client/use-live.ts';

/** Newest saves to load: enough for nearly every range. */
const MOST = 100;
const none: readonly Revision[] = [];

/** Loads the saves of the catalogue's repricing rules in these days, newest first. */
export function useRuleChanges(masterid: string, { start, end }: DayRange) {
  const question = useMemo(() => ({ masterid }), [masterid]);
  const { answer, failure, retry } = useLive(
    question,
    (signal) =>
      call(api.revisions, {
        params: { subject: 'repricer', scope: `master:${masterid}` },
        query: { limit: MOST },
        signal,
      }),
    { delay: 0 },
  );
  const changes = useMemo(
    () =>
      (answer ?? none).filter(({ createdAt }) => {
        const day = berlinDay(new Date(createdAt));
        return start <= day && day <= end;
      }),
    [answer, start, end],
  );
  return { changes, failure, retry };
}

/** Describes a save in few words. */
export function changeWords({ revision, changes: [first = 'Regeln gespeichert.', ...more] }: Revision): string {
  return `Stand ${revision}: ${first}${more.length > 0 ? ' …' : ''}`;
}

/** Places a change at the first measurement that could show its effect. */
export const ruleMarks = (changes: readonly Revision[], times: readonly number[]): ChartMark[] =>
  changes.flatMap((change) => {
    const at = Date.parse(change.createdAt);
    const index = at < (times[0] ?? Infinity) ? -1 : times.findIndex((time) => time >= at);
    return index === -1 ? [] : [{ index, text: changeWords(change), what: 'Regeländerung' }];
  });
