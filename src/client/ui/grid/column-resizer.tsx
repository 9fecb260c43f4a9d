import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import classes from './column-resizer.module.css';
import { clampWidth, NARROWEST, WIDEST } from './column-widths.ts';

type ColumnResizerProps = {
  /** The column's title. */
  title: string;
  /** Pixels that the user chose; undefined: the default width. */
  width: number | undefined;
  /** Pixels that screen readers hear for the default width. */
  usual: number;
  /** Null restores the default width. */
  onWidth: (width: number | null) => void;
};

const step = 16;

/** The edge of a column's head: dragged, moved by the arrow keys, and set back by a double click or Entf. */
export function ColumnResizer({ title, width, usual, onWidth }: ColumnResizerProps) {
  const grip = useRef<{ from: number; width: number } | null>(null);
  const widthOf = (edge: HTMLElement) => edge.closest('th')?.getBoundingClientRect().width ?? usual;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { from: event.clientX, width: widthOf(event.currentTarget) };
  };
  const onPointerMove = ({ clientX }: PointerEvent<HTMLElement>) => {
    if (grip.current !== null) onWidth(clampWidth(grip.current.width + clientX - grip.current.from));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? step : event.key === 'ArrowLeft' ? -step : 0;
    if (by !== 0) onWidth(clampWidth(widthOf(event.currentTarget) + by));
    else if (event.key === 'Delete') onWidth(null);
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that takes the focus is a control (ARIA)
    <span
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a focusable separator is a control (ARIA)
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Breite der Spalte ${title}`}
      aria-valuenow={width ?? usual}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      title="Breite ändern: ziehen, Pfeiltasten; Doppelklick setzt sie zurück"
      className={classes.edge}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (grip.current = null)}
      onPointerCancel={() => (grip.current = null)}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={onKeyDown}
    />
  );
}
