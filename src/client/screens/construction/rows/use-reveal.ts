import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';

/** Returns a function that focuses the value of a row as soon as it is rendered: its tab may have just been opened. */
export function useReveal(region: RefObject<HTMLElement | null>): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  const bring = useEffectEvent((id: string) => {
    const row = () => region.current?.querySelector(`[data-row="${CSS.escape(id)}"]`);
    focusSoon(
      () => row()?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea'),
      (field) => {
        row()?.scrollIntoView({ block: 'center' });
        field.focus({ preventScroll: true });
      },
    );
  });
  useEffect(() => {
    if (wanted !== null) bring(wanted.id);
  }, [wanted]);
  return (id) => setWanted({ id });
}
