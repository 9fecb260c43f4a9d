import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Line } from './lines.ts';

type Place = { region: RefObject<HTMLElement | null>; shown: readonly Line[]; heights: readonly number[] };

/** Frames until a row that was scrolled to has been drawn, at most. */
const frames = 30;

/** Scrolls to a row, drawn or not, and puts the focus on its first field. */
export function useReveal(reveal: { id: string } | null, { region, shown, heights }: Place): void {
  const bring = useEffectEvent((id: string) => {
    const element = region.current;
    const index = shown.findIndex((line) => line.id === id);
    if (element === null || index === -1) return;
    const top = heights.slice(0, index).reduce((sum, height) => sum + height, 0);
    element.scrollTo({ top: top - element.clientHeight / 2 });
    focusSoon(element, id, frames);
  });
  useEffect(() => {
    if (reveal !== null) bring(reveal.id);
  }, [reveal]);
}

function focusSoon(region: HTMLElement, id: string, left: number): void {
  const row = region.querySelector(`[data-row="${CSS.escape(id)}"]`);
  const field = row?.querySelector<HTMLElement>('td:nth-child(2) button');
  if (row === null || field === null || field === undefined) {
    if (left > 0) requestAnimationFrame(() => focusSoon(region, id, left - 1));
    return;
  }
  field.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}
