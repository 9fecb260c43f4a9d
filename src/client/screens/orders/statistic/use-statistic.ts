import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { failureText } from '#client/fields/failure-text.ts';
import { useLive } from '#client/use-live.ts';
import { type Compared, comparedDays, type DayRange } from '#client/ui/text/days.ts';
import { type StatisticTable, statisticTable, type Sums, sumsOf } from './statistic-table.ts';

export type Statistic = {
  table: StatisticTable;
  /** Sums of the days that are over, and of those that they are compared with. */
  compared: (Compared & { now: Sums; before: Sums }) | 'failed' | 'not-over';
  at: string;
};
type Answer = { statistic: Statistic; failure?: undefined } | { statistic?: undefined; failure: string };

/**
 * Loads the figures of these days and of those before them, again for every other range, and on another day: `today` is not over,
 * so it is not compared. `ofMonth`: see `RangePreset`.
 */
export function useStatistic({ start, end }: DayRange, ofMonth: boolean, today: string) {
  const [version, setVersion] = useState(0);
  const question = useMemo(() => ({ start, end, ofMonth, today, version }), [start, end, ofMonth, today, version]);
  const { answer, busy } = useLive<Answer>(question, (signal) => load({ start, end }, { ofMonth, today }, signal), {
    delay: 0,
  });
  return {
    statistic: answer?.statistic ?? null,
    failure: busy ? null : (answer?.failure ?? null),
    busy,
    reload: () => setVersion(version + 1),
  };
}

type Comparing = { ofMonth: boolean; today: string };

async function load(range: DayRange, { ofMonth, today }: Comparing, signal: AbortSignal): Promise<Answer> {
  const days = comparedDays(range, today, ofMonth);
  const [rows, before] = await Promise.allSettled([
    call(api.orderStatistic, { body: range, signal }),
    days === null ? null : call(api.orderStatistic, { body: days.earlier, signal }),
  ]);
  signal.throwIfAborted();
  for (const settled of [rows, before])
    if (settled.status === 'rejected') logFailure('Fehler beim Laden der Daten:', settled.reason);
  if (rows.status === 'rejected') return { failure: failureText(rows.reason) };
  return {
    statistic: {
      table: statisticTable(rows.value, range),
      compared: comparedSums(days, rows.value, before.status === 'rejected' ? 'failed' : before.value),
      at: new Date().toISOString(),
    },
  };
}

function comparedSums(
  days: Compared | null,
  rows: readonly StatisticRow[],
  before: readonly StatisticRow[] | 'failed' | null,
): Statistic['compared'] {
  if (before === 'failed') return 'failed';
  if (days === null || before === null) return 'not-over';
  const now = sumsOf(rows.filter(({ _id }) => _id.datum <= days.over.end));
  return { ...days, now, before: sumsOf(before) };
}
