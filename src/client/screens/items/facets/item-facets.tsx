import { api } from '#shared/http/api.ts';
import type { Field } from '#shared/items/schema.ts';
import { call } from '#client/call.ts';
import { FacetPanel } from '#client/fields/facets/facet-panel.tsx';
import { type ItemsQuery, selectionOf } from '#client/screens/items/items-query.ts';
import classes from './item-facets.module.css';

type ItemFacetsProps = {
  masterid: string;
  fields: readonly Field[];
  query: ItemsQuery;
  onQuery: (changed: Partial<ItemsQuery>) => void;
};

/** The facets next to the grid. Their fields are kept in the URL. */
export default function ItemFacets({ masterid, fields, query, onQuery }: ItemFacetsProps) {
  const { search, page } = query;
  return (
    <aside className={classes.facets} aria-label="Facetten">
      <FacetPanel
        fields={fields}
        chosen={query.facets ?? []}
        filters={query.filters}
        of={JSON.stringify([masterid, search])}
        ask={({ field, filters }, signal) =>
          call(api.itemFacet, {
            query: { ...selectionOf(masterid, { search, filters, sort: null, direction: 'asc' }), field },
            signal,
          })
        }
        onChoose={(facets) => onQuery({ facets, page })}
        onFilters={(filters) => onQuery({ filters })}
      />
    </aside>
  );
}
