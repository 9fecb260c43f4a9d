import { Loader } from '@mantine/core';
import type { TransferSum } from '#shared/transfer/schema.ts';
import type { Failure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import figureClasses from '#client/ui/figures/figures.module.css';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './transfer.module.css';

type CountersProps = {
  sum: { answer: TransferSum | null; failure: Failure | null };
  /** Says whose judgement the figures are. */
  words: (sum: TransferSum) => string;
  onRetry: () => void;
};

/** TRA-01: sent, accepted, refused. A failure is shown in the two that the channel decides, with its cause below. */
export function Counters({ sum: { answer: sum, failure }, words, onRetry }: CountersProps) {
  const failed = failure !== null;
  return (
    <>
      <dl className={`${figureClasses.figures} ${classes.counters}`} aria-label="Zähler">
        <Counter label={sentLabel(sum)} count={sum?.SEND} failed={failed} failure="–" />
        <Counter label="Angenommen" count={sum?.ACCEPTED} failed={failed} failure="FEHLER" />
        <Counter label="Abgelehnt" count={sum?.INVALID} failed={failed} failure="FEHLER" />
      </dl>
      <ErrorNotice failure={failure} onRetry={onRetry} />
      {/* The line is reserved before its text: content below must not move when it arrives. */}
      {!failed && <p className="k-muted k-small">{sum === null ? '\u00a0' : words(sum)}</p>}
    </>
  );
}

/** A file waits until the channel fetches it or it is uploaded: its items do not count as sent. */
const sentLabel = (sum: TransferSum | null) =>
  sum?.source === 'file' || sum?.source === 'unchecked' ? 'In der Datei' : 'Gesendet';

type CounterProps = { label: string; count: number | undefined; failed: boolean; failure: string };

function Counter({ label, count, failed, failure }: CounterProps) {
  const text = failed ? failure : count === undefined ? null : formatInteger(count);
  return (
    <div className={figureClasses.figure}>
      <dt className={figureClasses.label}>{label}</dt>
      <dd className={figureClasses.value} data-failed={(failed && failure === 'FEHLER') || undefined}>
        {text ?? <Loader size="sm" color="var(--k-graphic)" role="img" aria-label={`lade ${label}`} />}
      </dd>
    </div>
  );
}
