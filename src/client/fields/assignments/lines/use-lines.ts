import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { CallError } from '#client/call.ts';
import {
  type EditHistory,
  endTyping,
  everyState,
  recordEdit,
  redoEdit,
  startHistory,
  undoEdit,
} from '#client/editor/edit-history.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { useUndoKeys } from '#client/editor/use-undo-keys.ts';
import { type SaveFailure, saveFailureOf } from '#client/editor/save-failure.ts';
import type { Line } from './lines.ts';
import type { Rest } from './load-remaining.ts';

type Saved = { revision: number; message: string };
type UseLines<L extends Line> = {
  loaded: { rows: readonly L[]; total: number; revision: number };
  /** The rows that did not come along. What is done to the first ones meanwhile stays. */
  rest: Rest<L>;
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
    append: (rest: readonly L[]) => setHistory((now) => everyState(now, (rows) => [...rows, ...rest])),
    endStep: () => setHistory(endTyping),
    undo,
    redo,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}

/** How many rows are still missing; `add` gets them as soon as they are there. */
function useMissing<L extends Line>(
  { rows, total }: { rows: readonly L[]; total: number },
  { all }: Rest<L>,
  add: (more: readonly L[]) => void,
) {
  const [first] = useState(rows);
  const [missing, setMissing] = useState(total - rows.length);
  const complete = useEffectEvent((every: readonly L[]) => {
    if (missing <= 0) return;
    const there = new Set(first.map(({ id }) => id));
    add(every.filter(({ id }) => !there.has(id)));
    setMissing(0);
  });
  useEffect(() => {
    if (all !== null) complete(all);
  }, [all]);
  return [missing, setMissing] as const;
}

/** The rows of a table as a form: what is saved, what stands in the form, and the save. */
export function useLines<L extends Line>(options: UseLines<L>) {
  const { loaded, rest, save: send, reload: loadAgain, onSaved, savedTitle } = options;
  const [saved, setSaved] = useState<{ rows: readonly L[]; revision: number }>(loaded);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const { endStep, append, ...steps } = useSteps(loaded.rows);
  const { lines, setLines } = steps;
  const changes = useMemo(() => countChanges(saved.rows, lines), [saved.rows, lines]);

  // The revision stays the one of the first rows: a save in between then is noticed.
  const [missing, setMissing] = useMissing(loaded, rest, (more) => {
    setSaved({ ...saved, rows: [...saved.rows, ...more] });
    append(more);
  });

  /** Tells whether everything is saved. */
  const save = async (anyway = false): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      if (missing > 0) throw incomplete();
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
      setMissing(0);
      setFailure(null);
    } catch (error) {
      setFailure(saveFailureOf(error));
    }
  };
  return {
    ...steps,
    changes,
    /** Set as long as rows are missing: a list that is not whole cannot be saved. */
    loading: missing > 0 ? { missing, failure: rest.failure, retry: rest.retry } : null,
    busy,
    failure,
    save,
    reload: () => void reload(),
    discard: () => setLines(saved.rows),
    closeFailure: () => setFailure(null),
  };
}
export type LinesForm<L extends Line> = ReturnType<typeof useLines<L>>;

const incomplete = () =>
  new CallError(0, {
    code: 'incomplete',
    message: 'Die Liste wird noch geladen, und ohne ihre übrigen Zeilen lässt sie sich nicht speichern.',
    requestId: '',
  });

/** The one row in which two states differ, while somebody types in it. */
function typedRow<L extends Line>(before: readonly L[], after: readonly L[]): string | undefined {
  if (before.length !== after.length) return undefined;
  const first = after.findIndex((line, index) => line !== before[index]);
  const last = after.findLastIndex((line, index) => line !== before[index]);
  const [old, only] = [before[first], after[first]];
  if (first !== last || old === undefined || only === undefined) return undefined;
  return old.id !== only.id || old.active !== only.active ? undefined : only.id;
}
