import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatInteger } from '../../ui/formats.ts';
import { actWords, limitSentences } from './limit-words.ts';
import classes from './limits.module.css';
import type { AskedLimits } from './use-limit-question.ts';

/** T26: says how many offers are concerned and how their limits move, before it is done. */
export function LimitsDialog({ asked }: { asked: AskedLimits | null }) {
  if (asked === null) return null;
  const { act, change, answer } = asked;
  const { confirm, instead } = actWords[act];
  return (
    <ConfirmDialog
      opened
      question={`Preisgrenzen von ${formatInteger(change.concerned)} Angeboten ändern?`}
      confirm={confirm}
      danger
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
    >
      <p>Nach dem heutigen Stand der Artikel, gezählt in eigenen Angeboten:</p>
      <ul className={classes.moves}>
        {limitSentences(change).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>Noch ist nichts gespeichert. {instead}</p>
    </ConfirmDialog>
  );
}
