import type { RefObject } from 'react';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';
import type { Line } from '#client/fields/assignments/lines/lines.ts';
import { useEvent } from '#client/ui/use-event.ts';

type Place = { region: RefObject<HTMLElement | null>; shown: readonly Line[]; heights: readonly number[] };

/** Goes from the target of a row to that of the next (1) or the one before (-1), drawn or not; at the ends it stays. */
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

/** Which way a key leads from target to target: Enter and the arrows, Umschalt+Enter back; 0: nowhere. */
export function stepOf({ key, shiftKey, altKey, ctrlKey, metaKey }: StepKey): 1 | -1 | 0 {
  if (altKey || ctrlKey || metaKey) return 0;
  if (key === 'Enter') return shiftKey ? -1 : 1;
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : 0;
}
type StepKey = { key: string; shiftKey: boolean; altKey: boolean; ctrlKey: boolean; metaKey: boolean };
