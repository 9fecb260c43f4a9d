import { useMemo, useState } from 'react';
import type { Facet } from '#shared/items/facets.ts';
import type { ItemFilter } from '#shared/items/schema.ts';
import { PillSelect } from '#client/ui/form/pill-select.tsx';
import { useLive } from '#client/use-live.ts';
import { FacetCard } from './facet-card.tsx';
import classes from './facets.module.css';

/** Facets shown at once; each sends a request of its own, and more would have to queue. */
export const MOST_FACETS = 8;

type Filters = readonly ItemFilter[];
/** The input of a facet: the filters of other fields, and whatever else selects the items (`of`, compared by its text). */
export type FacetQuestion = { field: string; filters: Filters; of: string };

type FacetPanelProps = {
  fields: readonly { id: string; name: string }[];
  chosen: readonly string[];
  filters: Filters;
  of: string;
  ask: (question: FacetQuestion, signal: AbortSignal) => Promise<Facet>;
  onChoose: (fields: readonly string[]) => void;
  onFilters: (filters: Filters) => void;
};

/** Facets of the chosen fields; a click on a value filters the items, and with them the other facets. */
export function FacetPanel({ fields, chosen, filters, of, ask, onChoose, onFilters }: FacetPanelProps) {
  const [refused, setRefused] = useState('');
  const shown = chosen.flatMap((id) => fields.find((field) => field.id === id) ?? []);
  const choose = (ids: readonly string[]) => {
    setRefused(ids.length > MOST_FACETS ? `Es lassen sich höchstens ${MOST_FACETS} Facetten zugleich zeigen.` : '');
    onChoose(ids.slice(0, MOST_FACETS));
  };
  const filter = (next: Filters | undefined) => {
    setRefused(next === undefined ? 'Mehr Filter sind nicht möglich. Bitte nehmen Sie erst einen weg.' : '');
    if (next !== undefined) onFilters(next);
  };
  return (
    <div className={classes.panel}>
      <PillSelect
        label="Felder der Facetten"
        placeholder="Felder wählen"
        options={fields.map(({ id, name }) => ({ value: id, label: name }))}
        selected={chosen}
        onSelect={choose}
      />
      <p role="status" className={refused === '' ? 'k-hidden' : classes.failure}>
        {refused}
      </p>
      {shown.length === 0 && (
        <p className="k-muted k-small">
          Wählen Sie Felder: Sie sehen, welche Werte darin stehen und wie oft, was leer, doppelt oder auffällig lang
          ist, und filtern mit einem Klick.
        </p>
      )}
      {shown.map(({ id, name }) => (
        <FieldFacet
          key={id}
          field={id}
          title={name}
          filters={filters}
          of={of}
          ask={ask}
          onFilters={filter}
          onClose={() => choose(chosen.filter((other) => other !== id))}
        />
      ))}
    </div>
  );
}

type FieldFacetProps = Pick<FacetPanelProps, 'filters' | 'of' | 'ask'> & {
  field: string;
  title: string;
  onFilters: (filters: Filters | undefined) => void;
  onClose: () => void;
};

function FieldFacet({ field, title, filters, of, ask, onFilters, onClose }: FieldFacetProps) {
  // A facet's own filters do not narrow it, so changing them sends no request.
  const others = JSON.stringify(filters.filter((filter) => filter.field !== field));
  const question = useMemo(() => ({ field, others, of }), [field, others, of]);
  const own = { field, filters: filters.filter((filter) => filter.field !== field), of };
  const facet = useLive(question, (signal) => ask(own, signal), { delay: 50 });
  return (
    <FacetCard field={field} title={title} facet={facet} filters={filters} onFilters={onFilters} onClose={onClose} />
  );
}
