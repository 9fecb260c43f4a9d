import type { InstallationUse } from '#shared/operations/installation-use.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';

const waiting = (count: number, oldest: string | null): string =>
  oldest === null ? formatInteger(count) : `${formatInteger(count)}, älteste von ${formatTime(oldest)}`;

const columns: readonly TableColumn<InstallationUse['marketplaces'][number]>[] = [
  { title: 'Marktplatz', kind: 'name', cell: ({ name }) => name },
  { title: 'Konten', kind: 'number', cell: ({ accounts }) => formatInteger(accounts) },
  { title: 'Firmen', kind: 'number', cell: ({ companies }) => formatInteger(companies) },
  { title: 'Preise unterwegs', kind: 'number', cell: ({ prices, oldestPrice }) => waiting(prices, oldestPrice) },
  {
    title: 'Bestellmeldungen unterwegs',
    kind: 'number',
    cell: ({ actions, oldestAction }) => waiting(actions, oldestAction),
  },
  { title: 'Unklar', kind: 'number', cell: ({ unclear }) => formatInteger(unclear) },
];

/** Messages pending for marketplaces: an old one shows that a marketplace or an account does not answer. */
export function Marketplaces({ marketplaces }: Pick<InstallationUse, 'marketplaces'>) {
  return (
    <section className="k-card k-stack" aria-labelledby="marktplaetze">
      <h2 id="marktplaetze">Marktplätze</h2>
      {marketplaces.length === 0 ? (
        <p className="k-muted">Keine Firma hat ein aktives Konto bei einem Marktplatz.</p>
      ) : (
        <Table
          stacks
          label="Marktplätze und was dorthin unterwegs ist"
          columns={columns}
          rows={marketplaces}
          rowId={({ connector }) => connector}
        />
      )}
    </section>
  );
}
