import { CloseButton, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ItemFilter } from '#shared/items/schema.ts';
import { filterWords } from './item-filter.ts';
import { SearchField } from '#client/ui/form/search-field.tsx';
import classes from './items.module.css';

export type Density = 'normal' | 'compact';

type ToolbarProps = {
  density: Density;
  onDensity: (density: Density) => void;
  search: string;
  onSearch: (search: string) => void;
  children: ReactNode;
};

/** Search, density and columns, above the grid. */
export function Toolbar({ density, onDensity, search, onSearch, children }: ToolbarProps) {
  return (
    <div className={classes.toolbar}>
      <SearchField label="In allen Feldern suchen" search={search} onSearch={onSearch} />
      <SegmentedControl
        aria-label="Größe"
        value={density}
        onChange={(value) => onDensity(value === 'compact' ? 'compact' : 'normal')}
        data={[
          { value: 'normal', label: 'Normal' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      {children}
    </div>
  );
}

type FilterChipsProps = {
  filters: readonly ItemFilter[];
  /** The field whose pictures must exist (ITE-05); null: no such filter. */
  pictures: string | null;
  titleOf: (field: string) => string;
  onRemove: (filter: ItemFilter) => void;
  onAllPictures: () => void;
};

/** The active filters, each with a button to remove it. */
export function FilterChips({ filters, pictures, titleOf, onRemove, onAllPictures }: FilterChipsProps) {
  if (filters.length === 0 && pictures === null) return null;
  return (
    <ul className={classes.chips} aria-label="Filter">
      {filters.map((filter) => (
        <FilterChip
          key={JSON.stringify(filter)}
          words={filterWords(titleOf(filter.field), filter)}
          onRemove={() => onRemove(filter)}
        />
      ))}
      {pictures !== null && <FilterChip words={`${titleOf(pictures)}: nur gültige Bilder`} onRemove={onAllPictures} />}
    </ul>
  );
}

function FilterChip({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <li className={classes.chip}>
      {words}
      <CloseButton size={24} iconSize={14} aria-label={`Filter entfernen: ${words}`} onClick={onRemove} />
    </li>
  );
}
