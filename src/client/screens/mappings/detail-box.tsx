import { Button, Textarea, TextInput } from '@mantine/core';
import IconNote from 'virtual:icons/note';
import IconPlayerPause from 'virtual:icons/player-pause';
import IconPlayerPlay from 'virtual:icons/player-play';
import { useEffect, useId, useRef, useState } from 'react';
import { ASSIGNMENT_LIMITS, type Mapping } from '#shared/assignments/schema.ts';
import { oneLine } from '#client/ui/form/one-line.ts';
import classes from './mappings.module.css';

/** The parts of a mapping other than its rows. */
export type Head = Pick<Mapping, 'name' | 'active' | 'description' | 'intern' | 'lookupdata'>;

/** MAP-05: shown below the name, unless another mapping has the same one. */
const help = 'Das Feld Name wird im Feldaufbau verwendet, und sollte eindeutig sein.';

type DetailBoxProps = {
  kind: Mapping['kind'];
  head: Head;
  /** Not saved yet. */
  fresh: boolean;
  /** MAP-06: number of attempted saves without a name. */
  nameless: number;
  nameTaken: boolean;
  mayEdit: boolean;
  onChange: (head: Head) => void;
};

/** MAP-05, SWM-01: name, description, note, and whether the mapping runs. */
export function DetailBox({ kind, head, fresh, nameless, nameTaken, mayEdit, onChange }: DetailBoxProps) {
  const [described, setDescribed] = useState(false);
  const descriptionId = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  // A new mapping begins with its name. A failed save asks for it; the save bar may be far below.
  const [begun] = useState(fresh);
  useEffect(() => {
    if (begun || nameless > 0) nameInput.current?.focus();
  }, [begun, nameless]);
  return (
    <fieldset disabled={!mayEdit} className={`k-card ${classes.detail}`} aria-label="Mapping">
      <div className={classes.head}>
        <TextInput
          ref={nameInput}
          size="xs"
          className={classes.nameinput}
          classNames={{ root: classes.nameroot, label: classes.namelabel, wrapper: classes.namefield }}
          label="Name"
          placeholder="z.B. Farben"
          required
          maxLength={ASSIGNMENT_LIMITS.name}
          {...oneLine(head.name, (name) => onChange({ ...head, name }))}
          error={nameless > 0 && head.name.trim() === '' ? 'Bitte geben Sie einen Namen ein.' : undefined}
          description={nameTaken ? 'Ein anderes Mapping heißt auch so: Gelesen wird das erste der beiden.' : help}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <div className={classes.headtools}>
          <Button
            variant={described ? 'light' : 'default'}
            size="xs"
            leftSection={<IconNote size={14} aria-hidden />}
            aria-expanded={described}
            aria-controls={described ? descriptionId : undefined}
            onClick={() => setDescribed(!described)}
          >
            Beschreibung
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={
              head.active ? <IconPlayerPause size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />
            }
            onClick={() => onChange({ ...head, active: !head.active })}
          >
            {head.active ? 'Deaktiviere Mapping' : 'Aktiviere Mapping'}
          </Button>
        </div>
      </div>
      {!described && head.description !== '' && <p className={`k-muted ${classes.description}`}>{head.description}</p>}
      {described && (
        <Textarea
          id={descriptionId}
          label="Beschreibung"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={head.description}
          onChange={({ currentTarget }) => onChange({ ...head, description: currentTarget.value })}
        />
      )}
      {kind === 'shop' && (
        <TextInput
          label="Interne Notiz"
          maxLength={10_000}
          {...oneLine(head.intern, (intern) => onChange({ ...head, intern }))}
        />
      )}
    </fieldset>
  );
}
