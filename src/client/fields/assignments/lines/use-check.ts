import { useEffect, useEffectEvent, useState } from 'react';
import { formatCount } from '#client/ui/text/formats.ts';
import { showSaved } from '#client/ui/notices.tsx';
import type { Line } from './lines.ts';
import type { Counts } from './use-counts.ts';

/** CAT-04 'prüfen': counts anew and says how many items the row gets. */
export function useCheck(counts: Counts, lines: readonly Line[]): (line: Line) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  const { busy, failure } = counts;
  const say = useEffectEvent((id: string) => {
    const items = counts.answer?.rows[id];
    const place = lines.findIndex((line) => line.id === id) + 1;
    if (items !== undefined) showSaved(`Zeile ${place} trifft ${formatCount(items, 'Artikel', 'Artikel')}.`);
    setWanted(null);
  });
  useEffect(() => {
    // A failure is shown where the counts stand.
    if (wanted !== null && !busy && failure === null) say(wanted.id);
  }, [wanted, busy, failure]);
  return ({ id }) => {
    counts.retry();
    setWanted({ id });
  };
}
