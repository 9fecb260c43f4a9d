import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './disclosure.module.css';

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
 * the button. Much smaller than the library's menu, because the header of every page uses it.
 */
export function Disclosure({ className, button, label, align = 'start', children }: DisclosureProps) {
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!opened) return;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpened(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [opened]);

  const close = () => setOpened(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    event.stopPropagation();
    close();
    opener.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only handles Escape bubbling up
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
        <div id={panelId} className={classes.panel} data-align={align}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
