import { Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconList from 'virtual:icons/list';
import IconPlayerPause from 'virtual:icons/player-pause';
import { useEffect, useMemo, useState } from 'react';
import { type MappingExcerpt, newMappingRow } from '#shared/assignments/schema.ts';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { AssignmentEditor } from '#client/fields/assignments/assignment-editor.tsx';
import { CounterPanel } from '#client/fields/assignments/counter-panel.tsx';
import type { SelectableField } from '#client/fields/assignments/lines/choices.ts';
import { mappingLine } from '#client/fields/assignments/lines/mapping-line.ts';
import { useCounts } from '#client/fields/assignments/lines/use-counts.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { DetailBox, type Head } from './detail-box.tsx';
import { LookupDialog } from './lookup-dialog.tsx';
import { mappingShape } from './mapping-shape.ts';
import { Readers, ReadersFailure, useReaders } from './readers.tsx';
import table from '#client/fields/assignments/assignments.module.css';
import classes from './mappings.module.css';
import { useMappingDocument } from './use-mapping-document.ts';
import type { MappingsForm } from './use-mappings.ts';

type MappingFormProps = {
  mapping: MappingExcerpt;
  form: MappingsForm;
  masterid: string;
  fields: readonly SelectableField[];
  /** Not saved yet. */
  fresh: boolean;
  /** Names of the mappings of the other kind, which are also referred to by name. */
  otherNames: readonly string[];
  mayEdit: boolean;
  /** Called with the name in the form, saved or not. */
  onName: (mappingid: string, name: string) => void;
  /** Called after the first save. */
  onStored: () => void;
};

const words = {
  label: 'Wertzuordnungen',
  targetName: 'Weise Wert zu',
  add: 'Neue Zeile anlegen',
  fetch: 'Werte anhand eines Feldes hinzufügen',
  save: 'Mapping speichern',
  noTargets: 'Noch keine Zielwerte angelegt',
};

/** Options of the picker of the shop system's target values (GEN-07). */
const mostTargets = 500;

/** One mapping: its head and its rows, saved together. */
export function MappingForm({
  mapping,
  form,
  masterid,
  fields,
  fresh,
  otherNames,
  mayEdit,
  onName,
  onStored,
}: MappingFormProps) {
  const [lookup, setLookup] = useState(false);
  const rows = useMappingDocument({ mapping, form, fresh, onStored });
  const { head, setHead, nameless } = rows;
  useEffect(() => onName(mapping.id, head.name), [onName, mapping.id, head.name]);
  const tableRef = useMemo(
    () => ({ id: masterid, table: 'mapping' as const, mapping: mapping.id }),
    [masterid, mapping.id],
  );
  const counts = useCounts(tableRef, rows.lines, rows.loading === null);
  const names = [...form.mappings.filter(({ id }) => id !== mapping.id).map(({ name }) => name.trim()), ...otherNames];
  const isTaken = head.name.trim() !== '' && names.includes(head.name.trim());
  const lost = fresh ? null : lossOf(mapping, head);
  const readers = useReaders(masterid, [mapping.id], lost !== null);
  return (
    <div className={`k-stack ${table.page}`}>
      {!head.active && <PausedBanner />}
      {lost !== null && <ReadersFailure readers={readers} />}
      {lost !== null && readers.answer !== null && readers.answer.length > 0 && (
        <div className={classes.banner} role="status">
          <IconAlertTriangle size={18} aria-hidden />
          <span>
            <Readers readers={readers.answer}>{lost}</Readers>
          </span>
        </div>
      )}
      <div className={table.facts}>
        <DetailBox
          kind={mapping.kind}
          fresh={fresh}
          head={head}
          nameless={nameless}
          nameTaken={isTaken}
          mayEdit={mayEdit}
          onChange={setHead}
        />
        <CounterPanel
          word="Zugeordnet"
          masterid={masterid}
          counts={counts.answer}
          unsaved={null}
          busy={counts.busy}
          failure={counts.failure}
          onRetry={counts.retry}
        />
      </div>
      {mapping.kind === 'shop' && (
        <div className="k-row">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconList size={14} aria-hidden />}
            onClick={() => setLookup(true)}
          >
            {mayEdit ? 'Zielwerte bearbeiten' : 'Zielwerte ansehen'} (
            {formatCount(head.lookupdata.length, 'Wert', 'Werte')})
          </Button>
        </div>
      )}
      <AssignmentEditor
        form={rows}
        table={tableRef}
        masterid={masterid}
        fields={fields}
        targets={mapping.kind === 'shop' ? head.lookupdata : null}
        suggesting={!fresh}
        counts={counts}
        words={{ ...words, file: ['Mapping', head.name] }}
        newLine={newMappingRow}
        lineOf={mappingLine}
        takeOver={mapping.kind === 'value'}
        mostTargets={mostTargets}
        mayEdit={mayEdit}
      />
      <DocumentGuard editor={rows.editor} shape={mappingShape} onResolve={rows.resolve} />
      {lookup && (
        <LookupDialog
          lookup={head.lookupdata}
          mayEdit={mayEdit}
          onLookup={(lookupdata) => {
            setHead({ ...head, lookupdata });
            setLookup(false);
          }}
          onClose={() => setLookup(false)}
        />
      )}
    </div>
  );
}

/** What a save does to those that read the saved mapping; null: nothing. */
function lossOf(saved: MappingExcerpt, head: Head): string | null {
  const renamed = head.name !== saved.name;
  if (!saved.active || (head.active && !renamed)) return null;
  const as = renamed ? ` als „${saved.name}“` : '';
  return `Folgende Stellen lesen dieses Mapping${as} und bekommen nach dem Speichern keinen Wert mehr:`;
}

/** MAP-04. */
function PausedBanner() {
  return (
    <div className={classes.banner}>
      <IconPlayerPause size={18} aria-hidden />
      <span>
        Dieses Mapping ist pausiert, Sie können diese ändern, sie wird jedoch von der Ausführung ausgeschlossen.
      </span>
    </div>
  );
}
