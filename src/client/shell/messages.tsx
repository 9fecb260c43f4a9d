import IconBell from 'virtual:icons/bell';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import type { HeaderInfo } from '#shared/live/schema.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './header.module.css';

const everyMs = 60_000;

/** HDR-01: polled every minute; an error ends the polling. */
export function useHeaderInfo(first: HeaderInfo): HeaderInfo {
  const [info, setInfo] = useState(first);
  useEffect(() => setInfo(first), [first]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setInterval(() => {
      call(api.header, { signal: stop.signal })
        .then(setInfo)
        .catch((error: unknown) => {
          clearInterval(timer);
          if (!stop.signal.aborted) logFailure('Fehler beim Laden', error);
        });
    }, everyMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
  return info;
}

/** HDR-01: the number of unread messages. */
export function MessageBadge({ count }: { count: number }) {
  const label = count === 0 ? 'Benachrichtigungen' : `Benachrichtigungen: ${formatInteger(count)} ungelesen`;
  return (
    <Link to={pages.notifications.path} className={classes.iconButton} aria-label={label} title={label}>
      <span className={classes.bell}>
        <IconBell size={20} stroke={1.7} aria-hidden />
        {count > 0 && <span className={classes.unread}>{count > 99 ? '99+' : count}</span>}
      </span>
    </Link>
  );
}

/** HDR-01: shown above every page until the company has its first items. */
export function OnboardingBar() {
  return (
    <p className={classes.onboarding} role="status">
      Ihr Konto ist noch nicht eingerichtet: Importieren Sie den ersten Katalog, dann können Exporte laufen.
    </p>
  );
}
