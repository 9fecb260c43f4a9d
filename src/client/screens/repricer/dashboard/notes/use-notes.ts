import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { StoredNote } from '#shared/repricer/dashboard.ts';
import { call } from '#client/call.ts';
import type { ChartMark } from '#client/ui/charts/chart-series.ts';
import { useLive } from '#client/use-live.ts';

export type DayNote = StoredNote;
const none: readonly DayNote[] = [];

/** RDA-09: loads the users' notes for single days, newest first. */
export function useNotes() {
  const [version, setVersion] = useState(0);
  const question = useMemo(() => ({ version }), [version]);
  const { answer, failure, retry } = useLive(question, (signal) => call(api.notes, { signal }), { delay: 0 });
  return { notes: answer ?? none, failure, retry, reload: () => setVersion(version + 1) };
}
export type Notes = ReturnType<typeof useNotes>;

/** Returns the notes whose day is on the axis, as marks. */
export function dayMarks(notes: readonly DayNote[], days: readonly string[]): ChartMark[] {
  const places = new Map(days.map((day, index) => [day, index]));
  return notes.flatMap(({ date, note }) => {
    const index = places.get(date);
    return index === undefined ? [] : [{ index, text: note }];
  });
}
