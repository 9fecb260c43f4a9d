import IconSearch from 'virtual:icons/search';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Master } from '#shared/masters/schema.ts';
import { laterDialog } from '#client/page-load/later-part.tsx';
import type { Active } from '#client/shell/active.ts';
import classes from './palette-opener.module.css';

/** Loaded when it is first opened: no page waits for it. */
const Palette = laterDialog(() => import('./palette.tsx'));

/** The header's button for the command palette; Strg+K opens and closes it on every page. */
export function PaletteOpener({ masters, active }: { masters: readonly Master[]; active: Active }) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const before = useRef<Element | null>(null);
  const open = () => {
    before.current = document.activeElement;
    setTyped('');
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    // After the dialog has released the focus, it returns to where it was.
    const last = before.current;
    requestAnimationFrame(() => last instanceof HTMLElement && last.focus({ preventScroll: true }));
  };
  /**
   * Until the palette's field is loaded, typed keys are collected for it instead of going to the element focused before. Focusing
   * another field ends that.
   */
  const hold = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Backspace') setTyped((soFar) => soFar.slice(0, -1));
    else if (event.key.length === 1) setTyped((soFar) => soFar + event.key);
    else if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (opened && (event.target === before.current || event.target === document.body)) hold(event);
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    if (opened) close();
    else open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
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
      {opened && <Palette masters={masters} active={active} typed={typed} onType={setTyped} onClose={close} />}
    </>
  );
}
