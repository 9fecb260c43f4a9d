import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import IconTrash from 'virtual:icons/trash';
import IconUser from 'virtual:icons/user';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { OrderPersons, Person } from '#shared/orders/persons.ts';
import { call, callFile } from '#client/call.ts';
import { downloadFile } from '#client/csv-download.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { useMay } from '#client/shell/session.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { formatDay } from '#client/ui/text/formats.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { AddressLines } from './address-lines.tsx';
import classes from './details.module.css';

type PersonsCardProps = {
  orderid: string;
  channel: string;
  until: string | null;
  /** Called after the data was erased. */
  onErased: () => void;
};

const roles = [
  ['delivery', 'Lieferadresse'],
  ['invoice', 'Rechnungsadresse'],
  ['buyer', 'Käufer'],
] as const;

/** Personal data of an order, shown only on request, because each reading is recorded. */
export function PersonsCard({ orderid, channel, until, onErased }: PersonsCardProps) {
  const may = useMay('persons');
  const [persons, setPersons] = useState<OrderPersons | null>(null);
  const [erasing, setErasing] = useState(false);
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
  const place = { params: { orderid }, query: { channel } };
  const { busy: reporting, start: report } = useOnce(async () => {
    try {
      const { file, name } = await callFile(api.reportPersons, place);
      downloadFile(name, file);
    } catch (error) {
      showFailure(failureOf('Fehler beim Laden', error));
    }
  });
  const erase = async () => {
    try {
      await call(api.erasePersons, place);
    } catch (error) {
      showFailure(failureOf('Fehler beim Löschen', error));
      return;
    }
    setErasing(false);
    setPersons(null);
    showSaved('Die Kundendaten sind gelöscht.');
    onErased();
  };
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
      {may && (
        <div className="k-row">
          {until !== null && persons === null && (
            <Button variant="default" leftSection={<IconUser size={16} aria-hidden />} loading={busy} onClick={start}>
              Kundendaten anzeigen
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={reporting}
            onClick={report}
          >
            Auskunft herunterladen
          </Button>
          {until !== null && (
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setErasing(true)}
            >
              Kundendaten löschen
            </Button>
          )}
        </div>
      )}
      <ErrorNotice failure={failure} onRetry={start} />
      {persons?.changed === true && <p>Die Lieferadresse wurde nach der Bestellung geändert.</p>}
      <div className={classes.persons}>
        {shown.map(({ role, label, person }) => (
          <PersonEntry key={role} label={label} person={person} />
        ))}
      </div>
      <ConfirmDialog
        opened={erasing}
        question="Kundendaten wirklich löschen?"
        confirm="Löschen"
        danger
        onConfirm={erase}
        onClose={() => setErasing(false)}
      >
        Namen und Anschriften dieser Bestellung werden sofort und endgültig gelöscht. Ein Lieferschein hat danach keine
        Anschrift mehr. Die Bestellung selbst bleibt.
      </ConfirmDialog>
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
        {person.gifts?.map((gift) => (
          <div key={gift}>Geschenk: {gift}</div>
        ))}
      </address>
    </div>
  );
}
