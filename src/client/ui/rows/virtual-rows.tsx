import { SortableKeyboardPlugin } from '@dnd-kit/dom/sortable';
import { useSortable } from '@dnd-kit/react/sortable';
import { type FocusEvent, memo, type ReactNode, type RefObject, useState } from 'react';
import { RowHandle } from './row-handle.tsx';
import type { Place } from './row-order.ts';
import { type RowWindow, useRowWindow } from './row-window.ts';

/** With very many rows only those in sight, the focused one and the one being moved are drawn. */
export type Scrolling<Row> = {
  region: RefObject<HTMLElement | null>;
  /** Height of each row in pixels. */
  heights: readonly number[];
  /** Renders a row being scrolled past: its text, without controls. */
  passing: (row: Row) => ReactNode;
};

export type DrawnRowsProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Name of the row in menus and announcements. */
  rowName: (row: Row, index: number) => string;
  element: 'ul' | 'tbody';
  className?: string;
  rowClassName?: (row: Row) => string;
  scrolling?: Scrolling<Row>;
  sortable: boolean;
  /** The ids in their current order while a row is being moved. */
  order: readonly string[] | null;
  moving: string | null;
  onMove: (id: string, to: Place) => void;
  /**
   * Renders a row's content; `handle` is null if there is nothing to sort. While this function stays the
   * same, unchanged rows are not rendered again.
   */
  children: (row: Row, handle: ReactNode, index: number) => ReactNode;
};

const noHeights: readonly number[] = [];
const nowhere: RefObject<HTMLElement | null> = { current: null };

/** The drawn rows. The scroll state is kept here, so that scrolling renders nothing above. */
export function VirtualRows<Row>(props: DrawnRowsProps<Row>) {
  const { rows, rowName, element, className, rowClassName, scrolling, sortable, order, onMove, children } = props;
  const window = useRowWindow(scrolling?.heights ?? noHeights, scrolling?.region ?? nowhere);
  // The row last focused stays drawn wherever it is: it keeps its focus and half-typed text.
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

/** Returns the rows in sight in their current order, and those that must stay drawn wherever they are. */
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
  /** Tells screen readers the row's position, because they see only the drawn rows. */
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
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo loses the function's generic type
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
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo loses the function's generic type
const SortableRow = memo(PlainSortableRow) as typeof PlainSortableRow;
