import { Button } from '@mantine/core';
import IconBell from 'virtual:icons/bell';
import IconChecks from 'virtual:icons/checks';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type Notification, notificationEvents } from '#shared/live/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { useMay } from '#client/shell/session.ts';
import { asking } from '#client/loading.ts';
import { Badge } from '#client/ui/badge.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import classes from './notifications.module.css';

const most = 200;

export async function loader(args: LoaderFunctionArgs) {
  return asking(args)(api.notifications, { query: { limit: most } });
}

/** What failed or needs a user, newest first. */
export default function NotificationsPage() {
  const { notifications, total } = useLoaderData<typeof loader>();
  const [busy, setBusy] = useState(false);
  const mayAdmin = useMay('admin');
  const { revalidate } = useRevalidator();
  const read = async (ids?: string[]) => {
    setBusy(true);
    try {
      await call(api.readNotifications, { body: ids === undefined ? {} : { ids } });
      await revalidate();
    } catch (error) {
      showFailure(failureOf('Fehler beim Speichern', error));
    } finally {
      setBusy(false);
    }
  };
  const unread = notifications.some((one) => !one.read);
  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader
        title="Benachrichtigungen"
        lead="Was fehlgeschlagen ist, angehalten wurde oder stark abweicht, im ganzen Unternehmen."
        actions={
          <>
            {mayAdmin && (
              <Button component={Link} to={pathTo(pages.notificationSettings)} variant="default">
                E-Mail und Webhooks
              </Button>
            )}
            {unread && (
              <Button
                variant="default"
                loading={busy}
                leftSection={<IconChecks size={16} aria-hidden />}
                onClick={() => void read()}
              >
                Alle als gelesen kennzeichnen
              </Button>
            )}
          </>
        }
      />
      {notifications.length === 0 ? (
        <EmptyState icon={IconBell} title="Keine Benachrichtigungen">
          <p>Sobald ein Lauf scheitert oder auf eine Freigabe wartet, steht es hier.</p>
        </EmptyState>
      ) : (
        <section className="k-card" aria-label="Benachrichtigungen">
          <ol className={classes.list}>
            {notifications.map((one) => (
              <Entry key={one.id} notification={one} onOpen={() => void read([one.id])} />
            ))}
          </ol>
          {total > most && <p className="k-muted k-small">Ältere werden nicht gezeigt.</p>}
        </section>
      )}
    </div>
  );
}

/** Beginnings of the paths that only some may open, and the words for who that is. */
const guarded = [
  { start: pages.orders.path, needs: 'orders', who: 'Darum kümmert sich, wer Bestellungen sehen darf.' },
  { start: pages.stock.path, needs: 'orders', who: 'Darum kümmert sich, wer Bestellungen sehen darf.' },
  { start: pages.settings.path, needs: 'admin', who: 'Darum kümmern sich Inhaber und Administratoren.' },
] as const;

/** A title is a link only for those who may open its page. */
function Entry({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { event, title, text, path, createdAt, read } = notification;
  const may = { orders: useMay('orders'), admin: useMay('admin') };
  const closed = guarded.find(({ start, needs }) => path.startsWith(start) && !may[needs]);
  return (
    <li className={classes.entry} data-unread={!read}>
      <div className="k-row">
        <Badge tone={notificationEvents[event].tone}>{notificationEvents[event].label}</Badge>
        {closed === undefined ? (
          <Link to={path} onClick={onOpen}>
            {title}
          </Link>
        ) : (
          <strong>{title}</strong>
        )}
        {!read && <span className="k-hidden">ungelesen</span>}
        <span className="k-muted k-small">{formatTime(createdAt)}</span>
      </div>
      <p>{text}</p>
      {closed !== undefined && <p className="k-muted k-small">{closed.who}</p>}
    </li>
  );
}
