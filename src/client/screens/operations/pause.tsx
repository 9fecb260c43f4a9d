import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Installation } from '#shared/operations/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';

/** Pauses the start of jobs, before an update or a repair, and resumes it. `running`: the number still running. */
export function Pause({ paused, running }: Pick<Installation, 'paused'> & { running: number }) {
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const set = async (pauses: boolean) => {
    setFailure(null);
    try {
      await call(api.pauseJobs, { body: { paused: pauses } });
      setConfirming(false);
      showSaved(pauses ? 'Angehalten: kein neuer Lauf beginnt' : 'Läufe beginnen wieder');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  if (paused !== null)
    return (
      <>
        <ErrorNotice failure={failure} />
        <p>
          <strong>Angehalten</strong> seit {formatTime(paused.since)} von {paused.by}. Neue Läufe warten;{' '}
          {running === 0 ? 'keiner läuft mehr.' : 'was noch läuft, kommt zu seinem Ende.'}
        </p>
        <p>
          <Button onClick={() => void set(false)}>Wieder beginnen</Button>
        </p>
      </>
    );
  return (
    <p>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Läufe anhalten …
      </Button>
      <ConfirmDialog
        opened={confirming}
        question="Keine neuen Läufe beginnen?"
        confirm="Anhalten"
        onConfirm={() => set(true)}
        onClose={() => {
          setConfirming(false);
          setFailure(null);
        }}
      >
        <ErrorNotice failure={failure} />
        <p>
          Das gilt für alle Firmen und alle Prozesse: Importe, Exporte, Übertragungen und E-Mails warten, bis Sie sie
          wieder beginnen lassen. Was läuft, kommt zu seinem Ende. Abruf-Adressen, Seiten, Preise und Bestellungen gehen
          weiter.
        </p>
      </ConfirmDialog>
    </p>
  );
}
