import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { OpenSession } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import classes from './account.module.css';
import { deviceName } from './device-name.ts';

/** The user's open sessions, each of which can be ended. */
export function SessionsCard({ sessions }: { sessions: readonly OpenSession[] }) {
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const { leaving, setLeaving, failure, setFailure, remove } = useRemoval<OpenSession>(
    ({ id }) => call(api.endSession, { params: { id } }),
    'Sitzung beendet',
  );
  const endAll = async () => {
    try {
      await call(api.endSessions);
      await navigate(pages.login.path);
    } catch (error) {
      setFailure(failureOf('Fehler beim Abmelden', error));
      setConfirming(false);
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="sitzungen">
      <div className="k-between">
        <h2 id="sitzungen">Sitzungen</h2>
        <Button variant="default" onClick={() => setConfirming(true)}>
          Überall abmelden
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <ul className={classes.list} aria-label="Sitzungen">
        {sessions.map((session) => (
          <li key={session.id}>
            <div style={{ flex: '1 1 240px', minWidth: 0 }}>
              <div className="k-strong">
                {deviceName(session.device)}
                {session.own && ' (diese Sitzung)'}
              </div>
              <div className="k-muted k-small">
                Von {session.address}, angemeldet {formatTime(session.createdAt)}, zuletzt benutzt{' '}
                {formatTime(session.lastUsedAt)}
              </div>
            </div>
            {!session.own && (
              <Button size="xs" variant="default" onClick={() => setLeaving(session)}>
                Beenden<span className="k-hidden"> {deviceName(session.device)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={leaving !== null}
        question="Sitzung wirklich beenden?"
        confirm="Beenden"
        onConfirm={remove}
        onClose={() => setLeaving(null)}
      >
        {deviceName(leaving?.device ?? '')} muss sich danach neu anmelden.
      </ConfirmDialog>
      <ConfirmDialog
        opened={confirming}
        question="Wirklich überall abmelden?"
        confirm="Überall abmelden"
        onConfirm={endAll}
        onClose={() => setConfirming(false)}
      >
        Alle Ihre Sitzungen enden, auch diese. Ungespeicherte Eingaben in anderen Fenstern gehen verloren.
      </ConfirmDialog>
    </section>
  );
}
