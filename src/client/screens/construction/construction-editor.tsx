import { useMemo, useRef, useState } from 'react';
import { type Construction, missingFieldsText } from '#shared/construction/schema.ts';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { ScrollIntoView } from '#client/fields/scroll-into-view.tsx';
import { SaveFailureNotice } from '#client/editor/save-failure-notice.tsx';
import { useMay } from '#client/shell/session.ts';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { UnsavedGuard } from '#client/editor/unsaved-guard.tsx';
import classes from './construction.module.css';
import { EditorHead } from './editor-head.tsx';
import { EditorRows } from '#client/screens/construction/rows/editor-rows.tsx';
import { groupOf } from './groups.ts';
import { headerChange } from './header-change.ts';
import { HeaderDialog } from './header-dialog.tsx';
import { Preview } from './preview.tsx';
import { SuggestionPlace } from '#client/screens/construction/suggestions/suggestion-place.tsx';
import { useConstruction } from './use-construction.ts';
import { usePreview } from './use-preview.ts';
import { useReveal } from '#client/screens/construction/rows/use-reveal.ts';
import { useRows } from '#client/screens/construction/rows/use-rows.ts';
import { useView } from './use-view.ts';
import { useWantedRow } from '#client/screens/construction/rows/use-wanted-row.ts';

type ConstructionEditorProps = { id: string; masterid: string; name: string; construction: Construction };

/** CON: which fields the export has and where their values come from, by groups or in one table. */
export function ConstructionEditor({ id, masterid, name, construction }: ConstructionEditorProps) {
  const { template } = construction;
  const form = useConstruction(id, construction);
  const { rows, open } = form;
  const mayEdit = useMay('edit');
  const place = useView();
  const { view } = place;
  // Before the first import there is nothing to look at.
  const hasItems = useFields().fields.some(({ origin }) => origin === 'import');
  const preview = usePreview(id, rows, hasItems);
  const actions = useRows({ rows, template, onRows: form.setRows, onGroup: place.setGroup });
  const region = useRef<HTMLFieldSetElement>(null);
  const reveal = useReveal(region);
  useWantedRow({ rows, template, actions, onGroup: place.setGroup, reveal, mayEdit });
  const missing = form.checked === null ? noRows : open;
  const change = useMemo(
    () => (template?.fixedHeader === true ? headerChange(form.header, rows) : null),
    [template, form.header, rows],
  );
  const [asking, setAsking] = useState<{ anyway: boolean } | null>(null);

  /** CON-06: the tabbed view does not send an incomplete list; it shows the first row that is to be filled. */
  const save = async (anyway = false, confirmed = false): Promise<boolean> => {
    if (view === 'tabs' && !form.complete) {
      form.check();
      const first = rows.find((row) => open.has(row.id));
      if (first !== undefined) {
        place.setGroup(groupOf(first, actions.byName));
        reveal(first.id);
      }
      return false;
    }
    if (change !== null && !confirmed) {
      setAsking({ anyway });
      return false;
    }
    return form.save(view, anyway);
  };
  return (
    <div className={`k-stack ${classes.page}`}>
      <EditorHead id={id} name={name} form={form} place={place} template={template} change={change} mayEdit={mayEdit} />
      <ScrollIntoView of={form.failure}>
        <SaveFailureNotice
          failure={form.failure}
          onClose={form.closeFailure}
          onReload={() => void form.reload()}
          onSaveAnyway={() => void save(true)}
        />
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
          opened={place.suggesting}
          onOpened={place.setSuggesting}
          onTake={actions.putAll}
          onAdd={actions.addOffers}
        />
      )}
      <fieldset ref={region} disabled={!mayEdit} className={classes.fields}>
        <EditorRows
          form={form}
          place={place}
          template={template}
          actions={actions}
          missing={missing}
          seen={preview.seen}
          mayEdit={mayEdit}
        />
      </fieldset>
      <Preview masterid={masterid} exportId={id} preview={preview} />
      {mayEdit && (
        <SaveBar
          always
          dirty={form.changes > 0}
          count={form.changes}
          busy={form.busy}
          saveLabel={view === 'tabs' ? 'Sichern' : 'Speichern'}
          warning={change === null ? undefined : 'Die Kopfzeile der Datei ändert sich.'}
          onSave={() => void save()}
          onDiscard={form.discard}
        />
      )}
      <HeaderDialog
        change={asking === null ? null : change}
        channel={template?.name ?? ''}
        onSave={async () => {
          await form.save(view, asking?.anyway);
          setAsking(null);
        }}
        onClose={() => setAsking(null)}
      />
      <UnsavedGuard dirty={form.changes > 0} onSave={() => save()} />
    </div>
  );
}

const noRows: ReadonlySet<string> = new Set();
