import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRevalidator } from 'react-router';
import { type Delivery, deliveryStates } from '#shared/notifications/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

/** The last attempts to tell somebody outside, the newest first. */
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
        <ScrollRegion label="Letzte Zustellungen">
          <table className="k-table">
            <thead>
              <tr>
                <th scope="col">Zeit</th>
                <th scope="col">Weg</th>
                <th scope="col">Nachricht</th>
                <th scope="col">Zustand</th>
                <th scope="col">Versuche</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <Entry key={delivery.id} delivery={delivery} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}

function Entry({ delivery: { createdAt, channel, title, state, message, tries, nextAt } }: { delivery: Delivery }) {
  const { label, tone } = deliveryStates[state];
  const next = state === 'waiting' && nextAt !== null ? `Nächster Versuch: ${formatTime(nextAt)}.` : '';
  return (
    <tr>
      <td>{formatTime(createdAt)}</td>
      <td>{channel}</td>
      <td>{title}</td>
      <td>
        <Badge tone={tone}>{label}</Badge>
        {(message !== '' || next !== '') && <div className="k-muted k-small">{`${message} ${next}`.trim()}</div>}
      </td>
      <td className="k-number">{tries}</td>
    </tr>
  );
}
