import { useMemo, useState } from 'react';
import type { MappingExcerpt, MappingRow } from '#shared/assignments/schema.ts';
import type { Resolution } from '#client/editor/document-state.ts';
import { useDocument } from '#client/editor/use-document.ts';
import type { LinesForm } from '#client/fields/assignments/lines/use-lines.ts';
import { incomplete, useMissing } from '#client/fields/assignments/lines/use-missing.ts';
import { showSaved } from '#client/ui/notices.tsx';
import type { Head } from './detail-box.tsx';
import { isPart } from './mapping-loading.ts';
import { documentOf, headOf, type MappingDocument, mappingShape } from './mapping-shape.ts';
import type { MappingsForm } from './use-mappings.ts';

type UseMappingDocument = {
  mapping: MappingExcerpt;
  form: MappingsForm;
  /** Not saved yet. */
  fresh: boolean;
  /** Called after the first save. */
  onStored: () => void;
};

/** One mapping as a form. All mappings of a catalogue share one revision, which the list keeps. */
export function useMappingDocument({ mapping, form, fresh, onStored }: UseMappingDocument) {
  /** Number of attempted saves without a name. */
  const [nameless, setNameless] = useState(0);
  const [first] = useState(mapping);
  // For a long mapping a page contains only the beginning; the other rows are added below.
  const document = useMemo(() => documentOf(isPart(first) ? first : mapping), [first, mapping]);
  const revision = isPart(first) ? 0 : form.revision;
  const [initialRevision] = useState(form.revision);
  const editor = useDocument<MappingDocument>({
    loaded: { document, revision: Math.max(initialRevision, revision) },
    shape: mappingShape,
    // MAP-06: with an empty name nothing is sent. The field shows it; this is not a failure.
    mayGo: ({ name }) => {
      if (name.trim() !== '') return true;
      setNameless((count) => count + 1);
      return false;
    },
    send: (draft, input) => {
      if (loading !== null) throw incomplete();
      return form.save({ ...mapping, ...draft, data: [...draft.data] }, input);
    },
    newest: async () => {
      const { stored } = editor.current();
      const foreign = await form.newest({ ...mapping, ...stored, data: [...stored.data] });
      return { ...foreign, document: documentOf(foreign.document) };
    },
    onSaved: ({ message = 'Daten wurden gespeichert' }) => {
      showSaved(message);
      if (fresh) onStored();
    },
  });
  const rest = { ...form.filling, all: isPart(mapping) ? null : mapping.data };
  const loading = useMissing({ rows: first.data, total: first.total }, rest, (more) =>
    editor.changeEverywhere((one) => ({ ...one, data: [...one.data, ...more] })),
  );
  const lines: LinesForm<MappingRow> = {
    lines: editor.draft.data,
    setLines: (data) => editor.edit((one) => ({ ...one, data }), null),
    loading,
    editor,
    discard: () => editor.discard(null),
  };
  return {
    ...lines,
    editor,
    head: headOf(editor.draft),
    setHead: (head: Head) => editor.edit((one) => ({ ...one, ...head }), null),
    nameless,
    resolve: (resolution: Resolution) => void editor.resolve(resolution, null),
  };
}
