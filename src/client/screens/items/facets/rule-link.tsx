import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Field } from '#shared/items/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { hasCondition, ruleSearch } from '#client/fields/rule-of-filters.ts';
import { filterWords } from '#client/screens/items/item-filter.ts';
import type { ItemsQuery } from '#client/screens/items/items-query.ts';

type RuleLinkProps = {
  masterid: string;
  /** The query last requested, even while its items are loading. */
  query: Pick<ItemsQuery, 'filters' | 'search'>;
  fields: readonly Field[];
};

/** Links to a new rule of the catalogue for the selected items; says which filters no rule can express. */
export function RuleLink({ masterid, query, fields }: RuleLinkProps) {
  const nameOf = (id: string) => fields.find((field) => field.id === id)?.name ?? id;
  const search = ruleSearch(query, nameOf);
  const lost = query.filters.filter((filter) => !hasCondition(filter));
  if (query.filters.length === 0 && query.search === '') return null;
  return (
    <>
      {search !== '' && (
        <Button component={Link} to={pathTo(pages.masterRules, { masterid }) + search} variant="default" size="xs">
          Als Regel …
        </Button>
      )}
      {lost.length > 0 && (
        <span className="k-muted k-small">
          In eine Regel geht nicht über: {lost.map((filter) => filterWords(nameOf(filter.field), filter)).join(', ')}.
        </span>
      )}
    </>
  );
}
