import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import IconPlugConnected from 'virtual:icons/plug-connected';
import { type RefObject, useMemo, useRef } from 'react';
import type { UploadSettings } from '#shared/upload/schema.ts';
import { fieldError } from '#client/failure.ts';
import { BoundedNumberInput } from '#client/ui/form/bounded-number-input.tsx';
import { uploadSettingsId } from '#client/fields/runs/upload-failed.tsx';
import { DocumentForm } from '#client/editor/document-form.tsx';
import classes from './export-settings.module.css';
import { type SignIn, storedSignIn } from './stored-sign-in.ts';
import { CheckResult, type UploadField, useCheck } from './upload-check.tsx';
import { draftOf, isMoved, type UploadDraft, uploadShape, useUploadDocument } from './upload-document.ts';

type UploadCardProps = {
  id: string;
  loaded: { settings: UploadSettings; revision: number; passSet: boolean };
  mayEdit: boolean;
  onSaved: () => void;
};

/** FTP-01, FTP-02: where the finished file is uploaded. Switched off, the fields are hidden. */
export function UploadCard({ id, loaded: { settings, revision, passSet }, mayEdit, onSaved }: UploadCardProps) {
  const document = useMemo(() => draftOf(settings), [settings]);
  const editor = useUploadDocument(id, { document, revision, settings, passSet }, onSaved);
  const signIn = storedSignIn({ revision, settings, passSet }, editor);
  const { draft } = editor;
  const set = (part: Partial<UploadDraft>) => editor.edit((now) => ({ ...now, ...part }), null);
  const { answer, errors, busy, check } = useCheck(id, draft);
  const hostInput = useRef<HTMLInputElement>(null);
  const onCheck = async () => {
    if (!(await check(draft))) hostInput.current?.focus();
  };
  return (
    <section className="k-card k-stack" aria-labelledby={uploadSettingsId}>
      <h2 id={uploadSettingsId}>Übertragung per SFTP oder FTPS</h2>
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
            <UploadFields
              draft={draft}
              stored={signIn}
              hostInput={hostInput}
              errorOf={(field) => errors[field] ?? fieldError(editor.error, field)}
              onChange={set}
            />
            <div>
              <Button
                variant="default"
                loading={busy}
                leftSection={<IconPlugConnected size={16} aria-hidden />}
                onClick={() => void onCheck()}
              >
                Verbindung prüfen
              </Button>
            </div>
            <CheckResult
              answer={answer}
              dir={draft.dir}
              onConfirm={(fingerprint) => {
                set({ fingerprint });
                void check({ ...draft, fingerprint });
              }}
              onDirectory={(dir) => set({ dir })}
            />
          </>
        )}
      </DocumentForm>
    </section>
  );
}

type UploadFieldsProps = {
  draft: UploadDraft;
  /** The server and user that the stored password belongs to; null: there is none. */
  stored: SignIn | null;
  hostInput: RefObject<HTMLInputElement | null>;
  errorOf: (field: UploadField) => string | undefined;
  onChange: (part: Partial<UploadDraft>) => void;
};

function UploadFields({ draft, stored, hostInput, errorOf, onChange }: UploadFieldsProps) {
  const moved = stored !== null && isMoved(draft, stored);
  const text = (member: 'host' | 'user' | 'dir' | 'filename') => ({
    required: true,
    name: member,
    value: draft[member],
    error: errorOf(member),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [member]: currentTarget.value }),
  });
  return (
    <div className={classes.grid}>
      <TextInput label="Host" ref={hostInput} spellCheck={false} {...text('host')} />
      <BoundedNumberInput
        label="Port"
        required
        name="port"
        placeholder="22"
        hideControls
        min={1}
        max={65_535}
        value={draft.port === '' ? null : Number(draft.port)}
        error={errorOf('port')}
        onChange={(port) => onChange({ port: String(port) })}
        onEmpty={() => onChange({ port: '' })}
      />
      <TextInput label="Benutzername" autoComplete="off" {...text('user')} />
      <PasswordInput
        label="Passwort"
        required
        name="pass"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Passwort zeigen' }}
        description={stored !== null && !moved ? 'Gespeichert. Leer lassen, um es zu behalten.' : undefined}
        error={
          moved && draft.pass === ''
            ? 'Bitte neu eingeben: Das gespeicherte gilt für einen anderen Server oder Benutzer.'
            : errorOf('pass')
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
