import { useState } from 'react';
import type { ImportOptions } from '#shared/import/schema.ts';
import type { ImportUpload } from '#shared/import/upload-calls.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { usesChunks, isSameFile, type Sending, uploadInChunks } from '#client/sending/pieces.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { useGone } from '#client/ui/use-gone.ts';
import { type ImportSource, startImport } from '#client/sending/upload.ts';

type Started = { runid: string; file: File | null };
type Hooks = {
  onStarted: (started: Started) => void;
  /** Called when the unfinished uploads may have changed. */
  onUploads: () => void;
};

/** Starts imports, with their progress and failures. */
export function useImportStart(masterid: string, { onStarted, onUploads }: Hooks) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** The unfinished upload being continued now. */
  const [under, setUnder] = useState<string | null>(null);
  const isGone = useGone();
  /** Sending goes on while the user is on another page: there a failure is a notice. */
  const fail = (failed: Failure) => (isGone() ? showFailure(failed) : setFailure(failed));

  const send = (
    source: ImportSource,
    options: ImportOptions,
    { upload, onUpload, signal }: Pick<Parameters<typeof uploadInChunks>[1], 'upload' | 'onUpload' | 'signal'>,
  ) => {
    if ('file' in source && (upload !== undefined || usesChunks(source.file)))
      return uploadInChunks(masterid, { file: source.file, options, upload, onUpload, onProgress: setSending, signal });
    const size = 'file' in source ? source.file.size : 0;
    const onProgress = (share: number) => setSending({ sent: share * size, size, speed: null, waiting: null });
    return startImport(masterid, { source, options, onProgress, signal });
  };

  const start = async (source: ImportSource, options: ImportOptions, upload?: ImportUpload) => {
    const abort = new AbortController();
    const file = 'file' in source ? source.file : null;
    setStop(abort);
    setSending({ sent: upload?.received ?? 0, size: file?.size ?? 0, speed: null, waiting: null });
    setFailure(null);
    let inPieces = false;
    const onUpload = ({ id }: ImportUpload) => {
      inPieces = true;
      setUnder(id);
    };
    try {
      if (upload !== undefined && !isSecureContext) {
        setFailure(withoutEncryption);
        return;
      }
      if (upload !== undefined && file !== null && !(await isSameFile(file, upload))) {
        setFailure(otherFile(upload));
        return;
      }
      const runid = await send(source, options, { upload, onUpload, signal: abort.signal });
      onStarted({ runid, file });
    } catch (error) {
      if (!abort.signal.aborted)
        fail(failureOf(file === null ? 'Fehler beim Starten' : 'Fehler beim Hochladen', error));
    } finally {
      setStop(null);
      setSending(null);
      setUnder(null);
      // Offline no request is possible, and the failure is already shown.
      if (inPieces && navigator.onLine) onUploads();
    }
  };

  return { sending, under, isStarting: stop !== null, stop: () => stop?.abort(), failure, setFailure, start };
}

const withoutEncryption: Failure = {
  title: 'Fortsetzen geht nur über https',
  message:
    'Diese Seite wurde ohne Verschlüsselung geöffnet; der Browser kann so keine Prüfsummen bilden. Bitte öffnen Sie Kontor über https, oder starten Sie den Import neu: die Datei wird dann in einem Stück gesendet.',
  requestId: '',
};
const otherFile = ({ name }: ImportUpload): Failure => ({
  title: 'Das ist nicht dieselbe Datei',
  message: `Von „${name}“ ist ein Teil schon angekommen; die gewählte Datei hat einen anderen Namen, eine andere Größe, eine andere letzte Änderung oder einen anderen Anfang. Bitte wählen Sie dieselbe Datei, oder verwerfen Sie die angefangene Übertragung und starten Sie den Import neu.`,
  requestId: '',
});
