import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from './cells.module.css';
import { stepOf } from './use-target-step.ts';

type CellButtonProps = {
  label: string;
  text: string;
  placeholder: string;
  disabled: boolean;
  /** A text that is too long shows its end: the end of a path says more than its beginning. */
  endFirst?: boolean;
  /** If set, arrow keys move to other rows; Alt+Pfeil then opens, as in a native select. */
  onStep?: (by: 1 | -1) => void;
  /** Rendered instead of the button while it is open; receives the function that closes it. */
  children: (close: () => void) => ReactNode;
};

/**
 * HDR-05: the item that opens and closes a menu of a row: a button that becomes a picker while the user chooses. Thousands of
 * pickers at once would be slow.
 */
export function CellButton({
  label,
  text,
  placeholder,
  disabled,
  endFirst = false,
  onStep,
  children,
}: CellButtonProps) {
  const [state, setState] = useState<'shut' | 'open' | 'returned'>('shut');
  // After a choice or Escape the field still has the focus, which must return here; if the
  // user has moved it elsewhere, it stays there.
  const close = () => setState(document.activeElement?.getAttribute('role') === 'combobox' ? 'returned' : 'shut');
  if (state === 'open') return children(close);
  const open = () => setState('open');
  return (
    <button
      data-takes-text
      type="button"
      className={endFirst ? `${classes.cell} ${classes.path}` : classes.cell}
      aria-label={`${label}, ${text === '' ? placeholder : text}`}
      aria-haspopup="listbox"
      aria-expanded={false}
      title={text}
      disabled={disabled}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus returns to where it was
      autoFocus={state === 'returned'}
      onClick={open}
      onKeyDown={(event) => {
        const by = event.key === 'Enter' ? 0 : stepOf(event);
        if (onStep !== undefined && by !== 0) {
          event.preventDefault();
          onStep(by);
        } else if (event.key === 'ArrowDown' || (onStep !== undefined && startsTyping(event))) {
          // The letter must be typed into the field that replaces the button, so its default action stays.
          if (event.key === 'ArrowDown') event.preventDefault();
          open();
        }
      }}
    >
      {text === '' ? <span className="k-muted">{placeholder}</span> : <bdi>{text}</bdi>}
    </button>
  );
}

/** A letter or digit that opens the picker; the space bar presses the button instead. */
const startsTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
