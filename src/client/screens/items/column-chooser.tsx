import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { LONGEST_COLUMN_LIST, writeColumns } from '#shared/items/column-list.ts';
import type { Field } from '#shared/items/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { PillSelect } from '#client/ui/form/pill-select.tsx';
import classes from './items.module.css';

type ColumnChooserProps = {
  masterid: string;
  fields: readonly Field[];
  mayEdit: boolean;
  /** Field ids in the URL; null: those that the company chose. */
  chosen: readonly string[] | null;
  onChoose: (ids: readonly string[] | null) => void;
  onApplied: () => void;
};

/** ITE-02: chooses the grid's fields: here only, as a saved view stores it, or for everyone in the company. */
export function ColumnChooser({ masterid, fields, mayEdit, chosen, onChoose, onApplied }: ColumnChooserProps) {
  const stored = fields.filter(({ show }) => show === 1).map(({ id }) => id);
  const [selected, setSelected] = useState<readonly string[]>(chosen ?? stored);
  const [busy, setBusy] = useState(false);
  // In the order of the catalogue, neighbours are ranges in the address.
  const chosenIds = new Set(selected);
  const here = fields.filter(({ id }) => chosenIds.has(id)).map(({ id }) => id);
  const tooMany = writeColumns(here).length > LONGEST_COLUMN_LIST;
  const apply = async () => {
    setBusy(true);
    try {
      const updatedColumns = fields.map(({ id, name }) => ({
        id,
        name,
        show: selected.includes(id) ? (1 as const) : (0 as const),
      }));
      await call(api.updateFields, { body: { masterid, updatedColumns } });
      onApplied();
    } catch (error) {
      showFailure(failureOf('Fehler beim Aktualisieren:', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.chooser}>
      <PillSelect
        label="Spalten"
        placeholder="Select Fields"
        options={fields.map(({ id, name }) => ({ value: id, label: name }))}
        selected={selected}
        onSelect={setSelected}
        withAll
      />
      <Button
        variant="default"
        title="Zeigt diese Spalten nur Ihnen; eine gespeicherte Ansicht behält sie"
        disabled={selected.length === 0 || tooMany}
        aria-describedby={tooMany ? 'zu-viele-spalten' : undefined}
        onClick={() => onChoose(here)}
      >
        Nur hier
      </Button>
      {tooMany && (
        <p id="zu-viele-spalten" role="status" className="k-small">
          So viele einzelne Spalten passen nicht in die Adresse dieser Ansicht. Bitte wählen Sie weniger, oder alle
          außer einigen wenigen.
        </p>
      )}
      {chosen !== null && (
        <Button
          variant="default"
          title="Wieder die Spalten zeigen, die für die Firma gelten"
          onClick={() => onChoose(null)}
        >
          Zurücksetzen
        </Button>
      )}
      {mayEdit && (
        <Button variant="default" loading={busy} onClick={() => void apply()}>
          Übernehmen
        </Button>
      )}
    </div>
  );
}
