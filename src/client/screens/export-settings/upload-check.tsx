import { Alert, Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '#shared/http/api.ts';
import {
  hostComplaint,
  type UploadCheck,
  type UploadCheckField,
  uploadCheckFields,
  uploadProtocols,
} from '#shared/upload/schema.ts';
import { call, CallError } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import type { UploadDraft } from './upload-document.ts';

type Connection = Pick<UploadDraft, 'host' | 'port' | 'user' | 'pass' | 'fingerprint'>;
export type UploadField = 'host' | 'port' | 'user' | 'pass' | 'dir' | 'filename';
type FieldErrors = Partial<Record<UploadField, string>>;
type Outcome = { answer: UploadCheck | null; errors: FieldErrors };

const formFields = { host: 'host', port: 'port', username: 'user', password: 'pass' } as const satisfies Record<
  UploadCheckField,
  UploadField
>;
const members = ['host', 'port', 'user', 'pass', 'fingerprint'] as const;
const connectionOf = (draft: Connection): string => JSON.stringify(members.map((member) => draft[member]));

/**
 * FTP-03: has the server test the connection. The result is shown until the connection is edited; a network failure is shown like
 * a failed connection.
 */
export function useCheck(id: string, draft: UploadDraft) {
  const [checked, setChecked] = useState<{ connection: string; outcome: Outcome } | null>(null);
  const [busy, setBusy] = useState(false);
  /** @returns whether the test could be sent; not without a host */
  const check = async (connection: Connection): Promise<boolean> => {
    const show = (outcome: Outcome) => setChecked({ connection: connectionOf(connection), outcome });
    const complaint = hostComplaint(connection.host);
    if (complaint !== undefined) {
      show({ answer: null, errors: { host: complaint } });
      return false;
    }
    setBusy(true);
    setChecked(null);
    try {
      show(await ask(id, connection));
    } finally {
      setBusy(false);
    }
    return true;
  };
  const outcome = checked !== null && checked.connection === connectionOf(draft) ? checked.outcome : null;
  return { answer: outcome?.answer ?? null, errors: outcome?.errors ?? {}, busy, check };
}

async function ask(id: string, { host, port, user, pass, fingerprint }: Connection): Promise<Outcome> {
  try {
    const body = { id, host, port: port || '22', username: user, password: pass, fingerprint };
    const answer = await call(api.checkUpload, { body });
    return { answer, errors: answer.field === null ? {} : { [formFields[answer.field]]: 'Bitte prüfen.' } };
  } catch (error) {
    logFailure('Fehler beim Laden', error);
    const callError = error instanceof CallError ? error : undefined;
    return { answer: failed(callError?.message ?? 'Der Server ist nicht erreichbar.'), errors: errorsOf(callError) };
  }
}

function errorsOf(error: CallError | undefined): FieldErrors {
  const errors: FieldErrors = {};
  for (const { field, message } of error?.fields ?? []) {
    const known = uploadCheckFields.find((name) => name === field);
    if (known !== undefined) errors[formFields[known]] = message;
  }
  return errors;
}

const failed = (error: string): UploadCheck => ({
  success: false,
  directories: [],
  error,
  protocol: null,
  fingerprint: '',
  field: null,
});

type CheckResultProps = {
  answer: UploadCheck | null;
  /** The folder in the form. */
  dir: string;
  onConfirm: (fingerprint: string) => void;
  onDirectory: (dir: string) => void;
};

/** The test result: folders to choose from, or what failed and what must be confirmed. */
export function CheckResult({ answer, dir, onConfirm, onDirectory }: CheckResultProps) {
  if (answer === null) return null;
  const { success, directories, error, protocol, fingerprint } = answer;
  if (success) {
    return (
      <Notice title="Die Verbindung steht" color="green">
        <div className="k-stack">
          <p>
            {protocol !== null && `${uploadProtocols[protocol].label}. `}
            {directories.length === 0
              ? 'Das Startverzeichnis enthält keine weiteren Verzeichnisse.'
              : 'Verzeichnisse auf dem Server; eines wählen heißt, es als „Zielverzeichniss Server“ zu übernehmen:'}
          </p>
          {directories.length > 0 && <Directories directories={directories} dir={dir} onDirectory={onDirectory} />}
          <UnlistedDirectory directories={directories} dir={dir} />
        </div>
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

/** Folders offered; another one can be typed. */
const OFFERED = 50;
const bare = (dir: string) => dir.trim().replaceAll(/^\/+|\/+$/g, '');

/**
 * The check signs in and lists the folders where the account starts: a misspelt one would fail only at the next upload, perhaps at
 * night. Only a hint, since an absolute path may begin elsewhere.
 */
function UnlistedDirectory({ directories, dir }: Pick<CheckResultProps, 'dir'> & { directories: readonly string[] }) {
  const [first = ''] = bare(dir).split('/');
  if (/^\.{0,2}$/.test(first) || directories.some((one) => bare(one) === first)) return null;
  return (
    <p>
      „{first}“ ist nicht darunter. Gibt es das Verzeichnis nicht, scheitert die Übertragung: bitte prüfen Sie die
      Schreibweise.
    </p>
  );
}

type DirectoriesProps = Pick<CheckResultProps, 'dir' | 'onDirectory'> & { directories: readonly string[] };

function Directories({ directories, dir, onDirectory }: DirectoriesProps) {
  const more = directories.length - OFFERED;
  return (
    <div className="k-row" role="group" aria-label="Verzeichnisse auf dem Server">
      {directories.slice(0, OFFERED).map((one) => (
        <Button
          key={one}
          size="xs"
          variant={bare(one) === bare(dir) ? 'filled' : 'default'}
          aria-pressed={bare(one) === bare(dir)}
          onClick={() => onDirectory(one)}
        >
          {one}
        </Button>
      ))}
      {more > 0 && <span className="k-muted">und {formatInteger(more)} weitere</span>}
    </div>
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
