import { Button } from '@mantine/core';
import IconCopy from 'virtual:icons/copy';
import IconPlayerPause from 'virtual:icons/player-pause';
import IconPlus from 'virtual:icons/plus';
import IconTrash from 'virtual:icons/trash';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Mapping, MappingExcerpt } from '#shared/assignments/schema.ts';
import { leaveWithoutPrompt } from '#client/leaving/leaving.ts';
import { usePreference } from '#client/preferences.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { isPart } from './mapping-loading.ts';
import { mappingPath } from './mapping-path.ts';
import classes from './mappings.module.css';
import type { MappingsForm } from './use-mappings.ts';

type MappingListProps = {
  kind: Mapping['kind'];
  masterid: string;
  form: MappingsForm;
  /** A new mapping that is not saved yet, listed last. */
  draft: MappingExcerpt | undefined;
  selected: MappingExcerpt;
  nameOf: (mapping: Mapping) => string;
  mayEdit: boolean;
  onAdd: () => void;
  onCopy: (mapping: Mapping) => void;
  onSelect: (mappingid: string | undefined) => Promise<void>;
};

/** MAP-01: the mappings in the order they run, with a red mark on inactive ones. */
export function MappingList({
  form,
  draft,
  selected,
  mayEdit,
  onAdd,
  onCopy,
  onSelect,
  nameOf,
  ...list
}: MappingListProps) {
  const [size, setSize] = usePreference('mappingList');
  const small = size === 'small';
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [confirming, setConfirming] = useState(false);
  const { mappings } = form;
  const checkedIds = new Set([...checked].filter((id) => mappings.some((one) => one.id === id)));
  /** The checked mappings, or else the open one. */
  const chosen = checkedIds.size > 0 || draft !== undefined ? checkedIds : new Set([selected.id]);
  const check = (id: string, on: boolean) =>
    setChecked(new Set(on ? [...checkedIds, id] : [...checkedIds].filter((other) => other !== id)));
  const remove = async () => {
    if (await form.remove(chosen)) {
      setChecked(new Set());
      // The first remaining mapping, as with rules. Unsaved edits of the deleted one are void.
      const next = mappings.find(({ id }) => !chosen.has(id))?.id;
      if (chosen.has(selected.id)) await leaveWithoutPrompt(() => onSelect(next));
    }
    setConfirming(false);
  };
  return (
    <nav className={classes.list} data-small={small || undefined} aria-label="Mappings">
      {small && (
        <span className={classes.current}>
          {nameOf(selected)} <span className="k-muted">({formatCount(mappings.length, 'Mapping', 'Mappings')})</span>
        </span>
      )}
      <div className={classes.tools}>
        {mayEdit && (
          <>
            <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
              Neue
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconCopy size={14} aria-hidden />}
              disabled={draft !== undefined || isPart(selected)}
              onClick={() => onCopy(selected)}
            >
              Kopieren
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={14} aria-hidden />}
              disabled={chosen.size === 0}
              onClick={() => setConfirming(true)}
            >
              Ausgewählte Regeln löschen
            </Button>
          </>
        )}
        <Button size="xs" variant="subtle" aria-expanded={!small} onClick={() => setSize(small ? '' : 'small')}>
          {small ? 'maximieren' : 'minimieren'}
        </Button>
      </div>
      {!small && (
        <div className={classes.entries}>
          <SortableRows
            rows={mappings}
            rowId={({ id }) => id}
            rowName={(mapping, index) => `Mapping ${index + 1} „${nameOf(mapping)}“`}
            rowClassName={() => classes.entry ?? ''}
            sortable={mayEdit}
            onOrder={(next) => void form.order(next)}
          >
            {(mapping, handle) => (
              <>
                {mayEdit && (
                  <input
                    type="checkbox"
                    aria-label={`„${nameOf(mapping)}“ auswählen`}
                    checked={checkedIds.has(mapping.id)}
                    onChange={({ currentTarget }) => check(mapping.id, currentTarget.checked)}
                  />
                )}
                {handle}
                <Entry {...list} mapping={mapping} name={nameOf(mapping)} current={mapping.id === selected.id} />
              </>
            )}
          </SortableRows>
          {draft !== undefined && <Entry {...list} mapping={draft} name={nameOf(draft)} current isNew />}
        </div>
      )}
      <DeleteDialog
        opened={confirming}
        masterid={list.masterid}
        chosen={mappings.filter(({ id }) => chosen.has(id))}
        nameOf={nameOf}
        onClose={() => setConfirming(false)}
        onConfirm={remove}
      />
    </nav>
  );
}

type EntryProps = {
  kind: Mapping['kind'];
  masterid: string;
  mapping: Mapping;
  name: string;
  current: boolean;
  isNew?: boolean;
};

function Entry({ kind, masterid, mapping, name, current, isNew = false }: EntryProps) {
  return (
    <Link
      to={mappingPath(kind, masterid, mapping.id)}
      preventScrollReset
      className={classes.link}
      aria-current={current ? 'page' : undefined}
    >
      <span className={classes.name} title={name}>
        {name}
      </span>
      {isNew && <span className="k-muted k-small">neu</span>}
      {!mapping.active && (
        <span className={classes.inactive}>
          <IconPlayerPause size={13} aria-hidden />
          inaktiv
        </span>
      )}
    </Link>
  );
}
