import { NativeSelect } from '@mantine/core';
import { api } from '#shared/http/api.ts';
import {
  differenceActionNames,
  differenceActions,
  DifferenceSettings,
  withoutLimits,
} from '#shared/difference/schema.ts';
import { callForm, formTimeout } from '#client/call.ts';
import { DocumentForm } from '#client/editor/document-form.tsx';
import { fieldsShape } from '#client/editor/document-shape.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { type DocumentEditor, useDocument } from '#client/editor/use-document.ts';
import { showSaved } from '#client/ui/notices.tsx';

type DifferenceFormProps = {
  /** A catalogue (for its imports) or an export (for its outputs). */
  owner: { kind: 'master' | 'export'; id: string };
  loaded: { settings: DifferenceSettings; revision: number };
  mayEdit: boolean;
};

const percents = [
  { value: '0', label: 'keine Grenze' },
  ...Array.from({ length: 100 }, (_, index) => ({ value: String(index + 1), label: `ab ${index + 1} %` })),
];

const explanations = {
  master: 'Was geschieht, wenn eine neue Datei stark vom bisherigen Stand des Katalogs abweicht.',
  export: 'Was geschieht, wenn eine neue Ausgabe stark von der bisher ausgelieferten abweicht.',
} as const;

const shape = fieldsShape<DifferenceSettings>({
  labels: {
    action_on_difference: 'Aktion bei Differenz',
    neg_difference: 'Negative Differenz',
    pos_difference: 'Positive Differenz',
  },
  words: (path, value) =>
    path === 'action_on_difference'
      ? differenceActionNames.filter((name) => name === value).map((name) => `„${differenceActions[name].label}“`)[0]
      : percents.find((percent) => percent.value === String(value))?.label,
});

/** DIF-01, DIF-02: what happens if a state deviates, and from which percentage of the items on. */
export function DifferenceForm({ owner, loaded, mayEdit }: DifferenceFormProps) {
  const editor = useDifference(owner, loaded);
  const { draft, edit } = editor;
  const set = (part: Partial<DifferenceSettings>) => edit((now) => ({ ...now, ...part }), null);
  const percent = (member: 'neg_difference' | 'pos_difference', label: string, description: string) => (
    <NativeSelect
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description']}
      name={member}
      value={String(draft[member])}
      onChange={({ currentTarget }) => set({ [member]: Number(currentTarget.value) })}
      data={percents}
    />
  );
  return (
    <section className="k-card k-stack">
      <h2 id="differenz">Aktion bei Differenz</h2>
      <p className="k-muted">
        {explanations[owner.kind]} Unabhängig davon wird ein Stand immer angehalten, bis Sie ihn freigeben, wenn er leer
        ist oder wenn von mindestens 100 Artikeln vier Fünftel fehlen oder neue Nummern haben.
      </p>
      <DocumentForm editor={editor} shape={shape} label="Prüfung neuer Stände" mayEdit={mayEdit}>
        <NativeSelect
          label="Aktion bei Differenz"
          name="action_on_difference"
          value={draft.action_on_difference}
          maw={420}
          onChange={({ currentTarget }) =>
            set({
              action_on_difference: differenceActionNames.find((name) => name === currentTarget.value) ?? 'no_action',
            })
          }
          data={differenceActionNames.map((value) => ({ value, label: differenceActions[value].label }))}
        />
        {draft.action_on_difference !== 'no_action' && (
          <div className="k-row" style={{ alignItems: 'flex-start' }}>
            {percent(
              'neg_difference',
              'Aktion bei negativer Differenz',
              'Artikel, die wegfallen, in Prozent der bisherigen',
            )}
            {percent(
              'pos_difference',
              'Aktion bei postiver Differenz',
              'Artikel, die neu sind, in Prozent der bisherigen',
            )}
          </div>
        )}
        <p role="status" className="k-small k-message">
          {withoutLimits(draft) ?? ''}
        </p>
      </DocumentForm>
    </section>
  );
}

function useDifference(
  { kind, id }: DifferenceFormProps['owner'],
  { settings, revision }: DifferenceFormProps['loaded'],
): DocumentEditor<DifferenceSettings> {
  return useDocument<DifferenceSettings>({
    loaded: { document: settings, revision },
    shape,
    timeout: formTimeout,
    send: (draft, { revision: ifMatch, signal }) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(draft)) body.set(name, String(value));
      return kind === 'master'
        ? callForm(api.saveImportDifference, { params: { masterid: id }, body, ifMatch, signal })
        : callForm(api.saveExportDifference, { params: { id }, body, ifMatch, signal });
    },
    newest: () =>
      newestRevision({ subject: 'difference', scope: `${kind}:${id}` }, (content) =>
        DifferenceSettings.parse(content ?? {}),
      ),
    onSaved: () => showSaved('Gespeichert'),
  });
}
