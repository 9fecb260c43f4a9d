import { useMemo, useRef } from 'react';
import { type ConstructionFaults, faultSentences } from '#shared/construction/faults.ts';
import { type Construction, missingFieldsText } from '#shared/construction/schema.ts';
import { SaveImpactLine } from '#client/fields/save-impact.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { ScrollIntoView } from '#client/fields/scroll-into-view.tsx';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useMay } from '#client/shell/session.ts';
import { SaveBar } from '#client/editor/save-bar.tsx';
import classes from './construction.module.css';
import { EditorHead } from './editor-head.tsx';
import { EditorRows } from '#client/screens/construction/rows/editor-rows.tsx';
import { fieldsByName, groupOf } from './groups.ts';
import { HeaderDialog } from './header-dialog.tsx';
import { Preview } from './preview.tsx';
import { SuggestionPlace } from '#client/screens/construction/suggestions/suggestion-place.tsx';
import { constructionShape, useConstruction } from './use-construction.ts';
import { useHeaderQuestion } from './use-header-question.ts';
import { usePreview } from './use-preview.ts';
import { useSaveImpact } from '#client/fields/use-save-impact.ts';
import { useReveal } from '#client/screens/construction/rows/use-reveal.ts';
import { useRows } from '#client/screens/construction/rows/use-rows.ts';
import { useView } from './use-view.ts';
import { useWantedRow } from '#client/screens/construction/rows/use-wanted-row.ts';

type ConstructionEditorProps = { id: string; masterid: string; name: string; construction: Construction };

/** CON: which fields the export has and where their values come from, by groups or in one table. */
export function ConstructionEditor({ id, masterid, name, construction }: ConstructionEditorProps) {
  const { template } = construction;
  const viewState = useView();
  const { view } = viewState;
  const region = useRef<HTMLDivElement>(null);
  const reveal = useReveal(region);
  const header = useHeaderQuestion(construction);
  const form = useConstruction({
    projectId: id,
    loaded: construction,
    view,
    onIncomplete: (row) => {
      viewState.setGroup(groupOf(row, fieldsByName(template)));
      reveal(row.id);
    },
    mayChangeHeader: header.mayChange,
  });
  const { editor, rows, open } = form;
  const mayEdit = useMay('edit');
  // Before the first import there are no items to preview.
  const hasItems = useFields().fields.some(({ origin }) => origin === 'import');
  const preview = usePreview(id, rows, hasItems);
  const unsaved = useMemo(() => ({ rows: [...rows] }), [rows]);
  const impact = useSaveImpact(id, unsaved, mayEdit && hasItems && editor.dirty);
  const actions = useRows({ rows, template, onRows: form.setRows, onGroup: viewState.setGroup });
  useWantedRow({ rows, template, actions, onGroup: viewState.setGroup, reveal, mayEdit });
  const missing = form.checked === null ? noRows : open;
  const { changeOf } = header;
  const change = useMemo(() => changeOf(rows), [changeOf, rows]);
  return (
    <div className={`k-stack ${classes.page}`}>
      <EditorHead
        id={id}
        name={name}
        form={form}
        viewState={viewState}
        template={template}
        change={change}
        mayEdit={mayEdit}
      />
      <ScrollIntoView of={editor.failure}>
        <ErrorNotice failure={editor.failure} onClose={editor.closeFailure} onRetry={() => void editor.save()} />
      </ScrollIntoView>
      <ScrollIntoView of={form.complete ? null : form.checked}>
        <p className={classes.incomplete} role="alert">
          {missingFieldsText}
        </p>
      </ScrollIntoView>
      {mayEdit && hasItems && (
        <SuggestionPlace
          exportId={id}
          rows={rows}
          template={template}
          opened={viewState.suggesting}
          onOpened={viewState.setSuggesting}
          onTake={actions.putAll}
          onAdd={actions.addOffers}
        />
      )}
      <div ref={region}>
        <EditorRows
          form={form}
          viewState={viewState}
          template={template}
          actions={actions}
          missing={missing}
          seen={preview.seen}
          mayEdit={mayEdit}
        />
      </div>
      <Preview masterid={masterid} exportId={id} preview={preview} />
      {mayEdit && (
        <SaveBar
          always
          dirty={editor.dirty}
          count={editor.changes}
          busy={editor.busy}
          saveLabel={view === 'tabs' ? 'Sichern' : 'Speichern'}
          warning={warningOf(change !== null, form.faults)}
          above={editor.dirty && <SaveImpactLine impact={impact} />}
          onSave={() => void editor.save()}
          onDiscard={form.discard}
        />
      )}
      <HeaderDialog change={header.pending} channel={template?.name ?? ''} onAnswer={header.answer} />
      <DocumentGuard editor={editor} shape={constructionShape} onResolve={form.resolve} />
    </div>
  );
}

/** Returns what the user should read before saving. */
function warningOf(headerChanges: boolean, faults: ConstructionFaults): string | undefined {
  const sentences = [...(headerChanges ? ['Die Kopfzeile der Datei ändert sich.'] : []), ...faultSentences(faults)];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

const noRows: ReadonlySet<string> = new Set();
