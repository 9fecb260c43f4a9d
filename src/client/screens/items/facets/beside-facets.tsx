import type { ReactNode } from 'react';
import type { Field } from '#shared/items/schema.ts';
import { laterPart } from '#client/page-load/later-part.tsx';
import type { ItemsQuery } from '#client/screens/items/items-query.ts';
import classes from './item-facets.module.css';

/** Loaded when it is first opened: the grid does not wait for it. */
const ItemFacets = laterPart(() => import('./item-facets.tsx'), <div className={classes.waiting} aria-busy />);

type BesideFacetsProps = {
  masterid: string;
  fields: readonly Field[];
  query: ItemsQuery;
  onQuery: (changed: Partial<ItemsQuery>) => void;
  children: ReactNode;
};

/** The grid, with the facets next to it if they are open. */
export function BesideFacets({ masterid, fields, query, onQuery, children }: BesideFacetsProps) {
  const opened = query.facets !== null;
  return (
    <div className={classes.beside} data-opened={opened || undefined}>
      {opened && <ItemFacets masterid={masterid} fields={fields} query={query} onQuery={onQuery} />}
      <div className={classes.grid}>{children}</div>
    </div>
  );
}
