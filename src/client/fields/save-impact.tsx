import IconAlertOctagon from 'virtual:icons/alert-octagon';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconInfoCircle from 'virtual:icons/info-circle';
import type { SaveImpact } from '#shared/diagnosis/save-impact.ts';
import type { Live } from '#client/use-live.ts';
import { saveImpactWords } from './save-impact-words.ts';
import classes from './save-impact.module.css';

const icons = { danger: IconAlertOctagon, quiet: IconInfoCircle, none: IconCircleCheck };

/** The effect of saving on the export's items, computed on all of them. Saving never waits for it. */
export function SaveImpactLine({ impact }: { impact: Live<SaveImpact> }) {
  const { answer, busy, failure, retry } = impact;
  if (answer === null && !busy && failure === null) return null;
  const words = answer === null ? null : saveImpactWords(answer);
  const Icon = icons[words?.level ?? 'quiet'];
  return (
    <section
      className={classes.line}
      data-level={words?.level}
      aria-label="Auswirkung auf die Artikel"
      aria-busy={busy}
    >
      {failure !== null ? (
        <span role="status">
          Auswirkung nicht berechnet: {failure.message}{' '}
          <button type="button" className={classes.retry} onClick={retry}>
            Erneut versuchen
          </button>
        </span>
      ) : (
        <>
          <Icon size={16} aria-hidden />
          <span role="status">
            {words === null ? 'Auswirkung auf die Artikel wird berechnet …' : words.sentences.join(' ')}
          </span>
          {busy && words !== null && <span className="k-muted k-small">wird berechnet …</span>}
        </>
      )}
    </section>
  );
}
