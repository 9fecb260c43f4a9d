import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { constructionChanges, sourceSentence } from '#shared/construction/difference.ts';
import { constructionFaults } from '#shared/construction/faults.ts';
import { type Construction, ConstructionRow, incompleteRows, valueTypeOf } from '#shared/construction/schema.ts';
import { call } from '#client/call.ts';
import { rowsShape } from '#client/editor/document-shape.ts';
import type { Resolution } from '#client/editor/document-state.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { showSaved } from '#client/ui/notices.tsx';
import type { View } from '#client/screens/construction/values/value-kinds.ts';

type Rows = readonly ConstructionRow[];

/** The rows of an export as a document: compared, described and merged row by row. */
export const constructionShape = rowsShape<ConstructionRow>({
  sentences: constructionChanges,
  name: ({ exportfield }) => `Exportfeld „${exportfield}“`,
  version: (row) => `„${row.exportfield}“ aus ${sourceSentence(row)}`,
  typedPlace: (old, row) => {
    const same = valueTypeOf(old) === valueTypeOf(row) && old.field.length === row.field.length;
    return same && old.mp_state === row.mp_state ? 'texts' : undefined;
  },
});

type UseConstruction = {
  projectId: string;
  loaded: Pick<Construction, 'rows' | 'revision' | 'header' | 'template'>;
  view: View;
  /** CON-06: called with the first row that must be filled before the tabbed view can be saved. */
  onIncomplete: (row: ConstructionRow) => void;
  /** Asks before a save that changes the header; resolves to whether the save may go on. */
  mayChangeHeader: (rows: Rows) => Promise<boolean>;
};

/** The rows of an export as a form, with the save of either view. */
export function useConstruction({ projectId, loaded, view, onIncomplete, mayChangeHeader }: UseConstruction) {
  // A new object for each attempted save.
  const [checked, setChecked] = useState<object | null>(null);
  const editor = useDocument<Rows>({
    loaded: { document: loaded.rows, revision: loaded.revision },
    shape: constructionShape,
    /** CON-06: the tabbed view does not send an incomplete list. */
    mayGo: (rows) => {
      setChecked({});
      const found = incompleteRows(rows);
      if (view === 'table' || found.complete) return mayChangeHeader(rows);
      const first = rows.find(({ id }) => found.rowIds.includes(id));
      if (first !== undefined) onIncomplete(first);
      return false;
    },
    /** CON-07: the labelled view is sent even with unfilled rows. */
    send: (rows, { revision, signal }) => {
      const wanted = view === 'tabs' ? api.saveConstructionTabs : api.saveConstruction;
      return call(wanted, { params: { projectId }, body: [...rows], ifMatch: revision, signal });
    },
    newest: () =>
      newestRevision({ subject: 'construction', scope: `export:${projectId}` }, (content) =>
        ConstructionRow.array().parse(content ?? []),
      ),
    onSaved: ({ message = 'Gespeichert' }) => showSaved(message),
  });
  const { draft: rows } = editor;
  const { complete, rowIds } = useMemo(() => incompleteRows(rows), [rows]);
  const open = useMemo(() => new Set(rowIds), [rowIds]);
  const fields = loaded.template?.fields;
  const faults = useMemo(() => constructionFaults(rows, fields ?? []), [rows, fields]);
  const discard = () => {
    editor.discard(null);
    setChecked(null);
  };
  return {
    editor,
    rows,
    setRows: (next: Rows) => editor.edit(() => next, null),
    checked,
    complete,
    open,
    faults,
    discard,
    resolve: (resolution: Resolution) => void editor.resolve(resolution, null),
  };
}
export type ConstructionForm = ReturnType<typeof useConstruction>;
