import { SortableKeyboardPlugin } from '@dnd-kit/dom/sortable';
import { useSortable } from '@dnd-kit/react/sortable';
import { type FocusEvent, memo, type ReactNode, type RefObject, useState } from 'react';
import { RowHandle } from './row-handle.tsx';
import type { Place } from './row-order.ts';
import { type RowWindow, useRowWindow } from './row-window.ts';

/** Of very many rows only those in sight are drawn, the one with the focus and the one that is being moved. */
export type Scrolling<Row> = {
  region: RefObject<HTMLElement | null>;
  /** Pixels of each row. */
  heights: readonly number[];
  /** A row while somebody scrolls past it: what it says, without anything to click. */
  passing: (row: Row) => ReactNode;
};

export type DrawnRowsProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** What the row is called in menus and announcements. */
  rowName: (row: Row, index: number) => string;
  element: 'ul' | 'tbody';
  className?: string;
  rowClassName?: (row: Row) => string;
  scrolling?: Scrolling<Row>;
  sortable: boolean;
  /** The ids as they stand while one row is being moved. */
  order: readonly string[] | null;
  moving: string | null;
  onMove: (id: string, to: Place) => void;
  /**
   * Renders a row's content; `handle` is null where there is nothing to sort. As long as it is the same function, rows
   * that have not changed are left as they are.
   */
  children: (row: Row, handle: ReactNode, index: number) => ReactNode;
};

const noHeights: readonly number[] = [];
const nowhere: RefObject<HTMLElement | null> = { current: null };

/** The rows that are drawn. What follows the scrolling stands here, so that scrolling touches nothing above. */
export function VirtualRows<Row>(props: DrawnRowsProps<Row>) {
  const { rows, rowName, element, className, rowClassName, scrolling, sortable, order, onMove, children } = props;
  const window = useRowWindow(scrolling?.heights ?? noHeights, scrolling?.region ?? nowhere);
  // The row that was last in is drawn wherever it is: neither its focus nor what is half typed in it gets lost.
  const [entered, setEntered] = useState<string | null>(null);
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (id !== undefined) setEntered(id);
  };
  const drawn = drawnRows(props, window, entered);
  const passing = (id: string, index: number) =>
    window !== undefined && order === null && id !== entered && !window.isReady(index);
  const List = element;
  const gap = (key: string, from: number, to: number) =>
    window === undefined || to <= from
      ? []
      : [<Gap key={key} element={element} height={window.topOf(to) - window.topOf(from)} />];
  return (
    <List
      className={className}
      style={element === 'ul' ? { margin: 0, padding: 0, listStyle: 'none' } : undefined}
      onFocus={scrolling === undefined ? undefined : onFocus}
    >
      {drawn.flatMap(({ id, row, index }, at) => {
        const common = {
          id,
          row,
          element,
          className: rowClassName?.(row),
          // The head is row 1.
          'aria-rowindex': window !== undefined && element === 'tbody' ? index + 2 : undefined,
        };
        return [
          ...gap(at === 0 ? 'before' : `between ${at}`, (drawn[at - 1]?.index ?? -1) + 1, index),
          scrolling !== undefined && passing(id, index) ? (
            <PassingRow key={id} {...common} passing={scrolling.passing} />
          ) : (
            <SortableRow
              key={id}
              {...common}
              index={index}
              name={rowName(row, index)}
              count={rows.length}
              sortable={sortable}
              onMove={onMove}
            >
              {children}
            </SortableRow>
          ),
        ];
      })}
      {gap('after', (drawn.at(-1)?.index ?? -1) + 1, rows.length)}
    </List>
  );
}

type Drawn<Row> = { id: string; row: Row; index: number };

/** The rows in sight, in the order in which they stand at the moment; those that are kept wherever they are. */
function drawnRows<Row>(
  { rows, rowId, order, moving }: DrawnRowsProps<Row>,
  window: RowWindow | undefined,
  entered: string | null,
): Drawn<Row>[] {
  const { from, to } = window ?? { from: 0, to: rows.length };
  if (order === null) {
    const drawn = rows.slice(from, to).map((row, index) => ({ id: rowId(row), row, index: from + index }));
    if (entered === null || window === undefined || drawn.some(({ id }) => id === entered)) return drawn;
    const index = rows.findIndex((row) => rowId(row) === entered);
    const row = rows[index];
    if (row === undefined) return drawn;
    const focused = { id: entered, row, index };
    return index < from ? [focused, ...drawn] : [...drawn, focused];
  }
  const byId = new Map(rows.map((row) => [rowId(row), row]));
  const drawn: Drawn<Row>[] = [];
  for (const [index, id] of order.filter((one) => byId.has(one)).entries()) {
    const row = byId.get(id);
    if (row !== undefined && ((index >= from && index < to) || id === moving)) drawn.push({ id, row, index });
  }
  return drawn;
}

type Common<Row> = {
  id: string;
  row: Row;
  element: 'ul' | 'tbody';
  className: string | undefined;
  /** Says its place to screen readers, which see only the rows that are drawn. */
  'aria-rowindex': number | undefined;
};

/** Keeps the height of rows that are not drawn. */
function Gap({ element, height }: { element: 'ul' | 'tbody'; height: number }) {
  const Row = element === 'ul' ? 'li' : 'tr';
  return height > 0 && <Row aria-hidden style={{ height }} />;
}

type PassingRowProps<Row> = Common<Row> & { passing: (row: Row) => ReactNode };

function PlainPassingRow<Row>({ id, row, element, passing, ...rest }: PassingRowProps<Row>) {
  const Row = element === 'ul' ? 'li' : 'tr';
  return (
    <Row {...rest} data-row={id}>
      {passing(row)}
    </Row>
  );
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo forgets that the function is generic
const PassingRow = memo(PlainPassingRow) as typeof PlainPassingRow;

type SortableRowProps<Row> = Common<Row> &
  Pick<DrawnRowsProps<Row>, 'sortable' | 'onMove' | 'children'> & { index: number; name: string; count: number };

function PlainSortableRow<Row>(props: SortableRowProps<Row>) {
  const { id, row, index, name, count, element, sortable, onMove, children, ...rest } = props;
  const { ref, handleRef, isDragSource } = useSortable({
    id,
    index,
    disabled: !sortable,
    plugins: [SortableKeyboardPlugin],
  });
  const Row = element === 'ul' ? 'li' : 'tr';
  const NoHandle = element === 'ul' ? 'span' : 'td';
  return (
    <Row {...rest} ref={ref} data-row={id} data-dragging={isDragSource || undefined}>
      {children(
        row,
        sortable ? <RowHandle ref={handleRef} id={id} name={name} index={index} count={count} onMove={onMove} /> : null,
        index,
      )}
      {/* Without any handle the library would make a button of the whole row. */}
      {!sortable && <NoHandle ref={handleRef} hidden />}
    </Row>
  );
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo forgets that the function is generic
const SortableRow = memo(PlainSortableRow) as typeof PlainSortableRow;
