import type { InstallationUse } from '#shared/operations/installation-use.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatBytes, formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';

type CompaniesProps = { companies: InstallationUse['companies']; total: number };

const companyColumns: readonly TableColumn<InstallationUse['companies'][number]>[] = [
  { title: 'Firma', kind: 'name', cell: ({ name }) => name },
  { title: 'Mitglieder', kind: 'number', cell: ({ members }) => formatInteger(members) },
  { title: 'Kataloge', kind: 'number', cell: ({ catalogues }) => formatInteger(catalogues) },
  { title: 'Exporte', kind: 'number', cell: ({ exports }) => formatInteger(exports) },
  { title: 'Wartende Läufe', kind: 'number', cell: ({ waiting }) => formatInteger(waiting) },
  { title: 'Dateien', kind: 'number', cell: ({ bytes }) => formatBytes(bytes) },
];

/** Usage of the installation by each company. */
export function Companies({ companies, total }: CompaniesProps) {
  return (
    <section className="k-card k-stack" aria-labelledby="firmen">
      <h2 id="firmen">{formatCount(total, 'Firma', 'Firmen')}</h2>
      <Table
        stacks
        label="Firmen und was sie belegen"
        columns={companyColumns}
        rows={companies}
        rowId={({ id }) => id}
      />
      {companies.length < total && (
        <p className="k-muted">Gezeigt werden die ersten {formatInteger(companies.length)} nach dem Namen.</p>
      )}
    </section>
  );
}

const deletedColumns: readonly TableColumn<InstallationUse['deleted'][number]>[] = [
  { title: 'Firma', kind: 'name', cell: ({ name }) => name },
  { title: 'Gelöscht am', cell: ({ at }) => formatTime(at) },
  { title: 'Verlangt von', cell: ({ by }) => by },
  { title: 'Zeilen', kind: 'number', cell: ({ rows }) => formatInteger(rows) },
  { title: 'Dateien', kind: 'number', cell: ({ files, bytes }) => `${formatInteger(files)} (${formatBytes(bytes)})` },
];

/** What is kept of deleted companies: numbers. */
export function DeletedCompanies({ deleted }: { deleted: InstallationUse['deleted'] }) {
  return (
    <section className="k-card k-stack" aria-labelledby="geloescht">
      <h2 id="geloescht">Gelöschte Firmen</h2>
      <Table stacks label="Gelöschte Firmen" columns={deletedColumns} rows={deleted} rowId={({ id }) => id} />
    </section>
  );
}
