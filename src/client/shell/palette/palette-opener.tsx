import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Master } from '#shared/masters/schema.ts';
import type { Active } from '#client/shell/active.ts';
import classes from './palette-opener.module.css';

/** Loaded when it is first opened: no page waits for it. */
const Palette = lazy(() => import('./palette.tsx'));

/** The button of the command palette in the header; Strg+K opens and closes it from everywhere. */
export function PaletteOpener({ masters, active }: { masters: readonly Master[]; active: Active }) {
  const [opened, setOpened] = useState(false);
  const before = useRef<Element | null>(null);
  const open = () => {
    before.current = document.activeElement;
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    // Once the dialog has let go of the focus, it returns to where it was.
    const last = before.current;
    requestAnimationFrame(() => last instanceof HTMLElement && last.focus({ preventScroll: true }));
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    if (opened) close();
    else open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <button
        type="button"
        className={classes.search}
        aria-keyshortcuts="Control+K"
        aria-label="Suchen"
        title="Suchen (Strg+K)"
        onClick={open}
      >
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <span className={classes.word}>Suchen</span>
        <kbd className={classes.keys}>Strg K</kbd>
      </button>
      {opened && (
        <Suspense fallback={null}>
          <Palette masters={masters} active={active} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
