import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ImportUpload } from '#shared/import/upload-calls.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatBytes, formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';

type UnfinishedUploadsProps = {
  uploads: readonly ImportUpload[];
  /** Another file is being sent or imported; unfinished uploads wait. */
  busy: boolean;
  onResume: (upload: ImportUpload, file: File) => void;
  onDiscarded: () => void;
};

/** Files that were uploaded in part, because the connection broke or the page was closed. */
export function UnfinishedUploads({ uploads, busy, onResume, onDiscarded }: UnfinishedUploadsProps) {
  const input = useRef<HTMLInputElement>(null);
  const [resumed, setResumed] = useState<ImportUpload | null>(null);
  const [doomed, setDoomed] = useState<ImportUpload | null>(null);
  const [failure, setFailure] = useFailure();
  if (uploads.length === 0) return null;

  const choose = (upload: ImportUpload) => {
    setResumed(upload);
    if (input.current === null) return;
    // Otherwise the same file could not be chosen again.
    input.current.value = '';
    input.current.click();
  };
  const discard = async () => {
    if (doomed === null) return;
    setFailure(null);
    try {
      await call(api.discardImportUpload, { params: { uploadid: doomed.id } });
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
    setDoomed(null);
    onDiscarded();
  };

  return (
    <section className="k-stack" aria-label="Angefangene Übertragungen">
      <h3>Angefangene Übertragungen</h3>
      <input
        ref={input}
        type="file"
        className="k-hidden"
        tabIndex={-1}
        aria-label="Datei zum Fortsetzen"
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0];
          if (resumed !== null && file !== undefined) onResume(resumed, file);
        }}
      />
      {uploads.map((upload) => (
        <div key={upload.id} className="k-between">
          <p>
            <strong>{upload.name}</strong>: {formatBytes(upload.received)} von {formatBytes(upload.size)} sind
            angekommen. Wählen Sie die Datei noch einmal, um fortzufahren.{' '}
            <span className="k-muted k-small">
              Begonnen von {upload.by}, zuletzt kam etwas am {formatTime(upload.changedAt)}; das Angekommene bleibt
              mindestens bis {formatTime(upload.until)}.
            </span>
          </p>
          <div className="k-row">
            <Button size="xs" disabled={busy} onClick={() => choose(upload)} aria-label={`„${upload.name}“ fortsetzen`}>
              Fortsetzen
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => setDoomed(upload)}
              aria-label={`„${upload.name}“ verwerfen`}
            >
              Verwerfen
            </Button>
          </div>
        </div>
      ))}
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <ConfirmDialog
        opened={doomed !== null}
        question="Angefangene Übertragung wirklich verwerfen?"
        confirm="Verwerfen"
        danger
        onConfirm={discard}
        onClose={() => setDoomed(null)}
      >
        Was von „{doomed?.name}“ angekommen ist, wird gelöscht; der bisherige Stand des Katalogs bleibt.
      </ConfirmDialog>
    </section>
  );
}
