import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError, useRouteLoaderData } from 'react-router';
import { pages } from '#shared/pages.ts';
import { logFailure } from '#client/failure.ts';
import { isRecord } from '#client/record.ts';
import type { loader } from '#client/root.tsx';

const titles: Record<number, string> = {
  403: 'Dafür fehlt Ihnen die Berechtigung',
  404: 'Diese Seite gibt es nicht',
};

/**
 * Says in German what went wrong and how to go on; never a stack trace, which is useless to users and tells attackers too much.
 */
export function FailurePage() {
  const error = useRouteError();
  const rootId = useRouteLoaderData<typeof loader>('root')?.requestId ?? '';
  const status = isRouteErrorResponse(error) ? error.status : 500;
  useEffect(() => {
    if (status !== 404) logFailure('Fehler beim Laden', error);
  }, [status, error]);
  const details = isRouteErrorResponse(error) && isRecord(error.data) ? error.data : {};
  const message = typeof details['message'] === 'string' ? details['message'] : defaultMessage(status);
  const known = typeof details['requestId'] === 'string' ? details['requestId'] : '';
  const requestId = known === '' ? rootId : known;
  const isInTrash = details['code'] === 'in_trash';
  const title = isInTrash ? 'Im Papierkorb' : titles[status];
  return (
    <div className="k-card k-stack" role="alert">
      <title>{`${title ?? 'Fehler'} · Kontor`}</title>
      <h1>{title ?? 'Die Seite konnte nicht geladen werden'}</h1>
      <p>{message}</p>
      <div className="k-row">
        <Button component={Link} to={pages.overview.path} reloadDocument={status >= 500}>
          Zur Übersicht
        </Button>
        {isInTrash && (
          <Button component={Link} to={pages.trash.path} variant="default">
            Zum Papierkorb
          </Button>
        )}
        {status >= 500 && (
          <Button variant="default" onClick={() => location.reload()}>
            Erneut versuchen
          </Button>
        )}
      </div>
      {status !== 404 && requestId !== '' && (
        <p className="k-muted k-small">
          Vorgangsnummer für Rückfragen: <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}

function defaultMessage(status: number): string {
  if (status === 404) return 'Die Adresse ist falsch, oder der Inhalt wurde gelöscht.';
  return 'Es ist ein unerwarteter Fehler aufgetreten. Ihre gespeicherten Daten sind nicht betroffen.';
}
