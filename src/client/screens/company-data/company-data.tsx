import { Button } from '@mantine/core';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type CompanyDeletion, DELETION_HOURS } from '#shared/operations/company-data.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { useMay, useSession } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { TypedConfirmDialog } from '#client/ui/typed-confirm-dialog.tsx';
import { useFailure } from '#client/use-failure.ts';
import { CompanyArchive } from './company-archive.tsx';

export const loader = (args: LoaderFunctionArgs) => asking(args)(api.companyData);

/** Exports all data of the company, and deletes the company. */
export default function CompanyData() {
  const { export: archive, deletion } = useLoaderData<typeof loader>();
  const session = useSession();
  const owner = session?.role === 'owner';
  return (
    <div className="k-stack" style={{ maxWidth: 960 }}>
      <PageHeader title="Firmendaten" lead="Alles mitnehmen, was hier gespeichert ist, oder alles löschen." />
      {deletion !== null && <Pending deletion={deletion} />}
      {!owner && deletion === null && (
        <p className="k-card">Firmendaten herunterladen und die Firma löschen kann nur der Inhaber.</p>
      )}
      {owner && <CompanyArchive archive={archive} />}
      {owner && deletion === null && <DeleteCompany name={session.company.name} />}
    </div>
  );
}

/** Shown to every member: the company will be deleted soon; administrators can stop that. */
function Pending({ deletion }: { deletion: CompanyDeletion }) {
  const [failure, setFailure] = useFailure();
  const [busy, setBusy] = useState(false);
  const mayKeep = useMay('admin');
  const { revalidate } = useRevalidator();
  const keep = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await call(api.keepCompany);
      showSaved('Die Firma bleibt');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="wird-geloescht">
      <h2 id="wird-geloescht">Diese Firma wird gelöscht</h2>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <p>
        Am <strong>{formatTime(deletion.dueAt)}</strong> werden alle Daten, Dateien und Benutzer dieser Firma endgültig
        gelöscht. Verlangt hat das {deletion.askedBy} am {formatTime(deletion.askedAt)}.
      </p>
      {mayKeep ? (
        <p>
          <Button loading={busy} onClick={() => void keep()}>
            Löschung widerrufen
          </Button>
        </p>
      ) : (
        <p>Widerrufen können das Inhaber und Administratoren.</p>
      )}
    </section>
  );
}

function DeleteCompany({ name }: { name: string }) {
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const remove = async (typed: string) => {
    setFailure(null);
    try {
      await call(api.deleteCompany, { body: { name: typed } });
      setConfirming(false);
      showSaved(`Die Firma wird in ${DELETION_HOURS} Stunden gelöscht`);
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="firma-loeschen">
      <h2 id="firma-loeschen">Firma löschen</h2>
      <p className="k-muted">
        Löscht alles: Kataloge, Exporte, Bestellungen mit Kundendaten, Preise mit ihrer Begründung, Dateien, Benutzer
        und API-Zugänge. {DELETION_HOURS} Stunden lang kann es widerrufen werden, alle Benutzer sehen es so lange.
      </p>
      <p>
        <Button variant="default" color="red.9" onClick={() => setConfirming(true)}>
          Firma löschen …
        </Button>
      </p>
      {/* The dialog may have been closed before the answer came. */}
      <ErrorNotice failure={confirming ? null : failure} onClose={() => setFailure(null)} />
      {confirming && (
        <TypedConfirmDialog
          question={`Die ganze Firma „${name}“ löschen?`}
          name={name}
          confirm="Firma löschen"
          onConfirm={remove}
          onClose={() => {
            setConfirming(false);
            setFailure(null);
          }}
        >
          <div className="k-stack" style={{ gap: 8 }}>
            <ErrorNotice failure={failure} />
            <ul className="k-list">
              <li>In {DELETION_HOURS} Stunden ist alles fort. Danach kann es niemand zurückholen.</li>
              <li>Bis dahin arbeitet Kontor weiter; Preise und Dateien gehen hinaus.</li>
              <li>In Sicherungen bleibt es, bis sie verfallen.</li>
              <li>Laden Sie vorher alle Daten herunter, wenn Sie sie noch brauchen: Belege sind aufzubewahren.</li>
            </ul>
          </div>
        </TypedConfirmDialog>
      )}
    </section>
  );
}
