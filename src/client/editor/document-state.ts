import { type DocumentShape, sameDocument } from './document-shape.ts';
import {
  type EditHistory,
  endTyping,
  everyState,
  recordEdit,
  redoEdit,
  startHistory,
  undoEdit,
} from '#client/editor/undo/edit-history.ts';
import type { MergeChoice } from './merge-rows.ts';

/** A document as the server holds it; `revision` is sent with the next save. */
export type Stored<D> = { readonly document: D; readonly revision: number };

/** A version that was saved in between. */
export type Foreign<D> = Stored<D> & {
  readonly author: string;
  /** The author is the same user, in another window or on another machine. */
  readonly own: boolean;
  readonly createdAt: string | null;
};

/** How a save continues after another version was saved in between. */
export type Resolution =
  | { readonly kind: 'both'; readonly choices: ReadonlyMap<string, MergeChoice> }
  | { readonly kind: 'mine' }
  | { readonly kind: 'theirs' };

/** A document being edited: the last known server state, and the draft with its undo steps. */
export type DocumentState<D, Mark> = {
  readonly stored: D;
  readonly revision: number;
  readonly history: EditHistory<D, Mark>;
  readonly saving: boolean;
  readonly foreign: Foreign<D> | null;
};

/** The draft may change at any time, also during a save; no event but an edit changes what was typed. */
export type DocumentEvent<D, Mark> =
  /** `at`: milliseconds of any clock. */
  | { readonly kind: 'edited'; readonly make: (draft: D) => D; readonly mark: Mark; readonly at: number }
  /** The draft goes back to the stored state, as an undoable step. */
  | { readonly kind: 'discarded'; readonly mark: Mark }
  | { readonly kind: 'undone' }
  | { readonly kind: 'redone' }
  | { readonly kind: 'saveStarted' }
  /** The server has stored `sent`, in the form `stored`; `sent` may be only a part of the draft at the time of sending. */
  | { readonly kind: 'acknowledged'; readonly sent: D; readonly stored: D; readonly revision: number }
  | { readonly kind: 'saveEnded' }
  | { readonly kind: 'conflicted'; readonly foreign: Foreign<D> }
  | { readonly kind: 'conflictClosed' }
  | { readonly kind: 'resolved'; readonly resolution: Resolution; readonly mark: Mark }
  /** The page was loaded again. */
  | { readonly kind: 'loaded'; readonly document: D; readonly revision: number }
  /** The server changed something on its own or immediately: the change applies to every state and is not a step. */
  | { readonly kind: 'changedEverywhere'; readonly change: (state: D) => D; readonly revision?: number | undefined }
  /** The server deleted something immediately; removing it from the draft is a separate edit. */
  | { readonly kind: 'storedChanged'; readonly change: (stored: D) => D; readonly revision?: number | undefined };

export function startDocument<D, Mark>({ document, revision }: Stored<D>): DocumentState<D, Mark> {
  return { stored: document, revision, history: startHistory(document), saving: false, foreign: null };
}

/** Returns the state after an event. Pure; returns the identical state if nothing changes. */
export function reduceDocument<D, Mark>(
  state: DocumentState<D, Mark>,
  event: DocumentEvent<D, Mark>,
  shape: DocumentShape<D>,
): DocumentState<D, Mark> {
  const { history, stored, revision } = state;
  switch (event.kind) {
    case 'edited': {
      const next = event.make(history.present);
      const place = next === history.present ? undefined : shape.typedPlace(history.present, next);
      const typing = place === undefined ? null : { place, at: event.at };
      return withHistory(state, recordEdit(history, next, event.mark, typing));
    }
    case 'discarded':
      return withHistory(state, recordEdit(history, stored, event.mark));
    case 'undone':
      return withStep(state, undoEdit(history)?.history, shape);
    case 'redone':
      return withStep(state, redoEdit(history)?.history, shape);
    case 'saveStarted':
      return { ...state, saving: true };
    case 'saveEnded':
      return { ...state, saving: false };
    case 'acknowledged':
      return acknowledged(state, event, shape);
    case 'conflicted':
      return { ...state, foreign: event.foreign };
    case 'conflictClosed':
      return { ...state, foreign: null };
    case 'resolved':
      return resolved(state, event, shape);
    case 'loaded':
      return loaded(state, event, shape);
    case 'changedEverywhere':
      return {
        ...state,
        stored: event.change(stored),
        revision: event.revision ?? revision,
        history: everyState(history, event.change),
      };
    case 'storedChanged':
      return { ...state, stored: event.change(stored), revision: event.revision ?? revision };
  }
}

function withHistory<D, Mark>(state: DocumentState<D, Mark>, history: EditHistory<D, Mark>): DocumentState<D, Mark> {
  return history === state.history ? state : { ...state, history };
}

function withStep<D, Mark>(
  state: DocumentState<D, Mark>,
  nextHistory: EditHistory<D, Mark> | undefined,
  { keepStored }: DocumentShape<D>,
): DocumentState<D, Mark> {
  if (nextHistory === undefined) return state;
  return {
    ...state,
    history: { ...nextHistory, present: keepStored?.(nextHistory.present, state.stored) ?? nextHistory.present },
  };
}

/** Takes over what the server stored of the sent draft, and keeps every edit made since. */
function acknowledged<D, Mark>(
  state: DocumentState<D, Mark>,
  { sent, stored, revision }: Extract<DocumentEvent<D, Mark>, { kind: 'acknowledged' }>,
  { merge, withoutSecrets }: DocumentShape<D>,
): DocumentState<D, Mark> {
  const { present } = state.history;
  const draft = stored === sent ? present : merge(sent, present, stored, 'mine').merged;
  const steps = withoutSecrets === undefined ? state.history : everyState(state.history, withoutSecrets);
  return { ...state, stored, revision, history: endTyping({ ...steps, present: draft }) };
}

/** Resolves a conflict. The user's draft stays among the undo steps, whatever was chosen. */
function resolved<D, Mark>(
  state: DocumentState<D, Mark>,
  { resolution, mark }: Extract<DocumentEvent<D, Mark>, { kind: 'resolved' }>,
  shape: DocumentShape<D>,
): DocumentState<D, Mark> {
  const { merge, keepStored } = shape;
  const { stored, history, foreign } = state;
  if (foreign === null) return state;
  const { document: theirs, revision } = foreign;
  const chosen = (): D => {
    if (resolution.kind === 'theirs') return theirs;
    const mine = history.present;
    const next = resolution.kind === 'mine' ? mine : merge(stored, mine, theirs, resolution.choices).merged;
    return keepStored?.(next, theirs) ?? next;
  };
  const ended = endTyping(history);
  const draft = chosen();
  // A merge that equals what undo would lead back to is no step: undoing it would change nothing.
  const undone = keepStored?.(ended.present, theirs) ?? ended.present;
  const next = sameDocument(shape, undone, draft) ? { ...ended, present: draft } : recordEdit(ended, draft, mark);
  return { ...state, stored: theirs, revision, history: next, foreign: null };
}

/**
 * A newer state replaces a draft without edits. With edits, only its revision is taken, and only if the document is equal:
 * otherwise the next save must notice that somebody else saved.
 */
function loaded<D, Mark>(
  state: DocumentState<D, Mark>,
  { document, revision }: Extract<DocumentEvent<D, Mark>, { kind: 'loaded' }>,
  shape: DocumentShape<D>,
): DocumentState<D, Mark> {
  const { stored, history } = state;
  if (revision <= state.revision) return state;
  if (sameDocument(shape, stored, document)) return { ...state, revision };
  if (state.saving || shape.countChanges(stored, history.present) > 0) return state;
  return { ...state, stored: document, revision, history: endTyping({ ...history, present: document }) };
}
