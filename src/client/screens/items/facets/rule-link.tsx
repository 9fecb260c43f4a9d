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
  /** What was asked for last, also while its items are on their way. */
  query: Pick<ItemsQuery, 'filters' | 'search'>;
  fields: readonly Field[];
};

/** Leads to a new rule of the catalogue that holds for the selected items; says what of the selection no rule can ask. */
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
