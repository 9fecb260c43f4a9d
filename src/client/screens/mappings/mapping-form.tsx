import { Button } from '@mantine/core';
import { IconList, IconPlayerPause } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type Mapping, type MappingExcerpt, type MappingRow, newMappingRow } from '#shared/assignments/schema.ts';
import { CallError } from '#client/call.ts';
import { AssignmentEditor } from '#client/fields/assignments/assignment-editor.tsx';
import { CounterPanel } from '#client/fields/assignments/counter-panel.tsx';
import type { SelectableField } from '#client/fields/assignments/lines/choices.ts';
import { mappingLine } from '#client/fields/assignments/lines/mapping-line.ts';
import { useCounts } from '#client/fields/assignments/lines/use-counts.ts';
import { useLines } from '#client/fields/assignments/lines/use-lines.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { DetailBox, type Head } from './detail-box.tsx';
import { LookupDialog } from './lookup-dialog.tsx';
import { isPart } from './mapping-loading.ts';
import classes from './mappings.module.css';
import type { MappingsForm } from './use-mappings.ts';

type MappingFormProps = {
  mapping: MappingExcerpt;
  form: MappingsForm;
  masterid: string;
  fields: readonly SelectableField[];
  /** Not saved yet. */
  fresh: boolean;
  /** Names of the mappings of the other kind: they are read by name too. */
  otherNames: readonly string[];
  mayEdit: boolean;
  /** After the first save. */
  onStored: () => void;
};

const headOf = ({ name, active, description, intern, lookupdata }: Mapping): Head => ({
  name,
  active,
  description,
  intern,
  lookupdata,
});

/** The lists of choices are compared as they are: they may be long. */
const differs = (head: Head, mapping: Mapping): boolean =>
  head.name !== mapping.name ||
  head.active !== mapping.active ||
  head.description !== mapping.description ||
  head.intern !== mapping.intern ||
  head.lookupdata !== mapping.lookupdata;

const words = {
  label: 'Wertzuordnungen',
  targetName: 'Weise Wert zu',
  add: 'Neue Zeile anlegen',
  fetch: 'Werte anhand eines Feldes hinzufügen',
  save: 'Mapping speichern',
  file: 'mapping',
  noTargets: 'Noch keine Zielwerte angelegt',
};

/** One mapping: its head and its rows, saved together. */
export function MappingForm({
  mapping,
  form,
  masterid,
  fields,
  fresh,
  otherNames,
  mayEdit,
  onStored,
}: MappingFormProps) {
  const [head, setHead] = useState(() => headOf(mapping));
  const [nameMissing, setNameMissing] = useState(false);
  const [lookup, setLookup] = useState(false);
  const rows = useLines<MappingRow>({
    loaded: { rows: mapping.data, total: mapping.total, revision: form.revision },
    rest: { ...form.filling, all: isPart(mapping) ? null : mapping.data },
    save: (data, ifMatch) => {
      // MAP-06: with an empty name nothing is sent.
      setNameMissing(head.name.trim() === '');
      if (head.name.trim() === '') throw nameless();
      return form.save({ ...mapping, ...head, data }, ifMatch === undefined ? undefined : form.revision);
    },
    onSaved: () => {
      if (fresh) onStored();
    },
    reload: async () => {
      const found = (await form.reload()).find(({ id }) => id === mapping.id);
      if (found !== undefined) setHead(headOf(found));
      return { rows: found?.data ?? [], revision: form.revision };
    },
  });
  const place = useMemo(
    () => ({ id: masterid, table: 'mapping' as const, mapping: mapping.id }),
    [masterid, mapping.id],
  );
  const counts = useCounts(place, rows.lines, rows.loading === null);
  const dirty = differs(head, mapping);
  const discard = () => {
    setHead(headOf(mapping));
    rows.discard();
  };
  const names = [...form.mappings.filter(({ id }) => id !== mapping.id).map(({ name }) => name.trim()), ...otherNames];
  const taken = head.name.trim() !== '' && names.includes(head.name.trim());
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
        table={place}
        masterid={masterid}
        fields={fields}
        targets={mapping.kind === 'shop' ? head.lookupdata : null}
        suggesting={!fresh}
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
