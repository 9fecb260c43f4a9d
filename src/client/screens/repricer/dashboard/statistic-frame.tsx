import { ActionIcon, Button } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import type { ReactNode } from 'react';
import { formatClock } from '#client/ui/text/formats.ts';
import classes from './dashboard.module.css';
import type { Shown, StatisticState } from './use-statistic.ts';

type StatisticFrameProps = { statistic: StatisticState; children: (shown: Shown) => ReactNode };

/** Wraps content that needs the figures: shows loading, failures, and the figures as far as they are known. */
export function StatisticFrame({ statistic: { shown, failure, busy, reload }, children }: StatisticFrameProps) {
  return (
    <>
      <div role="status" className={busy && shown === null ? classes.pending : classes.status}>
        {busy && <p>Lade Daten...</p>}
      </div>
      {failure !== null && (
        <div role="alert" className="k-row">
          <p className={classes.failure}>{failure}</p>
          <Button variant="default" size="xs" onClick={reload}>
            Erneut versuchen
          </Button>
        </div>
      )}
      {shown !== null && (
        <div className="k-renewing" aria-busy={busy}>
          <div className="k-stack">{children(shown)}</div>
        </div>
      )}
    </>
  );
}

/** Time of the figures, and a button to reload them. */
export function AsOf({ at, onReload }: { at: string; onReload: () => void }) {
  return (
    <span className="k-row k-muted k-small">
      Stand {formatClock(at)}
      <ActionIcon variant="default" size={32} aria-label="Neu laden" title="Neu laden" onClick={onReload}>
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </span>
  );
}
