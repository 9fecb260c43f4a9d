import { Alert, Button, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { type UploadCheck, uploadProtocols, type UploadSettings } from '#shared/upload/schema.ts';
import { call, CallError } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { DocumentForm } from '#client/editor/document-form.tsx';
import classes from './export-settings.module.css';
import { draftOf, type UploadDraft, uploadShape, useUploadDocument } from './upload-document.ts';

type UploadCardProps = {
  id: string;
  loaded: { settings: UploadSettings; revision: number; passSet: boolean };
  mayEdit: boolean;
  onSaved: () => void;
};

/** FTP-01, FTP-02: where the finished file is put. Switched off, the fields are hidden. */
export function UploadCard({ id, loaded: { settings, revision, passSet }, mayEdit, onSaved }: UploadCardProps) {
  const document = useMemo(() => draftOf(settings), [settings]);
  const editor = useUploadDocument(id, { document, revision }, onSaved);
  const { draft } = editor;
  const set = (part: Partial<UploadDraft>) => editor.edit((now) => ({ ...now, ...part }), null);
  const { checked, busy, check } = useCheck(id);
  const { host, port, user: username, pass: password, fingerprint } = draft;
  const connection = { host, port: port || '22', username, password };
  return (
    <section className="k-card k-stack" aria-labelledby="uebertragung">
      <h2 id="uebertragung">Übertragung per SFTP oder FTPS</h2>
      <p className="k-muted">
        Nach jedem angenommenen Lauf wird die Datei auf den Server des Kanals gelegt: unter vorläufigem Namen, geprüft,
        dann umbenannt. Ob SFTP oder FTPS, erkennt Kontor selbst.
      </p>
      <DocumentForm editor={editor} shape={uploadShape} label="Übertragung" mayEdit={mayEdit}>
        <Switch
          label="Datei automatisch übertragen"
          checked={draft.active}
          onChange={({ currentTarget }) => set({ active: currentTarget.checked })}
        />
        {draft.active && (
          <>
            <UploadFields draft={draft} kept={passSet ? settings : null} onChange={set} />
            <div>
              <Button
                variant="default"
                loading={busy}
                leftSection={<IconPlugConnected size={16} aria-hidden />}
                onClick={() => void check({ ...connection, fingerprint })}
              >
                Verbindung prüfen
              </Button>
            </div>
            <CheckResult
              checked={checked}
              onConfirm={(shown) => {
                set({ fingerprint: shown });
                void check({ ...connection, fingerprint: shown });
              }}
            />
          </>
        )}
      </DocumentForm>
    </section>
  );
}

type UploadFieldsProps = {
  draft: UploadDraft;
  /** Whom the stored password is for; null: there is none. */
  kept: UploadSettings | null;
  onChange: (part: Partial<UploadDraft>) => void;
};

function UploadFields({ draft, kept, onChange }: UploadFieldsProps) {
  const moved =
    kept !== null &&
    (draft.host.trim() !== kept.host || Number(draft.port || '22') !== kept.port || draft.user.trim() !== kept.user);
  const text = (member: 'host' | 'user' | 'dir' | 'filename') => ({
    required: true,
    name: member,
    value: draft[member],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [member]: currentTarget.value }),
  });
  return (
    <div className={classes.grid}>
      <TextInput label="Host" spellCheck={false} {...text('host')} />
      <NumberInput
        label="Port"
        required
        name="port"
        placeholder="22"
        hideControls
        min={1}
        max={65_535}
        value={draft.port}
        onChange={(port) => onChange({ port: String(port) })}
      />
      <TextInput label="Benutzername" autoComplete="off" {...text('user')} />
      <PasswordInput
        label="Passwort"
        required
        name="pass"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Passwort zeigen' }}
        description={kept !== null && !moved ? 'Gespeichert. Leer lassen, um es zu behalten.' : undefined}
        error={
          moved && draft.pass === ''
            ? 'Bitte neu eingeben: Das gespeicherte gilt für einen anderen Server oder Benutzer.'
            : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.pass}
        onChange={({ currentTarget }) => onChange({ pass: currentTarget.value })}
      />
      <TextInput label="Zielverzeichniss Server" placeholder="/eingang" {...text('dir')} />
      <TextInput label="Dateiname Server" placeholder="datei.csv" {...text('filename')} />
    </div>
  );
}

type Connection = { host: string; port: string; username: string; password: string; fingerprint: string };

/** FTP-03: asks the server; a lost network is told like a failure of the connection. */
function useCheck(id: string) {
  const [checked, setChecked] = useState<UploadCheck | null>(null);
  const [busy, setBusy] = useState(false);
  const check = async (body: Connection) => {
    setBusy(true);
    setChecked(null);
    try {
      setChecked(await call(api.checkUpload, { body: { ...body, id } }));
    } catch (error) {
      logFailure('Fehler beim Laden', error);
      const message = error instanceof CallError ? error.message : 'Der Server ist nicht erreichbar.';
      setChecked({ success: false, directories: [], error: message, protocol: null, fingerprint: '' });
    } finally {
      setBusy(false);
    }
  };
  return { checked, busy, check };
}

function CheckResult({
  checked,
  onConfirm,
}: {
  checked: UploadCheck | null;
  onConfirm: (fingerprint: string) => void;
}) {
  if (checked === null) return null;
  const { success, directories, error, protocol, fingerprint } = checked;
  if (success) {
    return (
      <Notice title="Die Verbindung steht" color="green">
        <p>
          {protocol !== null && `${uploadProtocols[protocol].label}. `}
          {directories.length === 0
            ? 'Das Startverzeichnis enthält keine weiteren Verzeichnisse.'
            : `Verzeichnisse: ${directories.join(', ')}`}
        </p>
      </Notice>
    );
  }
  return (
    <Notice title={`Verbindungsfehler: ${error}`} color="yellow">
      {fingerprint !== '' && (
        <div className="k-stack">
          <p>
            Fingerabdruck: <code style={{ overflowWrap: 'anywhere' }}>{fingerprint}</code>
          </p>
          <div>
            <Button size="xs" variant="default" onClick={() => onConfirm(fingerprint)}>
              Fingerabdruck bestätigen und erneut prüfen
            </Button>
          </div>
        </div>
      )}
    </Notice>
  );
}

function Notice({ title, color, children }: { title: string; color: string; children: ReactNode }) {
  return (
    <Alert
      role="alert"
      variant="outline"
      color={color}
      title={title}
      styles={{
        title: { color: 'var(--k-text)' },
        message: { color: 'var(--k-text)' },
        root: { background: 'var(--k-surface)' },
      }}
    >
      {children}
    </Alert>
  );
}
