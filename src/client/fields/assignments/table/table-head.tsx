import classes from './assignment-table.module.css';
import { ColumnResizer } from '#client/ui/grid/column-resizer.tsx';
import type { ColumnWidths } from '#client/ui/grid/column-widths.ts';

type TableHeadProps = {
  targetName: string;
  /** Rows may have a second condition: their first cell holds its switch. */
  withAnd: boolean;
  allSelected: boolean;
  mayEdit: boolean;
  onSelectAll: () => void;
  widths: ColumnWidths;
  onWidth: (id: string, width: number | null) => void;
};

/** MAP-02, CAT-02: the column heads; text columns can be resized. */
export function TableHead({ targetName, withAnd, allSelected, mayEdit, onSelectAll, widths, onWidth }: TableHeadProps) {
  const resizable = (id: string, title: string, usual: number, className?: string) => (
    <th scope="col" className={className} style={{ width: widths[id] }}>
      {title}
      <ColumnResizer title={title} width={widths[id]} usual={usual} onWidth={(width) => onWidth(id, width)} />
    </th>
  );
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th
          scope="col"
          className={withAnd ? classes.handlesAnd : classes.handles}
          data-label="Alle gezeigten auswählen"
        >
          <input
            type="checkbox"
            aria-label="Alle gezeigten Zeilen auswählen"
            checked={allSelected}
            disabled={!mayEdit}
            onChange={onSelectAll}
          />
        </th>
        {resizable('feld', 'Feld', 130, classes.sources)}
        {resizable('filter', 'Filter', 142, classes.filters)}
        {resizable('wert', 'Wert', 220)}
        {resizable('ziel', targetName, 250, classes.targets)}
        <th scope="col" className={classes.counts}>
          Items
        </th>
        <th scope="col" className={classes.switches}>
          Aktiv
        </th>
        <th scope="col" className={classes.deletes}>
          Löschen
        </th>
      </tr>
    </thead>
  );
}
