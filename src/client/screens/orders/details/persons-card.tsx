import { Button } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { OrderPersons, Person } from '#shared/orders/persons.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatDay } from '#client/ui/text/formats.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { AddressLines } from './address-lines.tsx';
import classes from './details.module.css';

type PersonsCardProps = { orderid: string; channel: string; until: string | null };

const roles = [
  ['delivery', 'Lieferadresse'],
  ['invoice', 'Rechnungsadresse'],
  ['buyer', 'Käufer'],
] as const;

/** Personal data of an order, shown only when asked for: the reading is recorded. */
export function PersonsCard({ orderid, channel, until }: PersonsCardProps) {
  const may = useMay('persons');
  const [persons, setPersons] = useState<OrderPersons | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const body = { purpose: 'view' as const, orders: [{ orderid, channel }] };
      setPersons((await call(api.orderPersons, { body })).persons[0] ?? null);
    } catch (error) {
      setFailure(failureOf('Fehler beim Laden', error));
    }
  });
  const shown = roles.flatMap(([role, label]) => {
    const person = persons?.[role];
    return person === undefined ? [] : [{ role, label, person }];
  });
  return (
    <section className="k-card k-stack" aria-labelledby="kundendaten">
      <h2 id="kundendaten">Kundendaten</h2>
      {until === null ? (
        <p className="k-muted">Zu dieser Bestellung sind keine Kundendaten gespeichert, oder sie wurden gelöscht.</p>
      ) : (
        <p className="k-muted k-small">Werden am {formatDay(until)} gelöscht. Wer sie liest, wird vermerkt.</p>
      )}
      {!may && until !== null && <p>Kundendaten sieht nur, wer das Recht dazu hat.</p>}
      {may && until !== null && persons === null && (
        <div>
          <Button variant="default" leftSection={<IconUser size={16} aria-hidden />} loading={busy} onClick={start}>
            Kundendaten anzeigen
          </Button>
        </div>
      )}
      <ErrorNotice failure={failure} onRetry={start} />
      {persons?.changed === true && <p>Die Lieferadresse wurde nach der Bestellung geändert.</p>}
      <div className={classes.persons}>
        {shown.map(({ role, label, person }) => (
          <PersonEntry key={role} label={label} person={person} />
        ))}
      </div>
    </section>
  );
}

function PersonEntry({ label, person }: { label: string; person: Person }) {
  return (
    <div>
      <h3 className={classes.small}>{label}</h3>
      <address className={classes.address}>
        <AddressLines person={person} />
        {person.email !== '' && <div>{person.email}</div>}
        {person.phone !== '' && <div>{person.phone}</div>}
      </address>
    </div>
  );
}
