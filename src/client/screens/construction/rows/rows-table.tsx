import type { ChannelField } from '#shared/channels/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import { useColumnWidths } from '#client/fields/use-column-widths.ts';
import { ColumnResizer } from '#client/ui/grid/column-resizer.tsx';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import classes from './rows.module.css';
import { RowCells } from './row-cells.tsx';
import type { Seen } from '#client/screens/construction/values/seen-values.ts';
import type { View } from '#client/screens/construction/values/value-kinds.ts';

export type RowsTableProps = {
  rows: readonly ConstructionRow[];
  view: View;
  /** The channel's field definitions, by name. */
  fields: ReadonlyMap<string, ChannelField>;
  /** Ids of required rows without a value (CON-05), after an attempted save. */
  missing: ReadonlySet<string>;
  /** Names that several rows have. */
  repeated: ReadonlySet<string>;
  seen: ReadonlyMap<string, Seen>;
  /** The row that was just added: its name takes the focus. */
  added: string;
  /** The row whose name is being typed: it is not matched to the template until that ends. */
  naming: string | null;
  mayEdit: boolean;
  onRow: (row: ConstructionRow) => void;
  onDelete: (row: ConstructionRow) => void;
  onOrder: (rows: ConstructionRow[]) => void;
  onNaming: (row: ConstructionRow, typing: boolean) => void;
};

/** CON-02: one row per field of the export, in the order of the file. */
export function RowsTable(props: RowsTableProps) {
  const { rows, view, fields, missing, repeated, seen, added, naming, mayEdit } = props;
  const { onRow, onDelete, onOrder, onNaming } = props;
  const [widths, setWidth] = useColumnWidths('constructionColumns');
  const resizable = (id: string, title: string, usual: number) => (
    <th scope="col" style={{ width: widths[id] }}>
      {title}
      <ColumnResizer title={title} width={widths[id]} usual={usual} onWidth={(width) => setWidth(id, width)} />
    </th>
  );
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {resizable('quelle', 'Internes Feld', 470)}
          {resizable('name', 'Feldbezeichnung im Export', 210)}
          {resizable('status', 'Status', 184)}
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
        onOrder={onOrder}
        sortable={mayEdit}
      >
        {(row, handle, index) => {
          const field = row.id === naming ? undefined : fields.get(row.exportfield);
          return (
            <RowCells
              row={row}
              view={view}
              field={field}
              name={field === undefined ? `Zeile ${index + 1}` : `${field.title} (${field.name})`}
              handle={handle}
              missing={missing.has(row.id)}
              repeated={repeated.has(row.exportfield.trim())}
              wantsFocus={added === row.id}
              seen={seen.get(row.id)}
              mayEdit={mayEdit}
              onChange={onRow}
              onDelete={() => onDelete(row)}
              onNaming={(typing) => onNaming(row, typing)}
            />
          );
        }}
      </SortableRows>
    </table>
  );
}
