import type { QuotaKind, QuotaUse } from '#shared/operations/quotas.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatBytes, formatInteger } from '#client/ui/text/formats.ts';

const labels: Record<QuotaKind, string> = {
  bytes: 'Speicher der Dateien',
  catalogues: 'Kataloge',
  exports: 'Exporte',
  jobs: 'Wartende Läufe',
};

const words = (kind: QuotaKind, count: number) => (kind === 'bytes' ? formatBytes(count) : formatInteger(count));

const columns: readonly TableColumn<QuotaUse>[] = [
  { title: 'Was', kind: 'name', cell: ({ kind }) => labels[kind] },
  { title: 'Belegt', kind: 'number', cell: ({ kind, used }) => words(kind, used) },
  {
    title: 'Höchstens',
    kind: 'number',
    cell: ({ kind, limit }) => (limit === null ? 'unbegrenzt' : words(kind, limit)),
  },
];

/** The company's usage of its quotas. */
export function QuotaCard({ uses }: { uses: readonly QuotaUse[] }) {
  return (
    <section className="k-card k-stack" aria-labelledby="nutzung">
      <h2 id="nutzung">Nutzung</h2>
      <Table label="Nutzung der Firma" columns={columns} rows={uses} rowId={({ kind }) => kind} />
    </section>
  );
}
