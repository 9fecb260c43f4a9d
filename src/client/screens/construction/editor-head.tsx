import { Alert, SegmentedControl } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import type { ConstructionTemplate } from '#shared/construction/schema.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { UndoButtons } from '#client/editor/undo/undo-buttons.tsx';
import type { HeaderChange } from './header-change.ts';
import { HeaderWords } from './header-dialog.tsx';
import type { ConstructionForm } from './use-construction.ts';
import type { useView } from './use-view.ts';

type EditorHeadProps = {
  id: string;
  name: string;
  form: ConstructionForm;
  viewState: ReturnType<typeof useView>;
  template: ConstructionTemplate | null;
  change: HeaderChange | null;
  mayEdit: boolean;
};

/** Title, undo steps, and the switch between the two views, which share all unsaved edits. */
export function EditorHead({ id, name, form, viewState, template, change, mayEdit }: EditorHeadProps) {
  const required = form.rows.filter(({ mp_state: state }) => state === 'Required').length;
  const lead =
    template === null
      ? 'Welche Felder die Ausgabe hat und woher ihre Werte kommen.'
      : `Welche Felder die Ausgabe hat und woher ihre Werte kommen. Vorlage: ${template.name}.`;
  const open = form.open.size > 0 ? ` Pflichtfelder ohne Wert: ${form.open.size} von ${required}.` : '';
  const { missing } = form.faults;
  const deleted = missing.length > 0 ? ` Pflichtfelder ohne Zeile: ${missing.join(', ')}.` : '';
  return (
    <>
      <PageHeader
        title={`Feldaufbau · ${name}`}
        lead={lead + open + deleted}
        actions={
          <>
            {mayEdit && <UndoButtons {...form.editor.steps} />}
            <SegmentedControl
              aria-label="Ansicht"
              value={viewState.view}
              onChange={(value) => viewState.setView(value === 'table' ? 'table' : 'tabs')}
              data={[
                { value: 'tabs', label: 'Nach Gruppen' },
                { value: 'table', label: 'Tabelle' },
              ]}
            />
            <HistoryLink subject="construction" scope={`export:${id}`} />
          </>
        }
      />
      {change !== null && (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title="Die Kopfzeile der Datei ändert sich"
        >
          <HeaderWords change={change} />
        </Alert>
      )}
    </>
  );
}
