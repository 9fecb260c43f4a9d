import { Loader } from '@mantine/core';
import IconPencil from 'virtual:icons/pencil';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { fromOneLine, oneLine } from '#client/ui/form/one-line.ts';
import classes from './cell-editor.module.css';

type CellEditorProps = {
  /** What the cell holds, as a label for its controls: „Notiz zu Preis“. */
  label: string;
  value: string;
  /** HDR-08. */
  maxLength: number;
  /** Shown while the cell is empty. */
  placeholder: string;
  /** Stores the text. Resolves to undefined once `value` is the new one, else to why it could not be stored. */
  onSave: (text: string) => Promise<string | undefined>;
};

/**
 * One cell of a table that is edited in place: a click, Enter or F2 opens it, Enter or blur saves, Escape reverts. Text that
 * could not be saved stays in it.
 */
export function CellEditor(props: CellEditorProps) {
  const { label, value, maxLength, placeholder, onSave } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [announcement, setAnnouncement] = useState('');
  const problemId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** Set if the editor was closed by keyboard: the focus returns to the cell. */
  const returns = useRef(false);
  useEffect(() => {
    if (typed !== null || !returns.current) return;
    returns.current = false;
    opener.current?.focus();
  }, [typed]);

  const open = () => {
    setAnnouncement('');
    setTyped(value);
  };
  const close = (focus: boolean) => {
    returns.current = focus;
    setTyped(null);
    setProblem(undefined);
  };
  const save = async (text: string, focus: boolean) => {
    if (busy) return;
    if (text.trim() === value) {
      close(focus);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    const failed = await onSave(text.trim());
    setBusy(false);
    setProblem(failed);
    if (failed !== undefined) return;
    setAnnouncement(`${label}: gespeichert`);
    // The focus stays where the user has moved it meanwhile.
    close(focus && document.activeElement === input.current);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // An Enter that ends an IME composition must not save.
    if (event.nativeEvent.isComposing || busy) return;
    if (event.key === 'Enter') void save(fromOneLine(event.currentTarget.value, typed ?? value), true);
    else if (event.key === 'Escape') close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (typed === null) {
    return (
      <>
        <button
          ref={opener}
          type="button"
          className={classes.cell}
          aria-label={`${label}: ${value === '' ? placeholder : value}`}
          title={value === '' ? undefined : value}
          onClick={open}
          onKeyDown={(event) => {
            if (event.key === 'F2') open();
          }}
        >
          <span className={value === '' ? classes.empty : classes.text}>{value === '' ? placeholder : value}</span>
          <IconPencil size={14} aria-hidden className={classes.pencil} />
        </button>
        <span role="status" className="k-hidden">
          {announcement}
        </span>
      </>
    );
  }
  return (
    <span className={classes.editor} aria-busy={busy}>
      <input
        ref={input}
        className={classes.input}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the cell was opened to write into it
        autoFocus
        autoComplete="off"
        maxLength={maxLength}
        readOnly={busy}
        {...oneLine(typed, setTyped)}
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget }) => void save(fromOneLine(currentTarget.value, typed), false)}
      />
      {busy && (
        <Loader size={14} color="var(--k-graphic)" role="img" aria-label="wird gespeichert" className={classes.busy} />
      )}
      {problem !== undefined && (
        <span id={problemId} role="alert" className={classes.problem}>
          {problem}
        </span>
      )}
    </span>
  );
}
