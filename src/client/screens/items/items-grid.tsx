import type { ComponentProps, ReactNode } from 'react';
import type { Column, ItemFilter, ItemRow, PictureMarks } from '#shared/items/schema.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { DataGrid, type GridColumn } from '#client/ui/grid/data-grid.tsx';
import { FilterTool } from './filter-tool.tsx';
import { ImageCell, NoImage } from './image-cell.tsx';
import type { ItemsQuery } from './items-query.ts';
import type { ImageFilter } from './use-image-filter.ts';

type ItemsGridProps = {
  columns: readonly Column[];
  rows: readonly ItemRow[];
  marks: PictureMarks;
  query: ItemsQuery;
  /** The query last requested, even while its items are loading: a filter is added to its filters. */
  asked: ItemsQuery;
  compact: boolean;
  images: ImageFilter;
  busy: boolean;
  onQuery: (changed: Partial<ItemsQuery>) => void;
  onOpen: (itemId: string) => void;
  empty: ReactNode;
};

const numeric = new Set<Column['guess']>(['number', 'price', 'integer']);
const imageHeight = 80;
const textHeight = 30;

/** ITE-01 to ITE-05: one page of items as a table. */
export function ItemsGrid({
  columns,
  rows,
  marks,
  query,
  asked,
  compact,
  images,
  busy,
  onQuery,
  onOpen,
  empty,
}: ItemsGridProps) {
  const setFilter = (field: string, filter: ItemFilter | null) =>
    onQuery({
      filters: [...asked.filters.filter((other) => other.field !== field), ...(filter === null ? [] : [filter])],
    });

  const withImages = columns.some(({ guess }) => guess === 'image');
  const gridColumns = columns.map((column) =>
    gridColumnOf(column, compact ? undefined : marks, {
      filter: query.filters.find(({ field }) => field === column.id),
      onFilter: (filter) => setFilter(column.id, filter),
      image:
        column.guess === 'image'
          ? { onlyValid: images.column === column.id, onOnlyValid: (only) => images.setColumn(only ? column.id : null) }
          : undefined,
    }),
  );
  return (
    <>
      <ErrorNotice failure={images.failure} onRetry={images.retry} />
      <DataGrid
        label="Datensätze"
        columns={gridColumns}
        rows={rows}
        rowId={(row) => row['_id'] ?? ''}
        rowHeight={withImages && !compact ? imageHeight : textHeight}
        height="75vh"
        sort={query.sort === null ? undefined : { id: query.sort, direction: query.direction }}
        onSort={({ id, direction }) => onQuery({ sort: id, direction })}
        onOpen={(row) => onOpen(row['_id'] ?? '')}
        busy={busy}
        empty={empty}
      />
    </>
  );
}

type Tool = Pick<ComponentProps<typeof FilterTool>, 'filter' | 'onFilter' | 'image'>;

/** Returns a field's grid column: pictures as images if they are to be shown, numbers aligned right. */
function gridColumnOf(
  { id, name, guess, note }: Column,
  marks: PictureMarks | undefined,
  tool: Tool,
): GridColumn<ItemRow> {
  const image = guess === 'image';
  return {
    id,
    title: name,
    note,
    width: (image ? 140 : numeric.has(guess) ? 130 : guess === 'html' ? 260 : 180) + (note === undefined ? 0 : 26),
    numeric: numeric.has(guess),
    sortable: true,
    tool: <FilterTool field={id} title={name} numeric={numeric.has(guess)} {...tool} />,
    cell: (row) => {
      const value = row[id] ?? null;
      if (image && marks) return <ImageCell marks={marks} url={value} name={`Bild zu ${row['_id'] ?? ''}`} />;
      return value ?? (image ? <NoImage /> : <span className="k-muted">–</span>);
    },
  };
}
