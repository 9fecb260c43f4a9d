import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconChevronRight, IconFileImport } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import type { ImportOptions } from '#shared/import/schema.ts';
import type { Field } from '#shared/items/schema.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FileDrop } from '#client/ui/form/file-drop.tsx';
import { formatPercent } from '#client/ui/text/formats.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { startImport } from '#client/upload.ts';
import classes from './import.module.css';
import { OptionFields } from './option-fields.tsx';

type SourceFormProps = {
  masterid: string;
  /** How large a file may be. */
  limits: { uploadBytes: number; fetchBytes: number };
  fields: readonly Field[];
  busy: boolean;
  /** The import whose file was read without a failure, if it is the newest. */
  taken: string | null;
  onStarted: (runid: string) => void;
};

const accept = '.csv,.txt,.tsv,.json,.jsonl,.ndjson,.xml,.xlsx,.xls,.ods,.gz,.zip';

/** Chooses a file or an address and how to read it. What was typed stays, also after a failure. */
export function SourceForm({ masterid, limits, fields, busy, taken, onStarted }: SourceFormProps) {
  const [kind, setKind] = useState<'file' | 'url'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [url, setUrl] = useState('');
  const [options, setOptions] = useState<ImportOptions>({});
  const [sent, setSent] = useState<number | null>(null);
  const [started, setStarted] = useState<{ runid: string; file: File | null } | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const source = kind === 'url' ? (url.trim() === '' ? null : { url: url.trim() }) : file === null ? null : { file };

  const tooLarge = kind === 'file' && file !== null && file.size > limits.uploadBytes;

  // Its items are there: whoever brings the next file must not send this one again. One that failed can be read otherwise.
  if (started !== null && started.runid === taken) {
    setStarted(null);
    if (started.file === file) setFile(null);
  }

  const start = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (source === null || tooLarge) return;
    const abort = new AbortController();
    setStop(abort);
    setSent(0);
    setFailure(null);
    try {
      const runid = await startImport(masterid, { source, options, onProgress: setSent, signal: abort.signal });
      setStarted({ runid, file });
      onStarted(runid);
    } catch (error) {
      if (!abort.signal.aborted)
        setFailure(failureOf(kind === 'file' ? 'Fehler beim Hochladen' : 'Fehler beim Starten', error));
    } finally {
      setStop(null);
      setSent(null);
    }
  };

  return (
    <form className="k-card k-stack" onSubmit={(event) => void start(event)} aria-label="Quelle" data-own-undo>
      <div className="k-between">
        <h2>Quelle</h2>
        <SegmentedControl
          aria-label="Art der Quelle"
          value={kind}
          onChange={(value) => setKind(value === 'url' ? 'url' : 'file')}
          data={[
            { value: 'file', label: 'Datei' },
            { value: 'url', label: 'Adresse' },
          ]}
        />
      </div>
      {kind === 'file' ? (
        <FileDrop
          file={file}
          onFile={setFile}
          accept={accept}
          hint={`CSV, Excel (XLSX), XML, JSON oder JSON Lines, auch als .gz oder .zip; bis ${sizeText(limits.uploadBytes)}, auch entpackt`}
        />
      ) : (
        <TextInput
          type="url"
          label="Adresse der Datei"
          description={`Kontor ruft die Datei von dort ab, bis ${sizeText(limits.fetchBytes)}. Nur http und https; auch Links zum Teilen von Google Tabellen, Google Drive, Dropbox und SharePoint.`}
          placeholder="https://shop.example/artikel.csv"
          value={url}
          maxLength={2000}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      )}
      {tooLarge && (
        <p role="alert">
          Die Datei ist größer als {sizeText(limits.uploadBytes)} und wird so nicht angenommen. Bitte teilen Sie sie,
          lassen Sie Felder weg, die Sie nicht brauchen, oder bitten Sie den Betreiber um eine höhere Grenze.
        </p>
      )}
      <details className={classes.advanced}>
        <summary>
          <IconChevronRight size={16} aria-hidden className={classes.chevron} />
          Erweitert: Format selbst festlegen
        </summary>
        <OptionFields options={options} onChange={setOptions} fields={fields} />
      </details>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {sent !== null && kind === 'file' && (
        <ProgressBar label="Datei wird hochgeladen" done={sent} total={1} words={formatPercent(sent)} />
      )}
      <div className="k-row">
        <Button
          type="submit"
          leftSection={<IconFileImport size={16} aria-hidden />}
          disabled={source === null || tooLarge || busy}
          loading={stop !== null}
        >
          Import starten
        </Button>
        {stop !== null && (
          <Button variant="default" onClick={() => stop.abort()}>
            Abbrechen
          </Button>
        )}
        {busy && (
          <span className="k-muted k-small">Es läuft schon ein Import; danach können Sie den nächsten starten.</span>
        )}
      </div>
    </form>
  );
}
