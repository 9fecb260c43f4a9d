import { Alert, Button, TextInput } from '@mantine/core';
import IconHandStop from 'virtual:icons/hand-stop';
import { type SyntheticEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, type FailureText, failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure } from '#client/ui/notices.tsx';
import { useGone } from '#client/ui/use-gone.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { RunDifferenceView } from './run-difference.tsx';

type ReleaseNoticeProps = {
  run: Run;
  /** Whether no run has started since; later ones that failed or were discarded do not replace it. */
  newest: boolean;
  mayRelease: boolean;
  /** The notice stays busy until it resolves. */
  onChange: (run: Run) => Promise<void>;
  /** Loads the page again: the run no longer waits. */
  onRefused: () => Promise<void>;
};

/** DIF-03: a held-back run must be released with a reason, or discarded. */
export function ReleaseNotice({ run, newest, mayRelease, onChange, onRefused }: ReleaseNoticeProps) {
  const [reason, setReason] = useState('');
  const [discarding, setDiscarding] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isGone = useGone();
  const { runid, difference, message } = run;

  const act = async (text: FailureText, action: () => Promise<Run>) => {
    setBusy(true);
    setFailure(null);
    try {
      await onChange(await action());
    } catch (error) {
      const failed = failureOf(text, error);
      // The decision or the newer state that it is refused for takes this notice away as soon as the page has loaded it.
      if (isGone() || failed.status === 409) showFailure(failed);
      else setFailure(failed);
      if (failed.status === 409) await onRefused();
    } finally {
      setBusy(false);
    }
  };
  const release = (event: SyntheticEvent) => {
    event.preventDefault();
    void act('Fehler beim Speichern', () => call(api.releaseRun, { params: { runid }, body: { reason } }));
  };
  return (
    <Alert
      variant="outline"
      title={mayRelease ? 'Dieser Stand wartet auf Ihre Freigabe' : 'Dieser Stand wartet auf Freigabe'}
      icon={<IconHandStop aria-hidden />}
      styles={{
        root: { background: 'var(--k-surface)', borderColor: 'var(--k-field-border)' },
        title: { color: 'var(--k-text)' },
        icon: { color: 'var(--k-text)' },
        message: { color: 'var(--k-text)' },
      }}
    >
      <form className="k-stack" style={{ gap: 12 }} onSubmit={release}>
        <p>{message}</p>
        {!newest && (
          <p>
            Angehalten wurde er am {formatTime(run.finishedAt ?? run.createdAt)}. Die Läufe danach brachten keinen
            neueren Stand, deshalb können Sie noch über ihn entscheiden.
          </p>
        )}
        {difference !== null && <RunDifferenceView runid={runid} />}
        <ErrorNotice failure={failure} />
        {!mayRelease && (
          <p className="k-muted">Freigeben oder verwerfen kann ihn nur, wer Importe und Exporte starten darf.</p>
        )}
        {mayRelease && (
          <>
            <TextInput
              label="Begründung"
              required
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <div className="k-row">
              <Button type="submit" loading={busy} disabled={reason.trim() === ''}>
                Trotzdem freigeben
              </Button>
              <Button variant="default" disabled={busy} onClick={() => setDiscarding(true)}>
                Verwerfen
              </Button>
            </div>
          </>
        )}
      </form>
      <ConfirmDialog
        opened={discarding}
        question="Diesen Stand verwerfen?"
        confirm="Verwerfen"
        danger
        onClose={() => setDiscarding(false)}
        onConfirm={async () => {
          await act('Fehler beim Abbrechen', () => call(api.cancelRun, { params: { runid } }));
          setDiscarding(false);
        }}
      >
        <p>
          Der bisherige Stand gilt weiter. Freigeben lässt sich der verworfene danach nicht mehr
          {reason.trim() === '' ? '.' : '; auch Ihre Begründung wird nicht gespeichert.'}
        </p>
      </ConfirmDialog>
    </Alert>
  );
}
