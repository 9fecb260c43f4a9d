import { type RefObject, useEffect, useEffectEvent } from 'react';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';
import type { Line } from '#client/fields/assignments/lines/lines.ts';

type Place = { region: RefObject<HTMLElement | null>; shown: readonly Line[]; heights: readonly number[] };

/** Scrolls to a row, drawn or not, and focuses its first field. */
export function useReveal(reveal: { id: string } | null, { region, shown, heights }: Place): void {
  const bring = useEffectEvent((id: string) => {
    const element = region.current;
    const index = shown.findIndex((line) => line.id === id);
    if (element === null || index === -1) return;
    const top = heights.slice(0, index).reduce((sum, height) => sum + height, 0);
    element.scrollTo({ top: top - element.clientHeight / 2 });
    const row = () => element.querySelector(`[data-row="${CSS.escape(id)}"]`);
    focusSoon(
      () => row()?.querySelector<HTMLElement>('td:nth-child(2) button'),
      (field) => {
        field.focus({ preventScroll: true });
        row()?.scrollIntoView({ block: 'nearest' });
      },
    );
  });
  useEffect(() => {
    if (reveal !== null) bring(reveal.id);
  }, [reveal]);
}
