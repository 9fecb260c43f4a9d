import { Button } from '@mantine/core';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Installation } from '#shared/operations/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { useReloadEvery } from '#client/page-load/use-reload-every.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { formatBytes, formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';
import { Companies, DeletedCompanies } from './companies.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { Jobs } from './jobs.tsx';
import { Machine } from './machine.tsx';
import { Marketplaces } from './marketplaces.tsx';
import { Processes } from './processes.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const [installation, use] = await Promise.all([ask(api.installation), ask(api.installationUse)]);
  return { ...installation, use };
}

const POLL_MS = 10_000;

/** What the operator of an installation must know: whether it sends, and when it was last backed up. */
export default function Operations() {
  const { hold, paused, lastBackup, backupOverdue, use } = useLoaderData<typeof loader>();
  useReloadEvery(POLL_MS, true);
  return (
    <div className="k-stack" style={{ maxWidth: 960 }}>
      <PageHeader title="Betrieb" lead="Gilt für die ganze Installation, mit allen Firmen." />
      {hold !== null && <Held hold={hold} />}
      <section className="k-card k-stack" aria-labelledby="sicherung">
        <h2 id="sicherung">Sicherung</h2>
        {backupOverdue && (
          <p>
            <strong>{lastBackup === null ? 'Noch nie gesichert.' : 'Sicherung überfällig.'}</strong>{' '}
            {lastBackup === null
              ? 'Fällt dieser Rechner aus, ist alles verloren.'
              : 'Die letzte Sicherung ist älter als 48 Stunden.'}
          </p>
        )}
        {lastBackup !== null && (
          <p>
            Zuletzt gesichert am <strong>{formatTime(lastBackup.at)}</strong>, {formatBytes(lastBackup.bytes)}:{' '}
            <span style={{ overflowWrap: 'anywhere' }}>{lastBackup.file}</span>
          </p>
        )}
        <p className="k-muted">
          Gesichert wird mit <code>npm run backup -- &lt;Ordner&gt;</code>, während Kontor läuft. Richten Sie den Befehl
          für jede Nacht ein und bewahren Sie das Geheimnis der Installation getrennt auf.
        </p>
      </section>
      <Jobs jobs={use.jobs} running={use.running} paused={paused} />
      <Processes processes={use.processes} />
      <FailedJobs failed={use.failed} retryable={use.retryable} />
      <Marketplaces marketplaces={use.marketplaces} />
      <Companies companies={use.companies} total={use.companiesTotal} />
      <Machine use={use} />
      {use.deleted.length > 0 && <DeletedCompanies deleted={use.deleted} />}
    </div>
  );
}

function Held({ hold }: { hold: NonNullable<Installation['hold']> }) {
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const release = async () => {
    setFailure(null);
    try {
      await call(api.releaseOutgoing);
      setConfirming(false);
      showSaved('Freigegeben: Kontor sendet wieder');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="angehalten">
      <h2 id="angehalten">Angehalten nach einer Wiederherstellung</h2>
      <p>
        Dieses System wurde am {formatTime(hold.restoredAt)} aus der Sicherung vom{' '}
        <strong>{formatTime(hold.backupAt)}</strong> wiederhergestellt. Preise, Bestände, Bestellmeldungen und
        Übertragungen gehen nicht hinaus, damit nichts Altes gesendet und nichts zweimal gemeldet wird.
      </p>
      <p>
        <Button onClick={() => setConfirming(true)}>Freigeben</Button>
      </p>
      <ConfirmDialog
        opened={confirming}
        question="Wieder senden?"
        confirm="Freigeben"
        onConfirm={release}
        onClose={() => {
          setConfirming(false);
          setFailure(null);
        }}
      >
        <div className="k-stack" style={{ gap: 8 }}>
          <ErrorNotice failure={failure} />
          <p>Was seit der Sicherung wartet, geht dann hinaus. Prüfen Sie vorher:</p>
          <ul className="k-list">
            <li>Das alte System läuft nicht mehr: Zwei würden einander überbieten.</li>
            <li>Die Kataloge sind neu importiert und die Bestellungen abgeglichen.</li>
            <li>Offene Bestellmeldungen stimmen noch; was inzwischen von Hand gemeldet wurde, ist abgebrochen.</li>
          </ul>
        </div>
      </ConfirmDialog>
    </section>
  );
}
