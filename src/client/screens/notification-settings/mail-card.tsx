import { Button, Switch } from '@mantine/core';
import IconSend from 'virtual:icons/send';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { MailState, Trial } from '#shared/notifications/schema.ts';
import { call } from '#client/call.ts';
import { failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { DocumentFields } from '#client/editor/document-fields.tsx';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { useDocument } from '#client/editor/use-document.ts';
import { EventChoices } from './event-choices.tsx';
import { MailFields } from './mail-fields.tsx';
import { type MailForm, mailShape, toForm, toSave } from './mail-form.ts';
import { TrialNotice } from '#client/fields/trial-notice.tsx';
import { useFormFailure } from '#client/use-failure.ts';

/** The company's e-mail: its server, recipients, and events. */
export function MailCard({ state }: { state: MailState }) {
  const editor = useMail(state);
  const { draft: form, edit } = editor;
  const set = (changed: Partial<MailForm>) => edit((now) => ({ ...now, ...changed }), null);
  const trial = useTrial();
  const failure = editor.failure ?? trial.failed?.failure ?? null;
  const error = editor.error ?? trial.failed?.error;
  const closeFailure = () => {
    editor.closeFailure();
    trial.forget();
  };
  const save = () => {
    trial.forget();
    void editor.save();
  };

  return (
    <DocumentFields editor={editor}>
      <section className="k-card k-stack" aria-labelledby="email">
        <h2 id="email">E-Mail</h2>
        <ErrorNotice failure={failure} onClose={closeFailure} />
        <Switch
          label="Benachrichtigungen auch per E-Mail senden"
          checked={form.active}
          onChange={({ currentTarget }) => set({ active: currentTarget.checked })}
        />
        {form.active && (
          <>
            <MailFields
              form={form}
              passwordSet={state.passwordSet}
              onChange={set}
              errorOf={(field) => fieldError(error, field)}
            />
            <div>
              <Button
                variant="default"
                loading={trial.busy}
                leftSection={<IconSend size={16} aria-hidden />}
                onClick={() => {
                  editor.closeFailure();
                  void trial.start(form);
                }}
              >
                Testmail senden
              </Button>
            </div>
            <TrialNotice
              trial={trial.answer}
              success="Die Testmail ist angenommen und auf dem Weg an alle Empfänger."
            />
            <EventChoices form={form} onChange={set} />
          </>
        )}
        <SaveBar
          dirty={editor.dirty}
          count={editor.changes}
          busy={editor.busy}
          onSave={save}
          onDiscard={() => editor.discard(null)}
        />
        <DocumentGuard
          editor={editor}
          shape={mailShape}
          onResolve={(resolution) => void editor.resolve(resolution, null)}
        />
      </section>
    </DocumentFields>
  );
}

/** The company has one set of settings. */
function useMail({ settings, revision }: MailState) {
  const { revalidate } = useRevalidator();
  const [loaded] = useState(() => ({ document: toForm(settings), revision }));
  return useDocument<MailForm>({
    loaded,
    shape: mailShape,
    send: async (draft, { revision: ifMatch, signal }) => {
      const body = toSave(draft);
      const saved = await call(api.saveMailSettings, { body, ifMatch, signal });
      return { ...saved, stored: { ...draft, recipients: body.recipients.join('\n'), password: '' } };
    },
    newest: async () => {
      const newest = await call(api.mailSettings);
      return { ...newest, document: toForm(newest.settings), createdAt: newest.savedAt };
    },
    onSaved: async () => {
      showSaved('Gespeichert');
      await revalidate();
    },
  });
}

/** Sends a test mail with the form's content, saved or not. */
function useTrial() {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useFormFailure();
  const [answer, setAnswer] = useState<Trial | null>(null);
  const forget = () => {
    setFailed(null);
    setAnswer(null);
  };
  const start = async (form: MailForm) => {
    forget();
    setBusy(true);
    try {
      setAnswer(await call(api.testMail, { body: toSave(form) }));
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Starten', error), error });
    } finally {
      setBusy(false);
    }
  };
  return { busy, failed, answer, start, forget };
}
