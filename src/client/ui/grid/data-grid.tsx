import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useColumnWindow } from './column-window.ts';
import classes from './data-grid.module.css';
import { GridHead } from './grid-head.tsx';

export type GridColumn<Row> = {
  id: string;
  title: string;
  /** A note about the column, behind a button in its head. */
  note?: string;
  /** Pixels; the default is 180. */
  width?: number;
  numeric?: boolean;
  sortable?: boolean;
  /** Shown in the head next to the title, for example a filter. */
  tool?: ReactNode;
  cell: (row: Row) => ReactNode;
};
export type GridSort = { id: string; direction: 'asc' | 'desc' };

type DataGridProps<Row> = {
  label: string;
  columns: readonly GridColumn<Row>[];
  /** One page of at most 100 rows. */
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowHeight: number;
  height: string;
  sort?: GridSort;
  onSort?: (sort: GridSort) => void;
  /** Opens a row: by a click anywhere in it, and by a button in its first cell for keyboards. */
  onOpen?: (row: Row) => void;
  busy?: boolean;
  /** Shown instead of rows. */
  empty?: ReactNode;
};

/** A page of rows in a scroll region of its own. With very many columns only the visible ones are drawn. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, rows, rowId, rowHeight, height, sort, onSort, onOpen, busy = false, empty } = props;
  const region = useRef<HTMLDivElement>(null);
  const widths = columns.map(({ width = 180 }) => width);
  const { from, to, before, after } = useColumnWindow(widths, region);
  const shown = columns.slice(from, to);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const nothing = rows.length === 0;
  return (
    <div className="k-renewing" aria-busy={busy && !nothing}>
      <section
        ref={region}
        className={classes.region}
        style={{ height: nothing && !busy ? undefined : height }}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: a scroll region needs the focus
        tabIndex={0}
        data-empty={(nothing && !busy) || undefined}
        aria-label={label}
        aria-busy={busy}
      >
        {(!nothing || busy) && (
          <table
            className={classes.table}
            style={{ minWidth: total }}
            aria-colcount={columns.length}
            aria-rowcount={-1}
            data-tall={rowHeight >= 60 || undefined}
            data-named={(onOpen !== undefined && from === 0) || undefined}
          >
            <colgroup>
              {before > 0 && <col style={{ width: before }} />}
              {shown.map((column) => (
                <col key={column.id} style={{ width: column.width ?? 180 }} />
              ))}
              {after > 0 && <col style={{ width: after }} />}
            </colgroup>
            <GridHead columns={shown} first={from} before={before} after={after} sort={sort} onSort={onSort} />
            <tbody>
              {nothing
                ? Array.from({ length: 12 }, (_, index) => (
                    <SkeletonRow key={index} columns={shown} height={rowHeight} padded={before > 0} />
                  ))
                : rows.map((row) => (
                    <GridRow
                      key={rowId(row)}
                      row={row}
                      columns={shown}
                      first={from}
                      before={before}
                      after={after}
                      height={rowHeight}
                      onOpen={onOpen}
                    />
                  ))}
            </tbody>
          </table>
        )}
        {nothing && !busy && empty}
      </section>
    </div>
  );
}

type GridRowProps<Row> = {
  row: Row;
  columns: readonly GridColumn<Row>[];
  first: number;
  before: number;
  after: number;
  height: number;
  onOpen?: (row: Row) => void;
};

function GridRow<Row>({ row, columns, first, before, after, height, onOpen }: GridRowProps<Row>) {
  const onClick = (event: MouseEvent) => {
    // Selecting text in a cell or using a control in it must not open the row.
    if (
      onOpen === undefined ||
      (event.target instanceof Element && event.target.closest('a, button, input, label') !== null)
    )
      return;
    if (window.getSelection()?.isCollapsed !== false) onOpen(row);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the first cell has the button for keyboards
    <tr style={{ height }} onClick={onClick} data-opens={onOpen !== undefined || undefined}>
      {before > 0 && <td aria-hidden />}
      {columns.map((column, index) => {
        const content = column.cell(row);
        return (
          <td key={column.id} data-numeric={column.numeric || undefined} aria-colindex={first + index + 1}>
            <div className={classes.cell} style={{ maxHeight: height - 2 }}>
              {onOpen !== undefined && first + index === 0 ? (
                <button type="button" className={classes.open} onClick={() => onOpen(row)}>
                  {content}
                </button>
              ) : (
                content
              )}
            </div>
          </td>
        );
      })}
      {after > 0 && <td aria-hidden />}
    </tr>
  );
}

function SkeletonRow<Row>({
  columns,
  height,
  padded,
}: {
  columns: readonly GridColumn<Row>[];
  height: number;
  padded: boolean;
}) {
  return (
    <tr style={{ height }} aria-hidden>
      {padded && <td>&nbsp;</td>}
      {columns.map((column) => (
        <td key={column.id}>
          <span className={classes.skeleton}>&nbsp;</span>
        </td>
      ))}
    </tr>
  );
}
