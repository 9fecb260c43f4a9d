import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatInteger } from '../../ui/formats.ts';
import { limitSentences } from './limit-words.ts';
import classes from './repricer.module.css';
import type { AskedLimits } from './use-limit-question.ts';

/** T26: says how many offers a save concerns and how their limits move, before it is done. */
export function LimitsDialog({ asked }: { asked: AskedLimits | null }) {
  if (asked === null) return null;
  const { change, answer } = asked;
  return (
    <ConfirmDialog
      opened
      question={`Preisgrenzen von ${formatInteger(change.concerned)} Angeboten ändern?`}
      confirm="Trotzdem speichern"
      danger
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
    >
      <p>Nach dem heutigen Stand der Artikel, gezählt in eigenen Angeboten:</p>
      <ul className={classes.limitmoves}>
        {limitSentences(change).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>Noch ist nichts gespeichert. Ihre Änderungen bleiben im Formular, wenn Sie abbrechen.</p>
    </ConfirmDialog>
  );
}
