import { Button, Switch } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { MailSettings, Trial } from '#shared/notifications/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { UnsavedGuard } from '#client/editor/unsaved-guard.tsx';
import { EventChoices } from './event-choices.tsx';
import { MailFields } from './mail-fields.tsx';
import { type MailForm, toForm, toSave } from './mail-form.ts';
import { TrialNotice } from '#client/fields/trial-notice.tsx';

type MailCardProps = { settings: MailSettings; passwordSet: boolean };
type Failed = { failure: Failure; error: unknown };

/** E-mail of the company: over which server, to whom, and of what. */
export function MailCard({ settings, passwordSet }: MailCardProps) {
  const [form, setForm] = useState(() => toForm(settings));
  const [busy, setBusy] = useState<'save' | 'trial' | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const [trial, setTrial] = useState<Trial | null>(null);
  const { revalidate } = useRevalidator();
  const saved = toForm(settings);
  const dirty = JSON.stringify(form) !== JSON.stringify(saved);
  const set = (changed: Partial<MailForm>) => setForm((now) => ({ ...now, ...changed }));

  const run = async (what: 'save' | 'trial', work: () => Promise<unknown>) => {
    setBusy(what);
    setFailed(null);
    setTrial(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailed({
        failure: failureOf(what === 'save' ? 'Fehler beim Speichern' : 'Fehler beim Starten', error),
        error,
      });
      return false;
    } finally {
      setBusy(null);
    }
  };
  const save = () =>
    run('save', async () => {
      await call(api.saveMailSettings, { body: toSave(form) });
      setForm((now) => ({ ...now, recipients: toSave(now).recipients.join('\n'), password: '' }));
      showSaved('Gespeichert');
      await revalidate();
    });
  const tryIt = () => run('trial', async () => setTrial(await call(api.testMail, { body: toSave(form) })));

  return (
    <section className="k-card k-stack" aria-labelledby="email">
      <h2 id="email">E-Mail</h2>
      <ErrorNotice failure={failed?.failure ?? null} onClose={() => setFailed(null)} />
      <Switch
        label="Benachrichtigungen auch per E-Mail senden"
        checked={form.active}
        onChange={({ currentTarget }) => set({ active: currentTarget.checked })}
      />
      {form.active && (
        <>
          <MailFields
            form={form}
            passwordSet={passwordSet}
            onChange={set}
            errorOf={(field) => fieldError(failed?.error, field)}
          />
          <div>
            <Button
              variant="default"
              loading={busy === 'trial'}
              leftSection={<IconSend size={16} aria-hidden />}
              onClick={() => void tryIt()}
            >
              Testmail senden
            </Button>
          </div>
          <TrialNotice trial={trial} success="Die Testmail ist angenommen und auf dem Weg an alle Empfänger." />
          <EventChoices form={form} onChange={set} />
        </>
      )}
      <SaveBar dirty={dirty} busy={busy === 'save'} onSave={() => void save()} onDiscard={() => setForm(saved)} />
      <UnsavedGuard dirty={dirty} onSave={save} />
    </section>
  );
}
