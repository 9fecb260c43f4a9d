import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './disclosure.module.css';
import { useEvent } from './use-event.ts';

type DisclosureProps = {
  /** Class of the button. */
  className?: string;
  button: ReactNode;
  /** Accessible name of a button that holds only an icon. */
  label?: string;
  align?: 'start' | 'end';
  children: (close: () => void) => ReactNode;
};

/**
 * A button that opens a small panel of links and buttons below it. Escape and a click elsewhere close it; the focus returns to
 * the button. The arrow keys move among its links and buttons. Much smaller than the library's menu, because the header of every
 * page uses it.
 */
export function Disclosure({ className, button, label, align = 'start', children }: DisclosureProps) {
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!opened) return;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpened(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [opened]);

  const close = useEvent(() => {
    // What closes the panel may open a dialog, which gives the focus back to the element that had it before.
    if (panel.current?.contains(document.activeElement) === true) opener.current?.focus();
    setOpened(false);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!opened) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      opener.current?.focus();
    } else if (panel.current !== null && moveFocus(event, panel.current)) event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only handles keys bubbling up
    <div
      ref={root}
      className={classes.root}
      onKeyDown={onKeyDown}
      onBlur={(event) => event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-expanded={opened}
        aria-controls={opened ? panelId : undefined}
        onClick={() => setOpened(!opened)}
      >
        {button}
      </button>
      {opened && (
        <div ref={panel} id={panelId} className={classes.panel} data-align={align}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

/**
 * Moves the focus by an arrow key to the next or previous link or button of the panel; otherwise the page would scroll below it.
 * Fields, and lists and calendars that open from the panel, keep their own use of these keys. Returns whether the key was used.
 */
function moveFocus({ key, target, currentTarget }: KeyboardEvent, panel: HTMLElement): boolean {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const isOwn = target instanceof HTMLElement && currentTarget.contains(target) && target.matches('a, button');
  const stops = [...panel.querySelectorAll<HTMLElement>('a[href], button:enabled')];
  if (step === 0 || !isOwn || stops.length === 0) return false;
  const from = stops.indexOf(target);
  const first = step === 1 ? 0 : stops.length - 1;
  stops[from === -1 ? first : (from + step + stops.length) % stops.length]?.focus();
  return true;
}
