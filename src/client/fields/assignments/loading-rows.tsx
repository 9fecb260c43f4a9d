import type { Failure } from '../../failure.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatInteger } from '../../ui/formats.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import classes from './assignments.module.css';

type LoadingRowsProps = { there: number; missing: number; failure: Failure | null; retry: () => void };

/** Stays at the table's foot until all rows are there. */
export function LoadingRows({ there, missing, failure, retry }: LoadingRowsProps) {
  const total = there + missing;
  return (
    <div className={classes.loading} role="status">
      {failure === null ? (
        <ProgressBar
          label="lade Daten"
          done={there}
          total={total}
          words={`${formatInteger(there)} von ${formatInteger(total)} Zeilen`}
        />
      ) : (
        <ErrorNotice failure={failure} onRetry={retry}>
          Gespeichert werden kann erst, wenn alle {formatInteger(total)} Zeilen da sind. Was Sie eingegeben haben, steht
          noch im Formular.
        </ErrorNotice>
      )}
    </div>
  );
}
