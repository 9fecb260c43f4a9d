import { useEffect, useState } from 'react';
import { useLooks } from '#client/page-load/use-looks.ts';
import { berlinDay } from './days.ts';

/** Often enough for a page that is in sight at midnight. */
const lookMs = 30_000;

/**
 * Returns today's day in Berlin. `loaded`: the one that the server rendered the page with, which is yesterday's on a page that
 * stayed open past midnight.
 */
export function useToday(loaded: string): string {
  const [today, setToday] = useState(loaded);
  const look = () => setToday(berlinDay(new Date()));
  useEffect(look, []);
  useLooks(look, lookMs);
  return today;
}
