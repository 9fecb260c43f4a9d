import { Button } from '@mantine/core';
import IconPencil from 'virtual:icons/pencil';
import IconPlus from 'virtual:icons/plus';
import IconSend from 'virtual:icons/send';
import IconTrash from 'virtual:icons/trash';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Trial, Webhook } from '#shared/notifications/schema.ts';
import { notificationEvents } from '#shared/live/schema.ts';
import { call } from '#client/call.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { failureOf } from '#client/failure.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { TrialNotice } from '#client/fields/trial-notice.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import classes from './notification-settings.module.css';

/** Programs that are called when something happens. */
export function WebhookList({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null);
  const { leaving, setLeaving, failure, setFailure, remove } = useRemoval(({ id }: Webhook) =>
    call(api.deleteWebhook, { params: { id } }),
  );
  return (
    <section className="k-card k-stack" aria-labelledby="webhooks">
      <div className="k-between">
        <h2 id="webhooks">Webhooks</h2>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          Webhook anlegen
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {webhooks.length === 0 ? (
        <p className="k-muted">
          Noch kein Webhook. Kontor ruft Ihr Programm auf, sobald etwas geschieht; jede Nachricht ist unterschrieben.
        </p>
      ) : (
        <ul className={classes.webhooks}>
          {webhooks.map((webhook) => (
            <Entry
              key={webhook.id}
              webhook={webhook}
              onEdit={() => setEdited(webhook)}
              onDelete={() => setLeaving(webhook)}
            />
          ))}
        </ul>
      )}
      {edited !== null && <WebhookDialog webhook={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        opened={leaving !== null}
        question="Webhook wirklich löschen?"
        confirm="Löschen"
        danger
        onConfirm={remove}
        onClose={() => setLeaving(null)}
      >
        „{leaving?.name}“ wird nicht mehr aufgerufen. Was noch wartet, wird verworfen.
      </ConfirmDialog>
    </section>
  );
}

type EntryProps = { webhook: Webhook; onEdit: () => void; onDelete: () => void };

function Entry({ webhook, onEdit, onDelete }: EntryProps) {
  const { id, name, url, events, active } = webhook;
  const [busy, setBusy] = useState(false);
  const [trial, setTrial] = useState<Trial | null>(null);
  const { revalidate } = useRevalidator();
  const tryIt = async () => {
    setBusy(true);
    setTrial(null);
    try {
      setTrial(await call(api.testWebhook, { params: { id } }));
      await revalidate();
    } catch (error) {
      setTrial({ success: false, error: failureOf('Fehler beim Starten', error).message });
    } finally {
      setBusy(false);
    }
  };
  const hidden = <span className="k-hidden"> {name}</span>;
  return (
    <li className="k-stack">
      <div className="k-row">
        <strong>{name}</strong>
        <Badge tone={active ? 'green' : 'gray'}>{active ? 'aktiv' : 'pausiert'}</Badge>
      </div>
      <code className={classes.url}>{url}</code>
      <p className="k-muted k-small">
        {events.length === 0
          ? 'Kein Ereignis gewählt'
          : events.map((event) => notificationEvents[event].label).join(', ')}
      </p>
      <div className="k-row">
        <Button
          size="xs"
          variant="default"
          loading={busy}
          leftSection={<IconSend size={14} aria-hidden />}
          onClick={() => void tryIt()}
        >
          Test senden{hidden}
        </Button>
        <Button size="xs" variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
          Bearbeiten{hidden}
        </Button>
        <Button size="xs" variant="default" leftSection={<IconTrash size={14} aria-hidden />} onClick={onDelete}>
          Löschen{hidden}
        </Button>
      </div>
      <TrialNotice trial={trial} success="Der Empfänger hat die Testnachricht angenommen." />
    </li>
  );
}
