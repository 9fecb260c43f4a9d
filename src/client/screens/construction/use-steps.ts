import { useRef, useState } from 'react';
import { constructionChanges } from '#shared/construction/difference.ts';
import { type ConstructionRow, valueTypeOf } from '#shared/construction/schema.ts';
import {
  type EditHistory,
  endTyping,
  recordEdit,
  redoEdit,
  startHistory,
  undoEdit,
} from '#client/editor/edit-history.ts';
import { useUndoKeys } from '#client/editor/use-undo-keys.ts';

type Rows = readonly ConstructionRow[];

/** The rows of the form with their steps back and forward. */
export function useSteps(loaded: Rows) {
  const [history, setHistory] = useState<EditHistory<Rows, null>>(() => startHistory(loaded));
  const [said, setSaid] = useState('');
  const clock = useRef<number | null>(null);
  const rows = history.present;
  /** What is typed in one row in a short time is one step. */
  const setRows = (next: Rows) =>
    setHistory((now) => {
      const place = typedRow(now.present, next);
      clock.current ??= performance.now();
      const at = performance.now() - clock.current;
      return recordEdit(now, next, null, place === undefined ? null : { place, at });
    });
  const step = (which: 'undo' | 'redo') => {
    const moved = which === 'undo' ? undoEdit(history) : redoEdit(history);
    if (moved === undefined) return;
    setHistory(moved.history);
    const [sentence = 'Kein sichtbarer Unterschied.'] = constructionChanges(rows, moved.history.present);
    setSaid(`${which === 'undo' ? 'Rückgängig gemacht' : 'Wiederholt'}. ${sentence}`);
  };
  const onUndo = () => step('undo');
  const onRedo = () => step('redo');
  useUndoKeys({ onUndo, onRedo });
  const steps = { canUndo: history.past.length > 0, canRedo: history.future.length > 0, said, onUndo, onRedo };
  return { rows, setRows, steps, endStep: () => setHistory(endTyping) };
}

/** The one row in which somebody types: its kind and the number of its values stay. */
function typedRow(before: Rows, after: Rows): string | undefined {
  if (before.length !== after.length) return undefined;
  const first = after.findIndex((row, index) => row !== before[index]);
  const last = after.findLastIndex((row, index) => row !== before[index]);
  const [old, only] = [before[first], after[first]];
  if (first !== last || old === undefined || only === undefined || old.id !== only.id) return undefined;
  const same = valueTypeOf(old) === valueTypeOf(only) && old.field.length === only.field.length;
  return same && old.mp_state === only.mp_state ? only.id : undefined;
}
