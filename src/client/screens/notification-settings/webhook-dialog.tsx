import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Webhook, WebhookSave } from '#shared/notifications/schema.ts';
import { notificationEventNames, notificationEvents } from '#shared/live/schema.ts';
import { call } from '#client/call.ts';
import { sameValue } from '#client/editor/same-value.ts';
import { failureOf, fieldError } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { SecretDialog } from '#client/ui/secret-dialog.tsx';
import { useGone } from '#client/ui/use-gone.ts';
import { useFormFailure } from '#client/use-failure.ts';
import { outsideEvents } from './event-choices.tsx';
import classes from './notification-settings.module.css';

const unseen = (name: string) => ({
  title: 'Das Geheimnis wurde nicht gezeigt',
  message: `Der Webhook „${name}“ hat ein Geheimnis bekommen, als sein Formular schon geschlossen war. Öffnen Sie ihn, und erzeugen Sie ein neues Geheimnis.`,
});

type WebhookDialogProps = { /** null: a new webhook. */ webhook: Webhook | null; onClose: () => void };
const blank: WebhookSave = { name: '', url: '', events: [...outsideEvents], active: true };

/** Form of a webhook; the secret of a new one is then shown once. */
export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [form, setForm] = useState<WebhookSave>(webhook ?? blank);
  const [busy, setBusy] = useState(false);
  const [secret, setSecret] = useState<{ text: string; renewed: boolean } | null>(null);
  const [failed, setFailed] = useFormFailure();
  const { revalidate } = useRevalidator();
  const set = (changed: Partial<WebhookSave>) => setForm((now) => ({ ...now, ...changed }));

  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setFailed(null);
    try {
      await work();
      await revalidate();
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Speichern', error), error });
    } finally {
      setBusy(false);
    }
  };
  const isGone = useGone();
  const showSecret = (text: string, renewed = false) =>
    isGone() ? showFailure(unseen(form.name)) : setSecret({ text, renewed });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void run(async () => {
      if (webhook === null) return showSecret((await call(api.createWebhook, { body: form })).secret);
      const saved = await call(api.saveWebhook, { params: { id: webhook.id }, body: form });
      showSaved('Gespeichert');
      if (saved.secret !== undefined) return showSecret(saved.secret);
      return onClose();
    });
  };
  const renew = async (id: string) => {
    await run(async () => {
      try {
        showSecret((await call(api.renewWebhookSecret, { params: { id } })).secret, true);
      } finally {
        // At once, not when the page has been loaded again: confirmed a second time it would replace the secret shown.
        setIsRenewing(false);
      }
    });
  };

  const [isRenewing, setIsRenewing] = useState(false);
  const dirty = !sameValue(form, webhook ?? blank);
  if (secret !== null)
    return (
      // A new secret saves nothing else: what was typed stays in the form.
      <SecretDialog
        title={`Geheimnis von „${form.name}“`}
        secret={secret.text}
        onClose={secret.renewed && dirty ? () => setSecret(null) : onClose}
      >
        Damit prüft Ihr Programm die Unterschrift im Kopf <code>X-Kontor-Signature</code>.
      </SecretDialog>
    );
  const title = webhook === null ? 'Webhook anlegen' : 'Webhook bearbeiten';
  return (
    <FormDialog opened dirty={dirty} onClose={onClose} title={title}>
      <form className="k-stack" onSubmit={submit}>
        <ErrorNotice failure={failed?.failure ?? null} />
        <WebhookFields
          form={form}
          hasSecret={webhook !== null}
          onChange={set}
          errorOf={(field) => fieldError(failed?.error, field)}
        />
        <div className="k-between">
          {webhook === null ? (
            <span />
          ) : (
            <Button variant="subtle" c="var(--k-link)" px={6} disabled={busy} onClick={() => setIsRenewing(true)}>
              Neues Geheimnis
            </Button>
          )}
          <div className="k-row">
            <Button variant="default" onClick={onClose}>
              Abbrechen
            </Button>
            <Button type="submit" loading={busy}>
              {webhook === null ? 'Anlegen' : 'Speichern'}
            </Button>
          </div>
        </div>
      </form>
      {webhook !== null && (
        <ConfirmDialog
          opened={isRenewing}
          question="Neues Geheimnis erzeugen?"
          confirm="Erzeugen"
          danger
          onConfirm={() => renew(webhook.id)}
          onClose={() => setIsRenewing(false)}
        >
          Das bisherige gilt sofort nicht mehr: Ihr Programm hält jede Nachricht für gefälscht, bis Sie dort das neue
          eintragen.
        </ConfirmDialog>
      )}
    </FormDialog>
  );
}

type WebhookFieldsProps = {
  form: WebhookSave;
  /** False for a new one, whose secret is made with it. */
  hasSecret: boolean;
  onChange: (changed: Partial<WebhookSave>) => void;
  errorOf: (field: string) => string | undefined;
};

function WebhookFields({ form, hasSecret, onChange, errorOf }: WebhookFieldsProps) {
  const known = (names: readonly string[]) => notificationEventNames.filter((name) => names.includes(name));
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        value={form.name}
        error={errorOf('name')}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextInput
        label="Adresse"
        description={`Öffentlich erreichbar, mit https://.${hasSecret ? ' Ein anderer Server bekommt ein neues Geheimnis.' : ''}`}
        required
        type="url"
        maxLength={2000}
        spellCheck={false}
        value={form.url}
        error={errorOf('url')}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
      <Checkbox.Group label="Ereignisse" value={form.events} onChange={(names) => onChange({ events: known(names) })}>
        <div className={classes.events}>
          {outsideEvents.map((event) => (
            <Checkbox key={event} value={event} label={notificationEvents[event].title} />
          ))}
        </div>
      </Checkbox.Group>
      <Switch
        label="Aktiv"
        checked={form.active}
        onChange={({ currentTarget }) => onChange({ active: currentTarget.checked })}
      />
    </>
  );
}
