import { Button, Modal, NativeSelect } from '@mantine/core';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { OrderFileCounts } from '#shared/orders/intake.ts';
import { call, CallError } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useNextFocus } from '#client/ui/focus/use-next-focus.ts';
import { FileDrop } from '#client/ui/form/file-drop.tsx';
import { useMissing } from '#client/ui/form/use-missing.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { uploadOrders } from '#client/sending/upload.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './bulk.module.css';

type OrderImportProps = { opened: boolean; onDone: () => void; onClose: () => void };
type Channel = { value: string; label: string };

/**
 * Imports orders from a file of the shop, or of a marketplace without a connection, into one
 * channel, and reports the result for each.
 */
export function OrderImport({ opened, onDone, onClose }: OrderImportProps) {
  const [channels, setChannels] = useState<readonly Channel[]>([]);
  const [channel, setChannel] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<OrderFileCounts | null>(null);
  const [failure, setFailure] = useFailure();
  useEffect(() => {
    if (opened)
      loadChannels().then(setChannels, (error) => setFailure(failureOf('Fehler beim Laden der Daten:', error)));
  }, [opened, setFailure]);
  // After an import the report stands in the hint's place.
  const { hint, button } = useMissing(report === null ? missingOf(channel, file) : '');
  const { busy, start } = useOnce(async () => {
    if (file === null) return;
    setFailure(null);
    setReport(null);
    try {
      setReport(await uploadOrders(channel, file));
      setFile(null);
      onDone();
    } catch (error) {
      setFailure(failureOf('Fehler beim Hochladen', error));
      // The first orders of the file are stored; the list shows them.
      if (error instanceof CallError && error.code === 'import_interrupted') onDone();
    }
  });
  const { pressed, next } = useNextFocus(report !== null && !busy);
  const read = (event: SyntheticEvent) => {
    event.preventDefault();
    start();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="min(720px, 100vw)"
      title={<span className="k-strong">Bestellungen einlesen</span>}
    >
      <form className="k-stack" onSubmit={read} noValidate>
        <NativeSelect
          label="Kanal"
          description="Bestellungen verbundener Marktplätze liest Kontor selbst; hier stehen die übrigen Kanäle."
          data-autofocus
          value={channel}
          onChange={({ currentTarget }) => setChannel(currentTarget.value)}
          data={[{ value: '', label: 'Bitte wählen' }, ...channels]}
        />
        <FileDrop
          file={file}
          onFile={(chosen) => {
            setFile(chosen);
            setReport(null);
          }}
          accept=".csv,.txt,.tsv,.xml,.json,.gz,.zip,.xlsx,.xls,.ods,text/csv,text/plain,text/xml,application/xml,application/json"
          hint="CSV oder Excel mit Kopfzeile, openTRANS oder Afterbuy (XML), idealo, OTTO oder Kaufland (JSON). Dieselbe Datei noch einmal ändert nichts."
        />
        <ErrorNotice failure={failure} />
        {report === null ? hint : <Report report={report} />}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button ref={next} variant="default" onClick={onClose}>
            {report === null ? 'Abbrechen' : 'Schließen'}
          </Button>
          <Button ref={pressed} type="submit" loading={busy} {...button} disabled={button.disabled || report !== null}>
            Einlesen
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function missingOf(channel: string, file: File | null): string {
  if (channel === '') return file === null ? 'Bitte einen Kanal und eine Datei wählen.' : 'Bitte einen Kanal wählen.';
  return file === null ? 'Bitte eine Datei wählen.' : '';
}

/** Loads the exports only: a marketplace account reads its orders itself. */
async function loadChannels(): Promise<Channel[]> {
  const masters = await call(api.masters);
  return masters.flatMap(({ name, exports }) =>
    exports.map((one) => ({ value: one.id, label: masters.length > 1 ? `${one.name} · ${name}` : one.name })),
  );
}

function Report({ report }: { report: OrderFileCounts }) {
  const { rejected, notes } = report;
  return (
    <div className="k-stack" role="status">
      <p>
        <b>{formatCount(report.new, 'neue Bestellung', 'neue Bestellungen')}</b>, {formatInteger(report.changed)}{' '}
        geändert, {formatInteger(report.unchanged)} unverändert, {formatInteger(report.old)} älter als bekannt
        {rejected.length > 0 && `, ${formatInteger(rejected.length)} abgelehnt`}.
      </p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {rejected.length > 0 && (
        <ul className={classes.rejected}>
          {rejected.slice(0, 200).map(({ orderid, message }) => (
            <li key={orderid}>
              <b>{orderid}</b>: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
