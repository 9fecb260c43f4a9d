import type { Failure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import classes from './assignment-table.module.css';

type LoadingRowsProps = { there: number; missing: number; failure: Failure | null; retry: () => void };

/** Shown below the table until all rows are loaded. */
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
