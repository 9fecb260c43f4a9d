import { useId } from 'react';
import type { Run } from '#shared/runs/schema.ts';
import { formatDuration, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { RetryButton } from './retry-button.tsx';
import { RunBadge } from './run-badge.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

/** The last runs, newest first: who started them, how long they took, and what became of them. */
type RunHistoryProps = {
  runs: readonly Run[];
  title: string;
  /** Called with a run that was started again; without it nobody may start one here. */
  onRetried?: ((runid: string) => void) | undefined;
};

export function RunHistory({ runs, title, onRetried }: RunHistoryProps) {
  const heading = useId();
  if (runs.length === 0) return null;
  return (
    <section className="k-card k-stack" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <ScrollRegion label={title}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Begonnen</th>
              <th scope="col">Gestartet von</th>
              <th scope="col">Zustand</th>
              <th scope="col" className="k-number">
                {runs[0]?.kind === 'export' ? 'Ausgegeben' : 'Übernommen'}
              </th>
              <th scope="col">Dauer</th>
              <th scope="col">Meldung</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.runid}>
                <td style={{ whiteSpace: 'nowrap' }}>{formatTime(run.startedAt ?? run.createdAt)}</td>
                <td>{run.startedBy ?? '–'}</td>
                <td>
                  <RunBadge run={run} />
                </td>
                <td className="k-number">
                  {run.accepted === null || run.state !== 'done' ? '–' : formatInteger(run.accepted)}
                </td>
                <td style={{ whiteSpace: 'nowrap' }}>
                  {run.startedAt !== null && run.finishedAt !== null
                    ? formatDuration(run.startedAt, run.finishedAt)
                    : '–'}
                </td>
                <td style={{ minWidth: 220, overflowWrap: 'anywhere' }}>
                  {run.message ?? ''}
                  {run.source !== null && <div className="k-muted">{run.source}</div>}
                  {run.retryable && onRetried && <RetryButton run={run} onRetried={onRetried} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
