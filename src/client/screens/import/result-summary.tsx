import type { Ref } from 'react';
import type { Run } from '#shared/runs/schema.ts';
import type { RunState } from '#shared/runs/words.ts';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { WarningList } from '#client/fields/runs/run-warnings.tsx';
import { failedWords } from '#client/fields/runs/run-words.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import classes from './import.module.css';

/** Outcome of the rows of an import: in = accepted + rejected + duplicates. */
export function ResultSummary({ run, heading }: { run: Run; heading: Ref<HTMLHeadingElement> }) {
  const { accepted, rejected, duplicates, rowsIn, difference, message, warnings, detected, source, finishedAt } = run;
  const failed = run.state === 'failed';
  return (
    <section className="k-card k-stack" aria-labelledby="ergebnis">
      <div className="k-between">
        <h2 id="ergebnis" ref={heading} tabIndex={-1}>
          Letztes Ergebnis
        </h2>
        <RunBadge run={run} />
      </div>
      <p className="k-muted" style={{ overflowWrap: 'anywhere' }}>
        {source ?? 'Quelle unbekannt'}
        {finishedAt === null ? '' : ` · ${formatTime(finishedAt)}`}
      </p>
      {failed ? (
        <ErrorNotice failure={{ title: 'Der Import ist fehlgeschlagen', message: failedWords(run) }} />
      ) : (
        // The notice of a blocked run already says this.
        message !== null && run.state !== 'blocked' && <p>{message}</p>
      )}
      {rowsIn !== null && accepted !== null && (
        <>
          <p>
            <strong>{formatCount(rowsIn, 'Zeile', 'Zeilen')}</strong> gelesen
          </p>
          <Bar
            parts={{ accepted, duplicates: duplicates ?? 0, rejected: rejected ?? 0 }}
            labels={{ ...labels, accepted: acceptedLabels[run.state] ?? labels.accepted }}
          />
        </>
      )}
      {detected !== null && <p className="k-small k-muted">{detected}</p>}
      {difference !== null && (
        <p className="k-small">
          Gegenüber dem vorigen Stand: {formatInteger(difference.added)} neu, {formatInteger(difference.changed)}{' '}
          geändert, {formatInteger(difference.removed)} entfallen
        </p>
      )}
      {warnings.length > 0 && (
        <div>
          <h3 className="k-strong k-small">Hinweise</h3>
          <WarningList warnings={warnings} />
        </div>
      )}
    </section>
  );
}

const labels = { accepted: 'übernommen', duplicates: 'doppelt', rejected: 'abgelehnt' } as const;
/** Labels for accepted rows of runs whose state is not in force. */
const acceptedLabels: Partial<Record<RunState, string>> = { blocked: 'warten auf Freigabe', cancelled: 'verworfen' };
const partNames = ['accepted', 'duplicates', 'rejected'] as const;

type Parts<Value> = Record<keyof typeof labels, Value>;

function Bar({ parts, labels }: { parts: Parts<number>; labels: Parts<string> }) {
  return (
    <div className="k-stack" style={{ gap: 8 }}>
      <div className={classes.bar} aria-hidden>
        {partNames.map(
          (name) => parts[name] > 0 && <span key={name} className={classes[name]} style={{ flexGrow: parts[name] }} />,
        )}
      </div>
      <ul className={`k-small ${classes.legend}`}>
        {partNames.map((name) => (
          <li key={name}>
            <span className={`${classes.dot} ${classes[name]}`} aria-hidden />
            {formatInteger(parts[name])} {labels[name]}
          </li>
        ))}
      </ul>
    </div>
  );
}
