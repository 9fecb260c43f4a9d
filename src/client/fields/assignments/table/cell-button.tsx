import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from '#client/fields/assignments/assignments.module.css';
import { stepOf } from './use-target-step.ts';

type CellButtonProps = {
  label: string;
  text: string;
  placeholder: string;
  disabled: boolean;
  /** Of a path that is too long its end is shown: it says more than its beginning. */
  endFirst?: boolean;
  /** Where the arrows lead on to other rows; then Alt+Pfeil opens, as a list of the system does. */
  onStep?: (by: 1 | -1) => void;
  /** What stands in its place while it is open; it gets the way to close itself. */
  children: (close: () => void) => ReactNode;
};

/** HDR-05: the item that opens and closes a menu of a row. A text that becomes a picker when somebody chooses in it: thousands of pickers at once would be slow. */
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
  // Whoever chose or pressed Escape is still in the field and goes on here; whoever left for another field is not fetched back.
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
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus returns to where it came from
      autoFocus={state === 'returned'}
      onClick={open}
      onKeyDown={(event) => {
        const by = event.key === 'Enter' ? 0 : stepOf(event);
        if (onStep !== undefined && by !== 0) {
          event.preventDefault();
          onStep(by);
        } else if (event.key === 'ArrowDown' || (onStep !== undefined && startsTyping(event))) {
          // A letter goes into the field that takes the button's place, so it is left to do so.
          if (event.key === 'ArrowDown') event.preventDefault();
          open();
        }
      }}
    >
      {text === '' ? <span className="k-muted">{placeholder}</span> : <bdi>{text}</bdi>}
    </button>
  );
}

/** A letter or digit; the space bar presses the button. */
const startsTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
