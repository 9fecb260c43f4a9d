import { useEffectEvent, useMemo, useRef, useState } from 'react';
import { type EditHistory, endTyping, recordEdit, redoEdit, startHistory, undoEdit } from '../../ui/edit-history.ts';
import { showSaved } from '../../ui/notices.tsx';
import { useUndoKeys } from '../../ui/use-undo-keys.ts';
import { type SaveFailure, saveFailureOf } from '../save-failure.ts';
import type { Line } from './lines.ts';

type Saved = { revision: number; message: string };
type UseLines<L extends Line> = {
  loaded: { rows: readonly L[]; revision: number };
  /** Without a revision whatever is saved is replaced. */
  save: (rows: L[], ifMatch: number | undefined) => Promise<Saved>;
  reload: () => Promise<{ rows: readonly L[]; revision: number }>;
  onSaved?: () => void;
  /** Title of the confirmation, where a screen has one (BRA-01). */
  savedTitle?: string;
};

/** How many rows differ, the order as one more. */
function countChanges<L extends Line>(saved: readonly L[], lines: readonly L[]): number {
  if (saved === lines) return 0;
  // The same rows at the same places, as while somebody types in one of twenty thousand.
  if (saved.length === lines.length && saved.every(({ id }, index) => id === lines[index]?.id))
    return lines.filter((line, index) => differs(saved[index], line)).length;
  const before = new Map(saved.map((line) => [line.id, line]));
  const now = new Set(lines.map(({ id }) => id));
  const changed = lines.filter((line) => differs(before.get(line.id), line)).length;
  const gone = saved.filter(({ id }) => !now.has(id)).length;
  const order = (list: readonly L[]) => list.map(({ id }) => id).filter((id) => before.has(id) && now.has(id));
  return changed + gone + (order(saved).join() === order(lines).join() ? 0 : 1);
}

const differs = (old: Line | undefined, line: Line): boolean =>
  old !== line && (old === undefined || JSON.stringify(old) !== JSON.stringify(line));

/** The rows of a form with their steps back and forward. */
function useSteps<L extends Line>(rows: readonly L[]) {
  const [history, setHistory] = useState<EditHistory<readonly L[], null>>(() => startHistory(rows));
  const clock = useRef<number | null>(null);
  /** Edits of the same row in a short time are one step. */
  const setLines = (next: readonly L[]) =>
    setHistory((now) => {
      const place = typedRow(now.present, next);
      clock.current ??= performance.now();
      const at = performance.now() - clock.current;
      return recordEdit(now, next, null, place === undefined ? null : { place, at });
    });
  const move = useEffectEvent((to: typeof undoEdit<readonly L[], null>) => {
    const moved = to(history);
    if (moved !== undefined) setHistory(moved.history);
  });
  const undo = () => move(undoEdit);
  const redo = () => move(redoEdit);
  useUndoKeys({ onUndo: undo, onRedo: redo });
  return {
    lines: history.present,
    setLines,
    endStep: () => setHistory(endTyping),
    undo,
    redo,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}

/** The rows of a table as a form: what is saved, what stands in the form, and the save. */
export function useLines<L extends Line>({ loaded, save: send, reload: loadAgain, onSaved, savedTitle }: UseLines<L>) {
  const [saved, setSaved] = useState(loaded);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const { endStep, ...steps } = useSteps(loaded.rows);
  const { lines, setLines } = steps;
  const changes = useMemo(() => countChanges(saved.rows, lines), [saved.rows, lines]);

  /** Tells whether everything is saved. */
  const save = async (anyway = false): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      const { revision, message } = await send([...lines], anyway ? undefined : saved.revision);
      setSaved({ rows: lines, revision });
      endStep();
      showSaved(message, savedTitle);
      onSaved?.();
      return true;
    } catch (error) {
      setFailure(saveFailureOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const reload = async () => {
    try {
      const fresh = await loadAgain();
      setSaved(fresh);
      setLines(fresh.rows);
      setFailure(null);
    } catch (error) {
      setFailure(saveFailureOf(error));
    }
  };
  return {
    ...steps,
    changes,
    busy,
    failure,
    save,
    reload: () => void reload(),
    discard: () => setLines(saved.rows),
    closeFailure: () => setFailure(null),
  };
}
export type LinesForm<L extends Line> = ReturnType<typeof useLines<L>>;

/** The one row in which two states differ, while somebody types in it. */
function typedRow<L extends Line>(before: readonly L[], after: readonly L[]): string | undefined {
  if (before.length !== after.length) return undefined;
  const first = after.findIndex((line, index) => line !== before[index]);
  const last = after.findLastIndex((line, index) => line !== before[index]);
  const [old, only] = [before[first], after[first]];
  if (first !== last || old === undefined || only === undefined) return undefined;
  return old.id !== only.id || old.active !== only.active ? undefined : only.id;
}
