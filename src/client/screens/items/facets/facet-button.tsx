import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { Field } from '#shared/items/schema.ts';

/** Facets that are opened where nobody has chosen any. */
const FIRST = 3;
/** Their texts hardly ever occur twice. */
const unlike = new Set<Field['guess']>(['image', 'url', 'html', 'gtin']);

type FacetButtonProps = {
  fields: readonly Field[];
  /** null: closed. */
  facets: readonly string[] | null;
  onFacets: (facets: readonly string[] | null) => void;
};

/** Opens and closes the facets; they begin with the first columns that are shown. */
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
