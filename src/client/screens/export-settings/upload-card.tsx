import { Alert, Button, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { type UploadCheck, uploadProtocols, type UploadSettings } from '#shared/upload/schema.ts';
import { call, CallError } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { FormSave } from '#client/editor/form-save.tsx';
import classes from './export-settings.module.css';

type UploadCardProps = {
  id: string;
  settings: UploadSettings;
  passSet: boolean;
  mayEdit: boolean;
  onSaved: () => void;
};

/** FTP-01, FTP-02: where the finished file is put. Switched off, the fields are hidden and go out empty. */
export function UploadCard({ id, settings, passSet, mayEdit, onSaved }: UploadCardProps) {
  const [active, setActive] = useState(settings.active);
  const [fingerprint, setFingerprint] = useState(settings.fingerprint);
  const form = useRef<HTMLDivElement>(null);
  const { checked, busy, check } = useCheck(id);
  const connection = () => {
    const value = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '';
    return { host: value('host'), port: value('port') || '22', username: value('user'), password: value('pass') };
  };
  return (
    <section className="k-card k-stack" aria-labelledby="uebertragung">
      <h2 id="uebertragung">Übertragung per SFTP oder FTPS</h2>
      <p className="k-muted">
        Nach jedem angenommenen Lauf wird die Datei auf den Server des Kanals gelegt: unter vorläufigem Namen, geprüft,
        dann umbenannt. Ob SFTP oder FTPS, erkennt Kontor selbst.
      </p>
      <FormSave to={api.saveUpload} params={{ id }} label="Übertragung" mayEdit={mayEdit} onSaved={onSaved}>
        <Switch
          label="Datei automatisch übertragen"
          checked={active}
          onChange={({ currentTarget }) => setActive(currentTarget.checked)}
        />
        <input type="hidden" name="active" value={String(active)} />
        {active ? (
          <div ref={form} className={classes.grid}>
            <TextInput label="Host" required name="host" defaultValue={settings.host} spellCheck={false} />
            <NumberInput
              label="Port"
              required
              name="port"
              placeholder="22"
              hideControls
              min={1}
              max={65_535}
              defaultValue={settings.host === '' ? '' : settings.port}
            />
            <TextInput label="Benutzername" required name="user" autoComplete="off" defaultValue={settings.user} />
            <PasswordInput
              label="Passwort"
              required
              name="pass"
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Passwort zeigen' }}
              description={passSet ? 'Gespeichert. Leer lassen, um es zu behalten.' : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
            <TextInput
              label="Zielverzeichniss Server"
              required
              name="dir"
              placeholder="/eingang"
              defaultValue={settings.dir}
            />
            <TextInput
              label="Dateiname Server"
              required
              name="filename"
              placeholder="datei.csv"
              defaultValue={settings.filename}
            />
            <input type="hidden" name="fingerprint" value={fingerprint} />
          </div>
        ) : (
          ['host', 'port', 'user', 'pass', 'dir', 'filename'].map((name) => (
            <input key={name} type="hidden" name={name} value="" />
          ))
        )}
        {active && (
          <>
            <div>
              <Button
                variant="default"
                loading={busy}
                leftSection={<IconPlugConnected size={16} aria-hidden />}
                onClick={() => void check({ ...connection(), fingerprint })}
              >
                Verbindung prüfen
              </Button>
            </div>
            <CheckResult
              checked={checked}
              onConfirm={(shown) => {
                setFingerprint(shown);
                void check({ ...connection(), fingerprint: shown });
              }}
            />
          </>
        )}
      </FormSave>
    </section>
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
