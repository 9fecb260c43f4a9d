import { Alert, Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { formatTime } from '../../ui/formats.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import classes from './repricer.module.css';
import type { Switches } from './use-switches.ts';

/** What tripped and holds every price of the catalogue until somebody has looked at it. */
export function Breakers({ switches, mayEdit }: { switches: Switches; mayEdit: boolean }) {
  const [asking, setAsking] = useState(false);
  const { breakers } = switches.state;
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
            <Button size="xs" color="red.9" style={{ marginTop: 8 }} onClick={() => setAsking(true)}>
              Freigeben
            </Button>
          )}
        </Alert>
      )}
      <ReasonDialog
        opened={asking}
        question="Preise wieder freigeben?"
        confirm="Freigeben"
        onConfirm={(reason) => switches.release('breakers', reason)}
        onClose={() => setAsking(false)}
      >
        Danach wird über alle Artikel neu entschieden und wieder gesendet. Prüfen Sie vorher einige Preise.
      </ReasonDialog>
    </>
  );
}
