import type { Field } from '#shared/items/schema.ts';
import type { FittingView, ViewFields } from '#client/saved-views/saved-views.tsx';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { type ItemsQuery, readQuery, writeQuery } from './items-query.ts';

type ItemViewsProps = {
  masterid: string;
  query: ItemsQuery;
  /** All fields of the catalogue; empty if they could not be loaded. */
  fields: readonly Field[];
  untouched: boolean;
  onOpen: (query: ItemsQuery, replace: boolean) => void;
  /** Called when it is known that no standard view will be opened. */
  onNone: () => void;
};

/** The grid's saved views. They identify fields by name, because an import may give their ids to other fields. */
export function ItemViews({ masterid, query, fields, untouched, onOpen, onNone }: ItemViewsProps) {
  return (
    <SavedViews
      table="items"
      masterid={masterid}
      query={viewQuery(query)}
      fields={namedFields(query, fields)}
      opened={query.savedView}
      untouched={untouched}
      onNone={onNone}
      fit={(stored, named) => fitQuery(readQuery(stored), named, fields)}
      onOpen={(view, savedView, replace) => onOpen({ ...readQuery(view), facets: query.facets, savedView }, replace)}
    />
  );
}

/** Leaves out the facets: they help to find a view, but are not part of it. */
const viewQuery = (query: ItemsQuery) => writeQuery({ ...query, page: 0, facets: null, savedView: '' });

/** Returns the fields that a query refers to, with their current names. */
function namedFields({ sort, filters, columns }: ItemsQuery, fields: readonly Field[]): ViewFields {
  const meant = new Set([...(sort === null ? [] : [sort]), ...filters.map(({ field }) => field), ...(columns ?? [])]);
  return fields.filter(({ id }) => meant.has(id)).map(({ id, name }) => ({ id, name }));
}

/** Returns a stored query with the current ids of its fields, without fields that no longer exist. */
export function fitQuery(stored: ItemsQuery, named: ViewFields, fields: readonly Field[]): FittingView {
  // If the fields could not be loaded, missing ones cannot be determined.
  if (fields.length === 0) return { query: viewQuery(stored), gone: [] };
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const today = new Map(fields.map(({ id, name }) => [name, id]));
  const missingFields = new Set<string>();
  const idOf = (id: string): string | null => {
    if (id === '_id') return id;
    const name = names.get(id);
    const found = name === undefined ? undefined : today.get(name);
    if (found === undefined) missingFields.add(name === undefined ? 'ein Feld' : `das Feld „${name}“`);
    return found ?? null;
  };
  const columns = stored.columns?.flatMap((id) => idOf(id) ?? []) ?? null;
  const query = viewQuery({
    ...stored,
    sort: stored.sort === null ? null : idOf(stored.sort),
    filters: stored.filters.flatMap((filter) => {
      const field = idOf(filter.field);
      return field === null ? [] : [{ ...filter, field }];
    }),
    columns: columns?.length === 0 ? null : columns,
  });
  return { query, gone: [...missingFields] };
}
