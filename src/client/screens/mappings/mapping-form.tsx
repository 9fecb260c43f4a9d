import { Button } from '@mantine/core';
import { IconList, IconPlayerPause } from '@tabler/icons-react';
import { useState } from 'react';
import { type Mapping, type MappingRow, newMappingRow } from '#shared/assignments.ts';
import { CallError } from '../../call.ts';
import { AssignmentEditor } from '../../fields/assignments/assignment-editor.tsx';
import { CounterPanel } from '../../fields/assignments/counter-panel.tsx';
import type { SelectableField } from '../../fields/assignments/choices.ts';
import { mappingLine } from '../../fields/assignments/mapping-line.ts';
import { useCounts } from '../../fields/assignments/use-counts.ts';
import { useLines } from '../../fields/assignments/use-lines.ts';
import { formatCount } from '../../ui/formats.ts';
import { DetailBox, type Head } from './detail-box.tsx';
import { LookupDialog } from './lookup-dialog.tsx';
import classes from './mappings.module.css';
import type { MappingsForm } from './use-mappings.ts';

type MappingFormProps = {
  mapping: Mapping;
  form: MappingsForm;
  masterid: string;
  fields: readonly SelectableField[];
  mayEdit: boolean;
};

const headOf = ({ name, active, description, intern, lookupdata }: Mapping): Head => ({
  name,
  active,
  description,
  intern,
  lookupdata,
});

const words = {
  label: 'Wertzuordnungen',
  targetName: 'Weise Wert zu',
  add: 'Neue Zeile anlegen',
  fetch: 'Werte anhand eines Feldes hinzufügen',
  save: 'Mapping speichern',
  file: 'mapping',
};

/** One mapping: its head and its rows, saved together. */
export function MappingForm({ mapping, form, masterid, fields, mayEdit }: MappingFormProps) {
  const [head, setHead] = useState(() => headOf(mapping));
  const [nameMissing, setNameMissing] = useState(false);
  const [lookup, setLookup] = useState(false);
  const fresh = form.unsaved.has(mapping.id);
  const rows = useLines<MappingRow>({
    loaded: { rows: mapping.data, revision: form.revision },
    save: (data, ifMatch) => {
      // MAP-06: with an empty name nothing is sent.
      setNameMissing(head.name.trim() === '');
      if (head.name.trim() === '') throw nameless();
      return form.save({ ...mapping, ...head, data }, ifMatch === undefined ? undefined : form.revision);
    },
    reload: async () => {
      const found = (await form.reload()).find(({ id }) => id === mapping.id);
      if (found !== undefined) setHead(headOf(found));
      return { rows: found?.data ?? [], revision: form.revision };
    },
  });
  const counts = useCounts({ id: masterid, table: 'mapping', mapping: mapping.id }, rows.lines);
  const dirty = fresh || JSON.stringify(head) !== JSON.stringify(headOf(mapping));
  const discard = () => {
    setHead(headOf(mapping));
    rows.discard();
  };
  const taken = form.mappings.some(({ id, name }) => id !== mapping.id && name === head.name && name !== '');
  return (
    <div className="k-stack">
      {!head.active && <PausedBanner />}
      <DetailBox
        kind={mapping.kind}
        head={head}
        nameMissing={nameMissing && head.name.trim() === ''}
        nameTaken={taken}
        mayEdit={mayEdit}
        onChange={setHead}
      />
      {mapping.kind === 'shop' && (
        <div className="k-row">
          <Button variant="default" leftSection={<IconList size={16} aria-hidden />} onClick={() => setLookup(true)}>
            Zielwerte bearbeiten ({formatCount(head.lookupdata.length, 'Wert', 'Werte')})
          </Button>
        </div>
      )}
      <CounterPanel
        word="Zugeordnet"
        counts={counts.answer}
        unsaved={null}
        busy={counts.busy}
        failure={counts.failure}
        onRetry={counts.retry}
      />
      <AssignmentEditor
        form={{ ...rows, discard }}
        table={{ id: masterid, table: 'mapping', mapping: mapping.id }}
        masterid={masterid}
        fields={fields}
        targets={mapping.kind === 'shop' ? head.lookupdata : null}
        counts={counts}
        words={words}
        newLine={newMappingRow}
        lineOf={mappingLine}
        takeOver={mapping.kind === 'value'}
        mayEdit={mayEdit}
        alsoDirty={dirty}
      />
      {lookup && (
        <LookupDialog
          lookup={head.lookupdata}
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

const nameless = () =>
  new CallError(422, { code: 'name_empty', message: 'Bitte geben Sie einen Namen ein.', requestId: '' });
