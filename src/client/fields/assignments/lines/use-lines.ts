import { useState } from 'react';
import type { Foreign, Resolution } from '#client/editor/document-state.ts';
import { type DocumentEditor, useDocument } from '#client/editor/use-document.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { lineShape } from './line-shape.ts';
import type { Line } from './lines.ts';
import type { Rest } from './load-remaining.ts';
import { incomplete, useMissing } from './use-missing.ts';

/** The rows of a table as a form, whatever else is saved with them. */
export type LinesForm<L extends Line> = {
  lines: readonly L[];
  setLines: (lines: readonly L[]) => void;
  loading: ReturnType<typeof useMissing>;
  editor: Pick<
    DocumentEditor<readonly L[]>,
    'steps' | 'failure' | 'closeFailure' | 'dirty' | 'changes' | 'busy' | 'save'
  >;
  discard: () => void;
};

type UseLines<L extends Line> = {
  loaded: { rows: readonly L[]; total: number; revision: number };
  /** Rows that the first response lacked. Edits to the first rows made meanwhile are kept. */
  rest: Rest<L>;
  save: (rows: L[], ifMatch: number, signal: AbortSignal) => Promise<{ revision: number; message: string }>;
  newest: () => Promise<Foreign<readonly L[]>>;
  onSaved?: () => void;
  /** Title of the confirmation, if the screen has one (BRA-01). */
  savedTitle?: string;
};

/** The rows of an export's table as a form. */
export function useLines<L extends Line>({ loaded, rest, save, newest, onSaved, savedTitle }: UseLines<L>) {
  const [first] = useState(loaded);
  const [shape] = useState(() => lineShape<L>());
  // For a long list a page contains only the beginning, which must not replace the whole.
  const whole = first.rows.length === first.total && loaded.rows.length === loaded.total;
  const { rows, revision } = whole ? loaded : first;
  const editor = useDocument<readonly L[]>({
    loaded: { document: rows, revision },
    shape,
    send: (lines, input) => {
      if (loading !== null) throw incomplete();
      return save([...lines], input.revision, input.signal);
    },
    newest,
    onSaved: ({ message = 'Gespeichert' }) => {
      showSaved(message, savedTitle);
      onSaved?.();
    },
  });
  // The revision stays that of the first rows: a save by somebody else in between is then detected.
  const loading = useMissing(first, rest, (more) => editor.changeEverywhere((lines) => [...lines, ...more]));
  return {
    lines: editor.draft,
    setLines: (next: readonly L[]) => editor.edit(() => next, null),
    loading,
    editor,
    shape,
    discard: () => editor.discard(null),
    resolve: (resolution: Resolution) => void editor.resolve(resolution, null),
  };
}
