import {
  Accessibility,
  KeyboardSensor,
  PointerActivationConstraints,
  PointerSensor,
  type DragEndEvent,
  type DragOverEvent,
} from '@dnd-kit/dom';
import { SortableKeyboardPlugin } from '@dnd-kit/dom/sortable';
import { move } from '@dnd-kit/helpers';
import { DragDropProvider } from '@dnd-kit/react';
import { useSortable } from '@dnd-kit/react/sortable';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { RowHandle } from './row-handle.tsx';
import { announcementsOf, moveTo, type Place, type Spoken } from './row-order.ts';
import type { RowWindow } from './row-window.ts';
import { useStable } from './use-stable.ts';

type SortableRowsProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** What the row is called in menus and announcements. */
  rowName: (row: Row, index: number) => string;
  onOrder: (rows: Row[]) => void;
  /** 'ul' renders li rows, 'tbody' renders tr rows. */
  element?: 'ul' | 'tbody';
  className?: string;
  rowClassName?: (row: Row) => string;
  /** Of very many rows only these are drawn, and the one that is being moved; the height of the others is kept free. */
  window?: RowWindow;
  /** False where there is an order to see but none to change. */
  sortable?: boolean;
  /** Renders a row's content; `handle` is null where there is nothing to sort. */
  children: (row: Row, handle: ReactNode, index: number) => ReactNode;
};

const sensors = [
  PointerSensor.configure({ activationConstraints: [new PointerActivationConstraints.Distance({ value: 5 })] }),
  KeyboardSensor.configure({
    // Enter opens the handle's menu, so only the space bar picks a row up.
    keyboardCodes: { ...KeyboardSensor.defaults.keyboardCodes, start: ['Space'] },
  }),
];

/**
 * Rows that are put in order by dragging a handle (from 5 px on), by keyboard, or by the handle's menu (WCAG 2.5.7).
 * Handles appear with more than one row only. The list is told its new order when the row is dropped; Escape restores.
 */
export function SortableRows<Row>({
  rows,
  rowId,
  rowName,
  onOrder,
  element = 'ul',
  className,
  rowClassName,
  window,
  sortable = true,
  children,
}: SortableRowsProps<Row>) {
  const accessibilityId = useId();
  // Of tens of thousands of rows a render touches the drawn ones; what needs all of them is asked for by an event.
  const idsOf = () => rows.map(rowId);
  const [order, setOrder] = useState<string[] | null>(null);
  const [moving, setMoving] = useState<string | null>(null);
  const handles = sortable && rows.length > 1;
  const drawn = drawnRows({ rows, rowId, order, moving, window });
  // The announcements read the current order when they are spoken, long after they were configured.
  const spoken = useRef<() => Spoken>(() => ({ ids: [], name: String }));
  useLayoutEffect(() => {
    spoken.current = () => {
      const places = new Map(rows.map((row, index) => [rowId(row), { row, index }]));
      const name = (id: string) => {
        const found = places.get(id);
        return found === undefined ? '' : rowName(found.row, found.index);
      };
      return { ids: order ?? [...places.keys()], name };
    };
  });

  const apply = (next: readonly string[]) => {
    const byId = new Map(rows.map((row) => [rowId(row), row]));
    onOrder(next.flatMap((id) => byId.get(id) ?? []));
  };
  const place = useStable((id: string, to: Place) => apply(moveTo(idsOf(), id, to)));
  const onDragOver = (event: DragOverEvent) => {
    event.preventDefault();
    setOrder((now) => move(now ?? idsOf(), event));
  };
  const onDragEnd = (event: DragEndEvent) => {
    if (!event.canceled && order !== null) apply(order);
    setOrder(null);
    setMoving(null);
  };

  const List = element;
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(defaults) =>
        defaults.map((plugin) =>
          plugin === Accessibility
            ? Accessibility.configure({ id: accessibilityId, ...announcementsOf(() => spoken.current()) })
            : plugin,
        )
      }
      onDragStart={({ operation: { source } }) => {
        setOrder(idsOf());
        setMoving(source === null ? null : String(source.id));
      }}
      onDragOver={onDragOver}
      onDragEnd={onDragEnd}
    >
      <List className={className} style={element === 'ul' ? { margin: 0, padding: 0, listStyle: 'none' } : undefined}>
        {window !== undefined && <Spare element={element} height={window.before} />}
        {drawn.map(({ id, row, index }) => (
          <SortableRow
            key={id}
            id={id}
            index={index}
            element={element}
            sortable={handles}
            counted={window !== undefined}
            className={rowClassName?.(row)}
          >
            {(handleRef) =>
              children(
                row,
                handles ? (
                  <RowHandle
                    ref={handleRef}
                    id={id}
                    name={rowName(row, index)}
                    index={index}
                    count={rows.length}
                    onMove={place}
                  />
                ) : null,
                index,
              )
            }
          </SortableRow>
        ))}
        {window !== undefined && <Spare element={element} height={window.after} />}
      </List>
    </DragDropProvider>
  );
}

type Drawn<Row> = { id: string; row: Row; index: number };
type DrawnRows<Row> = Pick<SortableRowsProps<Row>, 'rows' | 'rowId' | 'window'> & {
  order: readonly string[] | null;
  moving: string | null;
};

/** The rows in sight, in the order in which they stand at the moment, and the one that is being moved wherever it is. */
function drawnRows<Row>({ rows, rowId, order, moving, window }: DrawnRows<Row>): Drawn<Row>[] {
  const from = window?.from ?? 0;
  const to = window?.to ?? rows.length;
  if (order === null) return rows.slice(from, to).map((row, index) => ({ id: rowId(row), row, index: from + index }));
  const byId = new Map(rows.map((row) => [rowId(row), row]));
  const drawn: Drawn<Row>[] = [];
  for (const [index, id] of order.filter((one) => byId.has(one)).entries()) {
    const row = byId.get(id);
    if (row !== undefined && ((index >= from && index < to) || id === moving)) drawn.push({ id, row, index });
  }
  return drawn;
}

/** Keeps the height of rows that are not drawn. */
function Spare({ element, height }: { element: 'ul' | 'tbody'; height: number }) {
  const Row = element === 'ul' ? 'li' : 'tr';
  return height === 0 ? null : <Row aria-hidden style={{ height }} />;
}

type SortableRowProps = {
  id: string;
  index: number;
  element: 'ul' | 'tbody';
  sortable: boolean;
  /** Says its place to screen readers, which see only the rows that are drawn; the head is row 1. */
  counted: boolean;
  className?: string;
  children: (handleRef: (element: Element | null) => void) => ReactNode;
};

function SortableRow({ id, index, element, sortable, counted, className, children }: SortableRowProps) {
  const { ref, handleRef, isDragSource } = useSortable({
    id,
    index,
    disabled: !sortable,
    plugins: [SortableKeyboardPlugin],
  });
  const Row = element === 'ul' ? 'li' : 'tr';
  const NoHandle = element === 'ul' ? 'span' : 'td';
  return (
    <Row
      ref={ref}
      className={className}
      data-row={id}
      data-dragging={isDragSource || undefined}
      aria-rowindex={counted && element === 'tbody' ? index + 2 : undefined}
    >
      {children(handleRef)}
      {/* Without any handle the library would make a button of the whole row. */}
      {!sortable && <NoHandle ref={handleRef} hidden />}
    </Row>
  );
}
