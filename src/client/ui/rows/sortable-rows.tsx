import {
  Accessibility,
  KeyboardSensor,
  PointerActivationConstraints,
  PointerSensor,
  StyleInjector,
  type DragEndEvent,
  type DragOverEvent,
} from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { VirtualRows, type DrawnRowsProps } from './virtual-rows.tsx';
import { announcementsOf, inOrderOf, moveOver, moveTo, type Place, type Spoken } from './row-order.ts';
import { browserNonce } from '#client/ui/nonce.ts';
import { useEvent } from '#client/ui/use-event.ts';

type SortableRowsProps<Row> = Pick<
  DrawnRowsProps<Row>,
  'rows' | 'rowId' | 'rowName' | 'className' | 'rowClassName' | 'scrolling' | 'children'
> & {
  onOrder: (rows: Row[]) => void;
  /** 'ul' renders li rows, 'tbody' renders tr rows. */
  element?: 'ul' | 'tbody';
  /** False if the order is shown but cannot be changed. */
  sortable?: boolean;
  /** CAT-04: a single row has its handle, too. */
  loneHandle?: boolean;
};

const sensors = [
  PointerSensor.configure({ activationConstraints: [new PointerActivationConstraints.Distance({ value: 5 })] }),
  KeyboardSensor.configure({
    // Enter opens the handle's menu, so only the space bar picks a row up.
    keyboardCodes: { ...KeyboardSensor.defaults.keyboardCodes, start: ['Space'] },
  }),
];

/** A constant: new options on each render made the library remove and re-insert its styles during a drag. */
const styles = StyleInjector.configure({
  get nonce() {
    return browserNonce();
  },
});

/**
 * Rows that are sorted by dragging a handle (from 5 px on), by keyboard, or by the handle's menu (WCAG 2.5.7). Handles appear if
 * there is more than one row, or with `loneHandle`. `onOrder` is called when the row is dropped; Escape restores.
 */
export function SortableRows<Row>({
  rows,
  rowId,
  rowName,
  onOrder,
  element = 'ul',
  sortable = true,
  loneHandle = false,
  ...list
}: SortableRowsProps<Row>) {
  const accessibilityId = useId();
  // A render touches only the drawn ones of tens of thousands of rows; work on all of them is left to event handlers.
  const idsOf = () => rows.map(rowId);
  const [order, setOrder] = useState<string[] | null>(null);
  const [moving, setMoving] = useState<string | null>(null);
  const handles = sortable && (rows.length > 1 || loneHandle);
  // The announcements must read the order current at speaking time, long after they were configured.
  const spoken = useRef<() => Spoken>(() => ({ ids: [], name: String }));
  useLayoutEffect(() => {
    spoken.current = () => {
      const rowsById = new Map(rows.map((row, index) => [rowId(row), { row, index }]));
      const name = (id: string) => {
        const found = rowsById.get(id);
        return found === undefined ? '' : rowName(found.row, found.index);
      };
      return { ids: order ?? [...rowsById.keys()], name };
    };
  });

  // Rows may have come or gone since the row was picked up, for example by an undo.
  const apply = (next: readonly string[]) => onOrder(inOrderOf(rows, next, rowId));
  const moveRow = useEvent((id: string, to: Place) => apply(moveTo(idsOf(), id, to)));
  const onDragOver = (event: DragOverEvent) => {
    event.preventDefault();
    const { source, target } = event.operation;
    if (source !== null && target !== null)
      setOrder((now) => moveOver(now ?? idsOf(), String(source.id), String(target.id)));
  };
  const onDragEnd = (event: DragEndEvent) => {
    if (!event.canceled && order !== null) apply(order);
    setOrder(null);
    setMoving(null);
  };

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(defaults) =>
        defaults
          .map((plugin) =>
            plugin === Accessibility
              ? Accessibility.configure({ id: accessibilityId, ...announcementsOf(() => spoken.current()) })
              : plugin,
          )
          .concat(styles)
      }
      onDragStart={({ operation: { source } }) => {
        setOrder(idsOf());
        setMoving(source === null ? null : String(source.id));
      }}
      onDragOver={onDragOver}
      onDragEnd={onDragEnd}
    >
      <VirtualRows
        {...list}
        rows={rows}
        rowId={rowId}
        rowName={rowName}
        element={element}
        sortable={handles}
        order={order}
        moving={moving}
        onMove={moveRow}
      />
    </DragDropProvider>
  );
}
