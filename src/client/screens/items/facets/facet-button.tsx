import { Button } from '@mantine/core';
import IconChartBar from 'virtual:icons/chart-bar';
import type { Field } from '#shared/items/schema.ts';

/** Number of facets opened by default. */
const FIRST = 3;
/** Field kinds whose values are nearly all different, so that a facet is useless. */
const unlike = new Set<Field['guess']>(['image', 'url', 'html', 'gtin']);

type FacetButtonProps = {
  fields: readonly Field[];
  /** null: closed. */
  facets: readonly string[] | null;
  onFacets: (facets: readonly string[] | null) => void;
};

/** Opens and closes the facets; by default those of the first shown columns. */
export function FacetButton({ fields, facets, onFacets }: FacetButtonProps) {
  const opened = facets !== null;
  const first = fields.filter(({ show, guess }) => show === 1 && !unlike.has(guess)).slice(0, FIRST);
  return (
    <Button
      variant={opened ? 'light' : 'default'}
      leftSection={<IconChartBar size={16} aria-hidden />}
      aria-expanded={opened}
      disabled={fields.length === 0}
      onClick={() => onFacets(opened ? null : first.map(({ id }) => id))}
    >
      Facetten
    </Button>
  );
}
