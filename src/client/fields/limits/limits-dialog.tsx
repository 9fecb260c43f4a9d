import { useState } from 'react';
import { useMarketplaceCurrency } from '#client/marketplaces.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { actWords, limitSentences } from './limit-words.ts';
import classes from './limits.module.css';
import type { LimitQuestion } from './use-limit-question.ts';

/** T26: says how many offers are concerned and how their limits move, before it is done. */
export function LimitsDialog({ pending }: { pending: LimitQuestion | null }) {
  // Keeps the text during the closing transition. Always mounted: otherwise the focus would not return.
  const [last, setLast] = useState(pending);
  if (pending !== null && pending !== last) setLast(pending);
  const currencyOf = useMarketplaceCurrency();
  const { confirm, instead } = actWords[last?.act ?? 'save'];
  return (
    <ConfirmDialog
      opened={pending !== null}
      question={`Preisgrenzen von ${formatInteger(last?.change.concerned ?? 0)} Angeboten ändern?`}
      confirm={confirm}
      danger
      onClose={() => pending?.answer(false)}
      onConfirm={() => pending?.answer(true)}
    >
      <p>Nach dem heutigen Stand der Artikel, gezählt in eigenen Angeboten:</p>
      <ul className={classes.moves}>
        {(last === null ? [] : limitSentences(last.change, currencyOf)).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>Noch ist nichts gespeichert. {instead}</p>
    </ConfirmDialog>
  );
}
