import { Pagination } from '@mantine/core';
import { useNavigate } from 'react-router';
import { formatInteger } from '#client/ui/text/formats.ts';
import { pageSize, writeQuery, type AttributesQuery } from './attributes-query.ts';

type PageLinksProps = { query: AttributesQuery; total: number; everything: boolean };

const controls = {
  first: 'Erste Seite',
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  last: 'Letzte Seite',
} as const;

/** ATT-03: first and last page, two neighbours on each side of the current one, and the count of items. */
export function PageLinks({ query, total, everything }: PageLinksProps) {
  const navigate = useNavigate();
  const last = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav className="k-between k-small" aria-label="Seiten">
      <span role="status">
        {everything ? 'Alle Items' : 'Items der Kategorie'}: {formatInteger(total)}
      </span>
      <Pagination
        total={last}
        value={Math.min(query.page + 1, last)}
        siblings={2}
        boundaries={1}
        size="sm"
        onChange={(page) => void navigate(writeQuery({ ...query, page: page - 1 }))}
        getItemProps={(page) => ({ 'aria-label': `Seite ${formatInteger(page)}` })}
        getControlProps={(control) => ({ 'aria-label': controls[control] })}
      />
    </nav>
  );
}
