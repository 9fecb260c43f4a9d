import { type ReactNode, useState } from 'react';
import classes from '#client/fields/assignments/assignments.module.css';

type CellButtonProps = {
  label: string;
  text: string;
  placeholder: string;
  disabled: boolean;
  /** Of a path that is too long its end is shown: it says more than its beginning. */
  endFirst?: boolean;
  /** What stands in its place while it is open; it gets the way to close itself. */
  children: (close: () => void) => ReactNode;
};

/** HDR-05: the item that opens and closes a menu of a row. A text that becomes a picker when somebody chooses in it: thousands of pickers at once would be slow. */
export function CellButton({ label, text, placeholder, disabled, endFirst = false, children }: CellButtonProps) {
  const [state, setState] = useState<'shut' | 'open' | 'returned'>('shut');
  // Whoever chose or pressed Escape is still in the field and goes on here; whoever left for another field is not fetched back.
  const close = () => setState(document.activeElement?.getAttribute('role') === 'combobox' ? 'returned' : 'shut');
  if (state === 'open') return children(close);
  const open = () => setState('open');
  return (
    <button
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
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        open();
      }}
    >
      {text === '' ? <span className="k-muted">{placeholder}</span> : <bdi>{text}</bdi>}
    </button>
  );
}
