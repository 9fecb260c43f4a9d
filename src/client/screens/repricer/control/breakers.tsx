import { Alert, Button } from '@mantine/core';
import IconHandStop from 'virtual:icons/hand-stop';
import { useState } from 'react';
import { formatTime } from '#client/ui/text/formats.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { RestoreDialog, RestoreNotice } from './restore.tsx';
import classes from './control.module.css';
import type { Switches } from './use-switches.ts';

type BreakersProps = { masterid: string; switches: Switches; mayEdit: boolean };

/**
 * Tripped circuit breakers, which hold every price of the catalogue until a user has checked it, and the restore of good prices.
 */
export function Breakers({ masterid, switches, mayEdit }: BreakersProps) {
  const [confirming, setConfirming] = useState(false);
  const [pending, setPending] = useState<string[]>([]);
  const [restoring, setRestoring] = useState(false);
  const { breakers } = switches.state;
  const ask = () => {
    setPending(breakers.map(({ id }) => id));
    setConfirming(true);
  };
  return (
    <>
      {breakers.length > 0 && (
        <Alert
          role="alert"
          variant="outline"
          color="red.9"
          icon={<IconHandStop aria-hidden />}
          title="Preise angehalten: eine Sicherung hat ausgelöst"
          classNames={{
            root: classes.alarm,
            title: classes.alarmtext,
            icon: classes.alarmtext,
            message: classes.alarmtext,
          }}
        >
          <ul className={classes.reasons}>
            {breakers.map(({ id, details, trippedAt }) => (
              <li key={id}>
                {details} ({formatTime(trippedAt)})
              </li>
            ))}
          </ul>
          <p>Es wird kein Preis gesendet, bis jemand die Preise geprüft und freigegeben hat.</p>
          {mayEdit && (
            <div className="k-row" style={{ marginTop: 8 }}>
              <Button size="xs" color="red.9" onClick={ask}>
                Freigeben
              </Button>
              <Button size="xs" variant="default" onClick={() => setRestoring(true)}>
                Letzte gute Preise wiederherstellen …
              </Button>
            </div>
          )}
        </Alert>
      )}
      <RestoreNotice switches={switches} mayEdit={mayEdit} />
      <RestoreDialog
        masterid={masterid}
        opened={restoring}
        before={breakers[0]?.trippedAt ?? null}
        switches={switches}
        onClose={() => setRestoring(false)}
      />
      <ReasonDialog
        opened={confirming}
        switches={switches}
        question="Preise wieder freigeben?"
        confirm="Freigeben"
        onConfirm={(reason) => switches.releaseBreakers(pending, reason)}
        onClose={() => setConfirming(false)}
      >
        Danach wird über alle Artikel neu entschieden und wieder gesendet. Prüfen Sie vorher einige Preise.
      </ReasonDialog>
    </>
  );
}
