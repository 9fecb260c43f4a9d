import { Button, SegmentedControl, TextInput } from '@mantine/core';
import IconChevronRight from 'virtual:icons/chevron-right';
import IconFileImport from 'virtual:icons/file-import';
import { type Ref, type SyntheticEvent, useState } from 'react';
import type { ImportOptions } from '#shared/import/schema.ts';
import type { ImportUpload } from '#shared/import/upload-calls.ts';
import type { Field } from '#shared/items/schema.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FileDrop } from '#client/ui/form/file-drop.tsx';
import { goToUnread } from '#client/ui/form/unread-field.ts';
import classes from './import.module.css';
import { OptionFields } from './option-fields.tsx';
import { SendingProgress } from './sending-progress.tsx';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { useImportStart } from './use-import-start.ts';

type SourceFormProps = {
  masterid: string;
  /** Maximum file sizes in bytes. */
  limits: { uploadBytes: number; fetchBytes: number };
  fields: readonly Field[];
  busy: boolean;
  /** Run id of the newest import if its file was read without a failure. */
  taken: string | null;
  /** Unfinished uploads that can be continued. */
  uploads: readonly ImportUpload[];
  onUploads: () => void;
  onStarted: (runid: string) => void;
  startButton: Ref<HTMLButtonElement>;
};

const accept = '.csv,.txt,.tsv,.json,.jsonl,.ndjson,.xml,.xlsx,.xls,.ods,.gz,.zip,.tar,.tgz';

/** Chooses a file or an address and how to read it. Input is kept, also after a failure. */
export function SourceForm(props: SourceFormProps) {
  const { masterid, limits, fields, busy, taken, uploads, onUploads, onStarted, startButton } = props;
  const [kind, setKind] = useState<'file' | 'url'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [url, setUrl] = useState('');
  const [options, setOptions] = useState<ImportOptions>({});
  const [started, setStarted] = useState<{ runid: string; file: File | null } | null>(null);
  const { sending, under, isStarting, stop, failure, setFailure, start } = useImportStart(masterid, {
    onStarted: (upload) => {
      setStarted(upload);
      onStarted(upload.runid);
    },
    onUploads,
  });
  const source = kind === 'url' ? (url.trim() === '' ? null : { url: url.trim() }) : file === null ? null : { file };

  const tooLarge = kind === 'file' && file !== null && file.size > limits.uploadBytes;

  // After a successful import the file is cleared, so that it is not sent again instead of the next one. After a failure it
  // stays, to be read with other options.
  if (started !== null && started.runid === taken) {
    setStarted(null);
    if (started.file === file) setFile(null);
  }

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (goToUnread(event.currentTarget)) return;
    if (source !== null && !tooLarge) void start(source, options);
  };
  const resume = (upload: ImportUpload, chosen: File) => {
    setKind('file');
    setFile(chosen);
    void start({ file: chosen }, upload.options, upload);
  };

  return (
    <form className="k-card k-stack" onSubmit={submit} aria-label="Quelle" data-own-undo>
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
          hint={`CSV, Excel (.xlsx, .xls), OpenDocument (.ods), XML, JSON oder JSON Lines, auch als .gz, .zip oder .tar; bis ${sizeText(limits.uploadBytes)}, auch entpackt`}
        />
      ) : (
        <TextInput
          type="url"
          label="Adresse der Datei"
          description={`Kontor ruft die Datei von dort ab, bis ${sizeText(limits.fetchBytes)}. Nur http und https; auch Links zum Teilen von Google Tabellen, Google Drive, Dropbox, SharePoint und Nextcloud.`}
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
      {sending !== null && kind === 'file' && <SendingProgress sending={sending} />}
      <div className="k-row">
        <Button
          ref={startButton}
          type="submit"
          leftSection={<IconFileImport size={16} aria-hidden />}
          disabled={source === null || tooLarge || busy}
          loading={isStarting}
        >
          Import starten
        </Button>
        {isStarting && (
          <Button variant="default" onClick={stop}>
            Abbrechen
          </Button>
        )}
        {busy && (
          <span className="k-muted k-small">Es läuft schon ein Import; danach können Sie den nächsten starten.</span>
        )}
      </div>
      <UnfinishedUploads
        uploads={uploads.filter(({ id }) => id !== under)}
        busy={busy || isStarting}
        onResume={resume}
        onDiscarded={onUploads}
      />
    </form>
  );
}
