import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { DocumentShape } from './document-shape.ts';
import { type DocumentEvent, reduceDocument, type Resolution, startDocument, type Stored } from './document-state.ts';
import { type SaveSubject, useDocumentSaving } from './use-document-saving.ts';
import { useUndoKeys } from '#client/editor/undo/use-undo-keys.ts';

export type DocumentSubject<D, Mark> = SaveSubject<D> & {
  /** The document that the page was loaded with. A newer one replaces it if nothing is unsaved. */
  loaded: Stored<D>;
  /** Must stay the same object while the editor is open. */
  shape: DocumentShape<D>;
  /** Called after undo or redo, with what the edit was about. */
  onStep?: (mark: Mark, draft: D) => void;
};

/**
 * State of every document editor: the server's version, the draft with undo and redo (Strg+Z, Strg+Y), what is unsaved, the save,
 * and the conflict if somebody else saved in between. `Mark` says what an edit was about.
 */
export function useDocument<D, Mark = null>(subject: DocumentSubject<D, Mark>) {
  const { shape, loaded } = subject;
  const store = useStore<D, Mark>(loaded, shape);
  const { state, current, dispatch } = store;
  const { stored, history } = state;
  const draft = history.present;
  const changes = useMemo(() => shape.countChanges(stored, draft), [shape, stored, draft]);
  const isDirty = () => shape.countChanges(current().stored, current().history.present) > 0;
  const [discards, setDiscards] = useState(0);
  const saving = useDocumentSaving(subject, { shape, current, dispatch, isDirty });
  const { steps, touch, announce } = useSteps(subject, store);

  const edit = (make: (draft: D) => D, mark: Mark) => {
    touch();
    dispatch({ kind: 'edited', make, mark, at: performance.now() });
  };
  /** Goes back to the stored state, as an undoable step. */
  const discard = (mark: Mark) => {
    touch();
    dispatch({ kind: 'discarded', mark });
    setDiscards((count) => count + 1);
    saving.closeFailure();
  };
  /** Resolves a conflict and returns the draft after it. */
  const resolve = (resolution: Resolution, mark: Mark): D => {
    touch();
    const { history: next } = dispatch({ kind: 'resolved', resolution, mark });
    saving.closeFailure();
    if (resolution.kind === 'theirs') setDiscards((count) => count + 1);
    else void (isDirty() ? saving.save() : saving.confirm());
    return next.present;
  };
  return {
    draft,
    stored,
    revision: state.revision,
    foreign: state.foreign,
    busy: state.saving || saving.preparing,
    changes,
    /** How often the draft was thrown away. */
    discards,
    dirty: changes > 0,
    steps,
    failure: saving.failure,
    error: saving.error,
    closeFailure: saving.closeFailure,
    save: saving.save,
    saveAll: saving.saveAll,
    /** Announces a text to screen readers. */
    announce,
    edit,
    discard,
    resolve,
    closeConflict: () => void dispatch({ kind: 'conflictClosed' }),
    changeEverywhere: (change: (one: D) => D, revision?: number) =>
      void dispatch({ kind: 'changedEverywhere', change, revision }),
    changeStored: (change: (one: D) => D, revision?: number) =>
      void dispatch({ kind: 'storedChanged', change, revision }),
    /** The draft and the stored state right now, for code that continues after an await. */
    current: () => ({ draft: current().history.present, stored: current().stored, revision: current().revision }),
  };
}
export type DocumentEditor<D, Mark = null> = ReturnType<typeof useDocument<D, Mark>>;

/** The state, and a function that reads the current one: a save continues with what was typed meanwhile. */
function useStore<D, Mark>(loaded: Stored<D>, shape: DocumentShape<D>) {
  const [state, setState] = useState(() => startDocument<D, Mark>(loaded));
  const newest = useRef(state);
  const dispatch = (event: DocumentEvent<D, Mark>) => {
    newest.current = reduceDocument(newest.current, event, shape);
    setState(newest.current);
    return newest.current;
  };
  const follow = useEffectEvent(({ document, revision }: Stored<D>) => {
    if (revision > newest.current.revision) dispatch({ kind: 'loaded', document, revision });
  });
  const { document, revision } = loaded;
  useEffect(() => follow({ document, revision }), [document, revision]);
  return { state, current: () => newest.current, dispatch };
}

/** Undo and redo, by button and key, and what the last one did in words. */
function useSteps<D, Mark>(
  { shape, onStep }: DocumentSubject<D, Mark>,
  { state, current, dispatch }: ReturnType<typeof useStore<D, Mark>>,
) {
  const [announcement, setAnnouncement] = useState('');
  const step = (kind: 'undone' | 'redone') => {
    const { history: before } = current();
    const step = (kind === 'undone' ? before.past : before.future).at(-1);
    if (step === undefined) return;
    const { history: after } = dispatch({ kind });
    const [sentence = 'Kein sichtbarer Unterschied.'] = shape.sentences(before.present, after.present);
    setAnnouncement(`${kind === 'undone' ? 'Rückgängig gemacht' : 'Wiederholt'}. ${sentence}`);
    onStep?.(step.mark, after.present);
  };
  const onUndo = () => step('undone');
  const onRedo = () => step('redone');
  const touch = useUndoKeys({ onUndo, onRedo });
  const { past, future } = state.history;
  const steps = { canUndo: past.length > 0, canRedo: future.length > 0, announcement, onUndo, onRedo };
  return { steps, touch, announce: setAnnouncement };
}
