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
import { announcementsOf, moveTo, type Place } from './row-order.ts';

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
  children,
}: SortableRowsProps<Row>) {
  const accessibilityId = useId();
  const ids = rows.map(rowId);
  const [order, setOrder] = useState<string[] | null>(null);
  // The announcements read the current order when they are spoken, long after they were configured.
  const spoken = useRef<{ ids: string[]; name: (id: string) => string }>({ ids, name: String });
  const byId = new Map(rows.map((row) => [rowId(row), row]));
  const shownIds = order?.filter((id) => byId.has(id)) ?? ids;
  const nameOf = (id: string) => {
    const row = byId.get(id);
    return row === undefined ? '' : rowName(row, ids.indexOf(id));
  };
  useLayoutEffect(() => {
    spoken.current = { ids: shownIds, name: nameOf };
  });

  const apply = (next: readonly string[]) => onOrder(next.flatMap((id) => byId.get(id) ?? []));
  const place = (id: string, to: Place) => apply(moveTo(ids, id, to));
  const onDragOver = (event: DragOverEvent) => {
    event.preventDefault();
    setOrder((now) => move(now ?? ids, event));
  };
  const onDragEnd = (event: DragEndEvent) => {
    if (!event.canceled && order !== null) apply(order);
    setOrder(null);
  };

  const List = element;
  const handles = rows.length > 1;
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(defaults) =>
        defaults.map((plugin) =>
          plugin === Accessibility
            ? Accessibility.configure({ id: accessibilityId, ...announcementsOf(() => spoken.current) })
            : plugin,
        )
      }
      onDragStart={() => setOrder(ids)}
      onDragOver={onDragOver}
      onDragEnd={onDragEnd}
    >
      <List className={className} style={element === 'ul' ? { margin: 0, padding: 0, listStyle: 'none' } : undefined}>
        {shownIds.map((id, index) => {
          const row = byId.get(id);
          if (row === undefined) return null;
          return (
            <SortableRow
              key={id}
              id={id}
              index={index}
              element={element}
              sortable={handles}
              className={rowClassName?.(row)}
            >
              {(handleRef) =>
                children(
                  row,
                  handles ? (
                    <RowHandle
                      ref={handleRef}
                      name={nameOf(id)}
                      index={index}
                      count={rows.length}
                      onMove={(to) => place(id, to)}
                    />
                  ) : null,
                  index,
                )
              }
            </SortableRow>
          );
        })}
      </List>
    </DragDropProvider>
  );
}

type SortableRowProps = {
  id: string;
  index: number;
  element: 'ul' | 'tbody';
  sortable: boolean;
  className?: string;
  children: (handleRef: (element: Element | null) => void) => ReactNode;
};

function SortableRow({ id, index, element, sortable, className, children }: SortableRowProps) {
  const { ref, handleRef, isDragSource } = useSortable({
    id,
    index,
    disabled: !sortable,
    plugins: [SortableKeyboardPlugin],
  });
  const Row = element === 'ul' ? 'li' : 'tr';
  const NoHandle = element === 'ul' ? 'span' : 'td';
  return (
    <Row ref={ref} className={className} data-dragging={isDragSource || undefined}>
      {children(handleRef)}
      {/* Without any handle the library would make a button of the whole row. */}
      {!sortable && <NoHandle ref={handleRef} hidden />}
    </Row>
  );
}
