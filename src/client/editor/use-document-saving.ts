import { useRef, useState } from 'react';
import type { Failure } from '#client/failure.ts';
import { type DocumentShape, sameDocument } from './document-shape.ts';
import type { DocumentEvent, DocumentState, Foreign } from './document-state.ts';
import { saveFailureOf } from './save-failure.ts';

/** The server's answer to a save; `stored` if it stored something else than what was sent. */
export type SaveAnswer<D> = { readonly revision: number; readonly stored?: D; readonly message?: string };

export type SaveInput<D> = {
  /** Sent as If-Match, so that nobody's work is overwritten unseen. */
  revision: number;
  /** Aborts the save when it takes too long. */
  signal: AbortSignal;
  /** The stored state when the save begins. */
  stored: D;
  /** Reports a part that the server has stored before the whole save is done: it stays stored even if a later part fails. */
  acknowledge: (part: { sent: D; stored: D; revision: number }) => void;
};

export type SaveSubject<D> = {
  send: (draft: D, input: SaveInput<D>) => Promise<SaveAnswer<D>>;
  /** Loads the newest stored state with its author; without this function a stale save can only be reported. */
  newest?: () => Promise<Foreign<D>>;
  /** Whether the draft may be sent: shows what is missing and asks the user about what is risky. */
  mayGo?: (draft: D, stored: D) => boolean | Promise<boolean>;
  /** Milliseconds that a save may take; a minute by default. */
  timeout?: number;
  onSaved?: (answer: SaveAnswer<D>, sent: D) => unknown;
  onRefused?: (error: unknown, sent: D) => void;
};

type Parts<D, Mark> = {
  shape: DocumentShape<D>;
  current: () => DocumentState<D, Mark>;
  dispatch: (event: DocumentEvent<D, Mark>) => DocumentState<D, Mark>;
  isDirty: () => boolean;
};

const saveTimeout = 60_000;
const staleText =
  'Hier wurde inzwischen an anderer Stelle gespeichert. Ihre Änderungen stehen noch im Formular. Versuchen Sie es erneut, um beide Stände zu vergleichen.';

/** Saves a draft, one save at a time. Whatever happens, the form keeps its content. */
export function useDocumentSaving<D, Mark>(subject: SaveSubject<D>, deps: Parts<D, Mark>) {
  const { current, dispatch, isDirty } = deps;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const [preparing, setPreparing] = useState(false);
  const running = useRef<Promise<boolean> | null>(null);

  const refuse = (reason: unknown, sent: D, shown: Failure) => {
    setFailure(shown);
    setError(reason);
    subject.onRefused?.(reason, sent);
    return false;
  };
  const attempt = async (): Promise<boolean> => {
    const draft = current().history.present;
    setFailure(null);
    setError(undefined);
    if (subject.mayGo !== undefined) {
      setPreparing(true);
      const allowed = await Promise.resolve(subject.mayGo(draft, current().stored)).finally(() => setPreparing(false));
      if (!allowed) return false;
    }
    dispatch({ kind: 'saveStarted' });
    try {
      const outcome = await send(draft, subject, deps);
      if (outcome.kind === 'saved') {
        await subject.onSaved?.(outcome.answer, draft);
        return true;
      }
      return refuse(outcome.error, draft, outcome.failure);
    } finally {
      dispatch({ kind: 'saveEnded' });
    }
  };
  /** Saves and resolves to whether what was sent is stored. While a save is running, no second one is sent. */
  const save = (): Promise<boolean> => {
    running.current ??= attempt().finally(() => {
      running.current = null;
    });
    return running.current;
  };
  /** Saves before leaving, including what was typed during a running save. */
  const saveAll = async (): Promise<boolean> => {
    if (running.current !== null) await running.current;
    return isDirty() ? save() : true;
  };
  /** Treats the draft as stored, without another save. */
  const confirm = async () => {
    const { stored, revision } = current();
    await subject.onSaved?.({ revision }, stored);
  };
  const closeFailure = () => {
    setFailure(null);
    setError(undefined);
  };
  return { save, saveAll, confirm, preparing, failure, error, closeFailure };
}

type Outcome<D> = { kind: 'saved'; answer: SaveAnswer<D> } | { kind: 'refused'; error: unknown; failure: Failure };

async function send<D, Mark>(
  draft: D,
  subject: SaveSubject<D>,
  deps: Parts<D, Mark>,
  again = true,
): Promise<Outcome<D>> {
  const { current, dispatch, shape } = deps;
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new DOMException('The save took too long', 'TimeoutError')),
    subject.timeout ?? saveTimeout,
  );
  try {
    const { revision, stored } = current();
    const acknowledge = (part: { sent: D; stored: D; revision: number }) =>
      void dispatch({ kind: 'acknowledged', ...part });
    const answer = await subject.send(draft, { revision, stored, signal: stop.signal, acknowledge });
    acknowledge({ sent: draft, stored: answer.stored ?? draft, revision: answer.revision });
    return { kind: 'saved', answer };
  } catch (error) {
    const failure = saveFailureOf(error);
    const foreign = failure.conflict ? await subject.newest?.().catch(() => undefined) : undefined;
    const reported = failure.conflict && subject.newest !== undefined ? { ...failure, message: staleText } : failure;
    if (foreign === undefined) return { kind: 'refused', error, failure: reported };
    const { document: stored, revision } = foreign;
    // An earlier attempt of the same save succeeded, and only its answer was lost.
    if (sameDocument(shape, stored, draft)) {
      dispatch({ kind: 'acknowledged', sent: draft, stored: draft, revision });
      return { kind: 'saved', answer: { revision } };
    }
    // Several documents share the revision, and this one has not changed.
    if (again && sameDocument(shape, current().stored, stored)) {
      dispatch({ kind: 'loaded', document: stored, revision });
      return await send(draft, subject, deps, false);
    }
    dispatch({ kind: 'conflicted', foreign });
    return { kind: 'refused', error, failure: reported };
  } finally {
    clearTimeout(timer);
  }
}
