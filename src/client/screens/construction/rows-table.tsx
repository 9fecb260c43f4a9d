import { Button } from '@mantine/core';
import { IconColumnInsertRight, IconPlus, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import type { ConstructionRow } from '#shared/construction.ts';
import { useFields } from '../../fields/fields-context.tsx';
import { newRowIds } from '../../fields/new-id.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import classes from './construction.module.css';
import { RowCells } from './row-cells.tsx';
import { newRow, repeatedNames, unusedFields } from './rows.ts';

type RowsTableProps = {
  rows: readonly ConstructionRow[];
  /** Ids of required rows without a value (CON-05). */
  missing: ReadonlySet<string>;
  mayEdit: boolean;
  onRows: (rows: readonly ConstructionRow[]) => void;
};

/** CON-02: one row per field of the export, in the order of the file. */
export function RowsTable({ rows, missing, mayEdit, onRows }: RowsTableProps) {
  const { fields } = useFields();
  const [added, setAdded] = useState('');
  const unused = unusedFields(rows, fields);
  const repeated = repeatedNames(rows);
  const idsFor = (count: number) =>
    newRowIds(
      rows.map(({ id }) => id),
      count,
      Date.now(),
    );
  const addRow = () => {
    const [id = ''] = idsFor(1);
    setAdded(id);
    onRows([...rows, newRow(id)]);
  };
  const addAll = () => {
    const ids = idsFor(unused.length);
    onRows([...rows, ...unused.map(({ value }, index) => newRow(ids[index] ?? '', value))]);
  };
  const put = (row: ConstructionRow) => onRows(rows.map((old) => (old.id === row.id ? row : old)));
  const buttons = mayEdit && (
    <div className="k-row">
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={addRow}>
        Neues Ausgabefeld anlegen
      </Button>
      {unused.length > 0 && (
        <Button variant="default" leftSection={<IconColumnInsertRight size={16} aria-hidden />} onClick={addAll}>
          Alle Felder übernehmen ({unused.length})
        </Button>
      )}
    </div>
  );
  if (rows.length === 0) {
    return (
      <EmptyState icon={IconTable} title="Noch keine Zuweisung angelegt." action={buttons}>
        <p>Ohne Feldaufbau gibt der Export alle Felder unter ihrem eigenen Namen aus.</p>
      </EmptyState>
    );
  }
  return (
    <div className={classes.card}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Internes Feld</th>
            <th scope="col">Feldbezeichnung im Export</th>
            <th scope="col">Status</th>
            <th scope="col">
              <span className="k-hidden">Löschen</span>
            </th>
            <th scope="col">Beschreibung</th>
          </tr>
        </thead>
        <SortableRows
          element="tbody"
          rows={rows}
          rowId={({ id }) => id}
          rowName={(row, index) => (row.exportfield === '' ? `Zeile ${index + 1}` : `Feld „${row.exportfield}“`)}
          rowClassName={(row) => (missing.has(row.id) ? `${classes.row} ${classes.missing}` : (classes.row ?? ''))}
          onOrder={onRows}
        >
          {(row, handle, index) => (
            <RowCells
              row={row}
              name={`Zeile ${index + 1}`}
              handle={handle}
              missing={missing.has(row.id)}
              repeated={repeated.has(row.exportfield.trim())}
              wantsFocus={added === row.id}
              mayEdit={mayEdit}
              onChange={put}
              onDelete={() => onRows(rows.filter(({ id }) => id !== row.id))}
            />
          )}
        </SortableRows>
      </table>
      <div className={classes.foot}>{buttons}</div>
    </div>
  );
}
