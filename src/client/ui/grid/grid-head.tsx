import IconArrowDown from 'virtual:icons/arrow-down';
import IconArrowUp from 'virtual:icons/arrow-up';
import IconArrowsSort from 'virtual:icons/arrows-sort';
import { HelpPopover } from '#client/ui/text/help-popover.tsx';
import classes from './data-grid.module.css';
import type { GridColumn, GridSort } from './data-grid.tsx';

type GridHeadProps<Row> = {
  columns: readonly GridColumn<Row>[];
  /** Index of the first drawn column among all columns. */
  first: number;
  before: number;
  after: number;
  sort?: GridSort;
  onSort?: (sort: GridSort) => void;
};

/** Column heads that stay in sight; the sorted one is marked, also for screen readers. */
export function GridHead<Row>({ columns, first, before, after, sort, onSort }: GridHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {before > 0 && <th aria-hidden />}
        {columns.map((column, index) => {
          const direction = sort?.id === column.id ? sort.direction : undefined;
          const sorted = direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending';
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={sorted}
              aria-colindex={first + index + 1}
              data-numeric={column.numeric || undefined}
            >
              <div className={classes.head}>
                {column.sortable === true && onSort !== undefined ? (
                  <button
                    type="button"
                    className={classes.sort}
                    title={`Nach ${column.title} sortieren`}
                    onClick={() => onSort({ id: column.id, direction: direction === 'asc' ? 'desc' : 'asc' })}
                  >
                    <span className={classes.title}>{column.title}</span>
                    <SortIcon direction={direction} />
                  </button>
                ) : (
                  <span className={classes.title}>{column.title}</span>
                )}
                {column.note !== undefined && <HelpPopover name={column.title} what="Notiz" text={column.note} small />}
                {column.tool}
              </div>
            </th>
          );
        })}
        {after > 0 && <th aria-hidden />}
      </tr>
    </thead>
  );
}

function SortIcon({ direction }: { direction: 'asc' | 'desc' | undefined }) {
  if (direction === undefined) return <IconArrowsSort size={13} aria-hidden className={classes.unsorted} />;
  return direction === 'asc' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />;
}
