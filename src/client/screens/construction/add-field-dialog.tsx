import { Button, Modal, TextInput } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import IconSearch from 'virtual:icons/search';
import { useState } from 'react';
import type { ChannelField } from '#shared/channels/schema.ts';
import { PriorityBadge } from '#client/fields/priority.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import classes from './add-field-dialog.module.css';

type AddFieldDialogProps = {
  /** The template's fields that no row has. */
  fields: readonly ChannelField[];
  groups: readonly { name: string; title: string }[];
  onAdd: (fields: readonly ChannelField[]) => void;
  onClose: () => void;
};

/** Searches the channel's fields that the export does not have yet, and adds them one by one. */
export function AddFieldDialog({ fields, groups, onAdd, onClose }: AddFieldDialogProps) {
  useFocusBack();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = fields.filter(({ name, title, description }) =>
    [name, title, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  const titleOf = new Map(groups.map(({ name, title }) => [name, title]));
  return (
    <Modal opened onClose={onClose} size={720} title={<span className="k-strong">Feld der Vorlage hinzufügen</span>}>
      <div className="k-stack">
        <TextInput
          aria-label="Felder der Vorlage suchen"
          placeholder="Name oder Beschreibung suchen"
          leftSection={<IconSearch size={16} aria-hidden />}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p className="k-muted k-small" role="status">
          {formatCount(found.length, 'Feld', 'Felder')} {wanted === '' ? 'noch nicht im Aufbau' : 'gefunden'}
        </p>
        <ScrollRegion label="Felder der Vorlage" className={classes.offers}>
          <ul>
            {found.map((field) => (
              <li key={field.name} className={classes.offer}>
                <div>
                  <p className={classes.offerHead}>
                    <strong>{field.title}</strong>
                    <code>{field.name}</code>
                    <PriorityBadge value={field.requirement} />
                    <span className="k-muted k-small">{titleOf.get(field.group)}</span>
                  </p>
                  {field.description !== '' && <p className={classes.offerText}>{field.description}</p>}
                </div>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconPlus size={14} aria-hidden />}
                  aria-label={`${field.title} (${field.name}) hinzufügen`}
                  onClick={() => onAdd([field])}
                >
                  Hinzufügen
                </Button>
              </li>
            ))}
          </ul>
        </ScrollRegion>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Schließen
          </Button>
        </div>
      </div>
    </Modal>
  );
}
