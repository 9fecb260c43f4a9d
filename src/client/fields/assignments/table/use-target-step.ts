import type { RefObject } from 'react';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';
import type { Line } from '#client/fields/assignments/lines/lines.ts';
import { useEvent } from '#client/ui/use-event.ts';

type Place = { region: RefObject<HTMLElement | null>; shown: readonly Line[]; heights: readonly number[] };

/**
 * Returns a function that moves the focus from a row's target to that of the next (1) or previous (-1)
 * row, drawn or not; it stops at the ends.
 */
export function useTargetStep({ region, shown, heights }: Place): (id: string, by: 1 | -1) => void {
  return useEvent((id: string, by: 1 | -1) => {
    const element = region.current;
    const next = shown.findIndex((line) => line.id === id) + by;
    const line = shown[next];
    if (element === null || line === undefined) return;
    const field = () =>
      element.querySelector<HTMLElement>(
        `[data-row="${CSS.escape(line.id)}"] td[data-target] :is(input:not([type="hidden"]), button)`,
      );
    if (field() === null) {
      const top = heights.slice(0, next).reduce((sum, height) => sum + height, 0);
      element.scrollTo({ top: top - element.clientHeight / 2 });
    }
    focusSoon(field, (found) => {
      found.focus({ preventScroll: true });
      found.closest('tr')?.scrollIntoView({ block: 'nearest' });
      if (found instanceof HTMLInputElement) found.select();
    });
  });
}

/** Returns the direction in which a key moves between targets: Enter and the arrows, Umschalt+Enter back; 0: none. */
export function stepOf({ key, shiftKey, altKey, ctrlKey, metaKey }: StepKey): 1 | -1 | 0 {
  if (altKey || ctrlKey || metaKey) return 0;
  if (key === 'Enter') return shiftKey ? -1 : 1;
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : 0;
}
type StepKey = { key: string; shiftKey: boolean; altKey: boolean; ctrlKey: boolean; metaKey: boolean };
