import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** Frames until a row whose tab was just opened has been drawn, at most. */
const frames = 60;

/** Puts the focus on the value of a row, as soon as it is drawn. */
export function useReveal(region: RefObject<HTMLElement | null>): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  const bring = useEffectEvent((id: string) => focusSoon(region, id, frames));
  useEffect(() => {
    if (wanted !== null) bring(wanted.id);
  }, [wanted]);
  return (id) => setWanted({ id });
}

function focusSoon(region: RefObject<HTMLElement | null>, id: string, left: number): void {
  const row = region.current?.querySelector(`[data-row="${CSS.escape(id)}"]`);
  const field = row?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea');
  if (row === null || row === undefined || field === null || field === undefined) {
    if (left > 0) requestAnimationFrame(() => focusSoon(region, id, left - 1));
    return;
  }
  row.scrollIntoView({ block: 'center' });
  field.focus({ preventScroll: true });
}
