import { Button } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { useRevalidator } from 'react-router';
import { type Delivery, deliveryStates } from '#shared/notifications/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';

/** The last attempts to notify outside of Kontor, newest first. */
export function DeliveryLog({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { revalidate, state } = useRevalidator();
  return (
    <section className="k-card k-stack" aria-labelledby="zustellungen">
      <div className="k-between">
        <h2 id="zustellungen">Letzte Zustellungen</h2>
        <Button
          variant="default"
          loading={state === 'loading'}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void revalidate()}
        >
          Aktualisieren
        </Button>
      </div>
      {deliveries.length === 0 ? (
        <p className="k-muted">Noch nichts zugestellt. Was Kontor nach außen sendet, steht hier mit seinem Zustand.</p>
      ) : (
        <Table stacks label="Letzte Zustellungen" columns={columns} rows={deliveries} rowId={({ id }) => id} />
      )}
    </section>
  );
}

const columns: readonly TableColumn<Delivery>[] = [
  { title: 'Zeit', cell: ({ createdAt }) => formatTime(createdAt) },
  { title: 'Weg', cell: ({ channel }) => channel },
  { title: 'Nachricht', cell: ({ title }) => title },
  { title: 'Zustand', cell: (delivery) => <State delivery={delivery} /> },
  { title: 'Versuche', kind: 'number', cell: ({ tries }) => tries },
];

function State({ delivery: { state, message, nextAt } }: { delivery: Delivery }) {
  const { label, tone } = deliveryStates[state];
  const next = state === 'waiting' && nextAt !== null ? `Nächster Versuch: ${formatTime(nextAt)}.` : '';
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {(message !== '' || next !== '') && <div className="k-muted k-small">{`${message} ${next}`.trim()}</div>}
    </>
  );
}
