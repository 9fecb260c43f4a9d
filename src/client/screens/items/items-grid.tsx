import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import type { Column, ItemFilter, ItemRow } from '#shared/items/schema.ts';
import { DataGrid, type GridColumn } from '#client/ui/grid/data-grid.tsx';
import { FilterTool } from './filter-tool.tsx';
import { ImageCell } from './image-cell.tsx';
import { loadableImages } from './image-check.ts';
import type { ItemsQuery } from './items-query.ts';
import type { Density } from './toolbar.tsx';

type ItemsGridProps = {
  columns: readonly Column[];
  rows: readonly ItemRow[];
  query: ItemsQuery;
  density: Density;
  busy: boolean;
  onQuery: (changed: Partial<ItemsQuery>) => void;
  onOpen: (itemId: string) => void;
  empty: ReactNode;
};

const numeric = new Set<Column['guess']>(['number', 'price', 'integer']);
const imageHeight = 80;
const textHeight = 30;

/** ITE-01 to ITE-05: one page of items as a table. */
export function ItemsGrid({ columns, rows, query, density, busy, onQuery, onOpen, empty }: ItemsGridProps) {
  const [onlyValid, setOnlyValid] = useState<string | null>(null);
  const good = useLoadable(rows, onlyValid);
  const setFilter = (field: string, filter: ItemFilter | null) =>
    onQuery({
      filters: [...query.filters.filter((other) => other.field !== field), ...(filter === null ? [] : [filter])],
    });

  const compact = density === 'compact';
  const withImages = columns.some(({ guess }) => guess === 'image');
  const gridColumns = columns.map((column) =>
    gridColumnOf(column, compact, {
      filter: query.filters.find(({ field }) => field === column.id),
      onFilter: (filter) => setFilter(column.id, filter),
      image:
        column.guess === 'image'
          ? { onlyValid: onlyValid === column.id, onOnlyValid: (only) => setOnlyValid(only ? column.id : null) }
          : undefined,
    }),
  );

  const shown = onlyValid === null || good === null ? rows : rows.filter((row) => good.has(row[onlyValid] ?? ''));
  return (
    <DataGrid
      label="Datensätze"
      columns={gridColumns}
      rows={shown}
      rowId={(row) => row['_id'] ?? ''}
      rowHeight={withImages && !compact ? imageHeight : textHeight}
      height="75vh"
      sort={query.sort === null ? undefined : { id: query.sort, direction: query.direction }}
      onSort={({ id, direction }) => onQuery({ sort: id, direction })}
      onOpen={(row) => onOpen(row['_id'] ?? '')}
      busy={busy || (onlyValid !== null && good === null)}
      empty={empty}
    />
  );
}

type Tool = Pick<ComponentProps<typeof FilterTool>, 'filter' | 'onFilter' | 'image'>;

/** How a field shows in the grid: pictures as pictures, numbers to the right. */
function gridColumnOf({ id, name, guess, note }: Column, compact: boolean, tool: Tool): GridColumn<ItemRow> {
  const image = guess === 'image';
  return {
    id,
    title: name,
    note,
    width: image ? 140 : numeric.has(guess) ? 130 : guess === 'html' ? 260 : 180,
    numeric: numeric.has(guess),
    sortable: true,
    tool: <FilterTool field={id} title={name} numeric={numeric.has(guess)} {...tool} />,
    cell: (row) => {
      const value = row[id] ?? null;
      if (image && !compact) return <ImageCell url={value} name={`Bild zu ${row['_id'] ?? ''}`} />;
      return value ?? <span className="k-muted">–</span>;
    },
  };
}

/** The values of an image column that show a picture; null while that is being found out or nobody asked. */
function useLoadable(rows: readonly ItemRow[], column: string | null): Set<string> | null {
  const [good, setGood] = useState<Set<string> | null>(null);
  useEffect(() => {
    setGood(null);
    if (column === null) return;
    const stop = new AbortController();
    const check = async () => {
      const found = await loadableImages(
        rows.map((row) => row[column] ?? null),
        stop.signal,
      );
      if (!stop.signal.aborted) setGood(found);
    };
    void check();
    return () => stop.abort();
  }, [rows, column]);
  return good;
}
