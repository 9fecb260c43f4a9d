import { useId } from 'react';
import type { Run } from '#shared/runs/schema.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatDuration, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { RetryButton } from './retry-button.tsx';
import { RunBadge } from './run-badge.tsx';
import { WarningsInCell } from './run-warnings.tsx';
import { supersededRuns } from './run-words.ts';

/** The last runs, newest first: who started them, how long they took, and how they ended. */
type RunHistoryProps = {
  runs: readonly Run[];
  title: string;
  /** Id of the heading, for links to it. */
  id?: string;
  /** Called with the restarted run; without it there is no restart button. */
  onRetried?: ((runid: string) => void) | undefined;
};

export function RunHistory({ runs, title, id, onRetried }: RunHistoryProps) {
  const ownId = useId();
  const heading = id ?? ownId;
  if (runs.length === 0) return null;
  const items = itemWords[runs[0]?.kind ?? 'import'];
  return (
    <section className="k-card k-stack" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <Table
        stacks
        label={title}
        columns={columnsOf(items, supersededRuns(runs), onRetried)}
        rows={runs}
        rowId={({ runid }) => runid}
      />
    </section>
  );
}

/** Result of a run for its items, by kind of run. */
const itemWords: Readonly<Record<Run['kind'], string>> = {
  import: 'Übernommen',
  export: 'Ausgegeben',
  upload: 'Übertragen',
  images: 'Geprüft',
  stock: 'Ausgegeben',
  prices: 'Ausgegeben',
};

const columnsOf = (
  items: string,
  superseded: ReadonlySet<string>,
  onRetried: RunHistoryProps['onRetried'],
): readonly TableColumn<Run>[] => [
  { title: 'Begonnen', cell: (run) => <Short text={formatTime(run.startedAt ?? run.createdAt)} /> },
  { title: 'Gestartet von', cell: ({ startedBy }) => startedBy ?? '–' },
  { title: 'Zustand', cell: (run) => <RunBadge run={run} superseded={superseded.has(run.runid)} /> },
  {
    title: items,
    kind: 'number',
    cell: ({ accepted, state }) => (accepted === null || state !== 'done' ? '–' : formatInteger(accepted)),
  },
  {
    title: 'Dauer',
    cell: ({ startedAt, finishedAt }) => (
      <Short text={startedAt !== null && finishedAt !== null ? formatDuration(startedAt, finishedAt) : '–'} />
    ),
  },
  { title: 'Meldung', cell: (run) => <Outcome run={run} onRetried={onRetried} /> },
];

const Short = ({ text }: { text: string }) => <span style={{ whiteSpace: 'nowrap' }}>{text}</span>;

function Outcome({ run, onRetried }: { run: Run; onRetried: RunHistoryProps['onRetried'] }) {
  return (
    <div style={{ minWidth: 220, overflowWrap: 'anywhere' }}>
      {run.message ?? ''}
      <WarningsInCell warnings={run.warnings} />
      {run.source !== null && <div className="k-muted">{run.source}</div>}
      {run.retryable && onRetried && <RetryButton run={run} onRetried={onRetried} />}
    </div>
  );
}
