import { api } from '#shared/http/api.ts';
import { keepsEmptyDir, missingFields, UploadSettings } from '#shared/upload/schema.ts';
import { callForm, CallError, formTimeout } from '#client/call.ts';
import { fieldsShape } from '#client/editor/document-shape.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { type SignIn, storedSignIn } from './stored-sign-in.ts';

/** The upload settings as typed: a port may be missing, and an empty password keeps the stored one. */
export type UploadDraft = Omit<UploadSettings, 'port'> & { port: string; pass: string };

export const draftOf = ({ port, ...settings }: UploadSettings): UploadDraft => ({
  ...settings,
  port: settings.host === '' ? '' : String(port),
  pass: '',
});

export const uploadShape = fieldsShape<UploadDraft>({
  labels: {
    active: 'Datei automatisch übertragen',
    host: 'Host',
    port: 'Port',
    user: 'Benutzername',
    pass: 'Passwort',
    dir: 'Zielverzeichnis',
    filename: 'Dateiname',
    fingerprint: 'Fingerabdruck des Servers',
  },
  words: (path, value) => (path === 'pass' ? (value === '' ? 'wie gespeichert' : 'neu eingegeben') : undefined),
  withoutSecrets: (state) => ({ ...state, pass: '' }),
});

/** FTP-02: switched off, the fields are sent empty, and the stored values stay. */
export function uploadForm(draft: UploadDraft): FormData {
  const { active, ...fields } = draft;
  const body = new FormData();
  body.set('active', String(active));
  for (const [name, value] of Object.entries(fields)) {
    if (active || name !== 'fingerprint') body.set(name, active ? value : '');
  }
  return body;
}

/** Predicts what the server stores of a form that is switched on. */
const keptOf = ({ host, port, user, dir, filename, ...draft }: UploadDraft): UploadDraft => ({
  ...draft,
  host: host.trim(),
  port: port === '' ? '22' : port,
  user: user.trim(),
  dir: dir.trim(),
  filename: filename.trim(),
  pass: '',
});

/** Whether the form names another server or user than the settings for which a password is stored. */
export const isMoved = (draft: UploadDraft, settings: SignIn): boolean =>
  draft.host.trim() !== settings.host ||
  Number(draft.port || '22') !== settings.port ||
  draft.user.trim() !== settings.user;

/** Refuses an incomplete form before the server asks for the user's own password. @throws CallError at the empty fields */
function checkComplete(draft: UploadDraft, settings: UploadSettings, signIn: SignIn | null): void {
  if (!draft.active) return;
  const pass = signIn !== null && !isMoved(draft, signIn);
  const fields = missingFields(draft, { pass, dir: keepsEmptyDir(settings) });
  if (fields.length === 0) return;
  const message = fields.map((field) => field.message).join(' ');
  throw new CallError(422, { code: 'invalid', message, fields, requestId: '' });
}

type Loaded = { document: UploadDraft; revision: number; settings: UploadSettings; passSet: boolean };

/** The upload settings of an export as a form. */
export function useUploadDocument(id: string, loaded: Loaded, onSaved: () => void) {
  return useDocument<UploadDraft>({
    loaded,
    shape: uploadShape,
    timeout: formTimeout,
    send: async (draft, { revision: ifMatch, signal, stored }) => {
      checkComplete(draft, loaded.settings, storedSignIn(loaded, { revision: ifMatch, stored }));
      const saved = await callForm(api.saveUpload, { params: { id }, body: uploadForm(draft), ifMatch, signal });
      return { ...saved, stored: draft.active ? keptOf(draft) : { ...stored, active: false } };
    },
    newest: () =>
      newestRevision({ subject: 'upload', scope: `export:${id}` }, (content) =>
        draftOf(UploadSettings.parse(content ?? {})),
      ),
    onSaved: () => {
      showSaved('Gespeichert');
      onSaved();
    },
  });
}
