import { useMemo, useRef, useState } from 'react';
import type { RepricerStatistic } from '#shared/repricer/dashboard.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { failureText } from '#client/fields/failure-text.ts';
import { type DayRange, daysOf } from '#client/ui/text/days.ts';
import { useLive } from '#client/use-live.ts';

/** The figures of tabs 1 to 3 for a range of days, and when they were loaded. */
export type Shown = { data: RepricerStatistic; range: DayRange; days: readonly string[]; at: string };
type Answer = { shown: Shown | null; failure: string | null };

/** Loads the figures for each range. After a failure the previous figures stay. */
export function useStatistic(masterid: string, { start, end }: DayRange) {
  const [version, setVersion] = useState(0);
  const last = useRef<Shown | null>(null);
  const question = useMemo(() => ({ masterid, start, end, version }), [masterid, start, end, version]);
  const ask = async (signal: AbortSignal): Promise<Answer> => {
    try {
      const data = await call(api.repricerStatistic, { query: { masterid }, body: { start, end }, signal });
      const range = { start, end };
      last.current = { data, range, days: daysOf(range), at: new Date().toISOString() };
      return { shown: last.current, failure: null };
    } catch (error) {
      signal.throwIfAborted();
      logFailure('Fehler beim Laden der Daten:', error);
      return { shown: last.current, failure: failureText(error) };
    }
  };
  const { answer, busy } = useLive(question, ask, { delay: 0 });
  return {
    shown: answer?.shown ?? null,
    failure: busy ? null : (answer?.failure ?? null),
    busy,
    reload: () => setVersion(version + 1),
  };
}
export type StatisticState = ReturnType<typeof useStatistic>;
