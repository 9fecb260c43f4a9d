import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { failureText } from '#client/fields/failure-text.ts';
import { useLive } from '#client/use-live.ts';
import { type DayRange, rangeBefore } from '#client/ui/text/days.ts';
import { type StatisticTable, statisticTable, type Sums, sumsOf } from './statistic-table.ts';

export type Statistic = {
  table: StatisticTable;
  /** Sums of the range before; null if they could not be loaded. */
  before: { range: DayRange; sums: Sums } | null;
  at: string;
};
type Answer = { statistic: Statistic; failure?: undefined } | { statistic?: undefined; failure: string };

/** Loads the figures of these days and of those before them, again for every other range. */
export function useStatistic({ start, end }: DayRange) {
  const [version, setVersion] = useState(0);
  const question = useMemo(() => ({ start, end, version }), [start, end, version]);
  const { answer, busy } = useLive<Answer>(question, (signal) => load({ start, end }, signal), { delay: 0 });
  return {
    statistic: answer?.statistic ?? null,
    failure: busy ? null : (answer?.failure ?? null),
    busy,
    reload: () => setVersion(version + 1),
  };
}

async function load(range: DayRange, signal: AbortSignal): Promise<Answer> {
  const earlier = rangeBefore(range);
  const [rows, before] = await Promise.allSettled([
    call(api.orderStatistic, { body: range, signal }),
    call(api.orderStatistic, { body: earlier, signal }),
  ]);
  signal.throwIfAborted();
  for (const settled of [rows, before])
    if (settled.status === 'rejected') logFailure('Fehler beim Laden der Daten:', settled.reason);
  if (rows.status === 'rejected') return { failure: failureText(rows.reason) };
  return {
    statistic: {
      table: statisticTable(rows.value, range),
      before: before.status === 'rejected' ? null : { range: earlier, sums: sumsOf(before.value) },
      at: new Date().toISOString(),
    },
  };
}
