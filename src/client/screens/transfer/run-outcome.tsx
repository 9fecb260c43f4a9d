import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import type { Run } from '#shared/runs/schema.ts';
import { pathTo } from '#client/address.ts';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { failedWords, isUnderWay } from '#client/fields/runs/run-words.ts';
import { useMay } from '#client/shell/session.ts';
import { formatTime } from '#client/ui/text/formats.ts';

/** What became of the newest run if it did not bring the figures shown: held, failed or cancelled. */
export function RunOutcome({ id, run }: { id: string; run: Run }) {
  const mayDecide = useMay('run');
  if (isUnderWay(run) || run.state === 'done') return null;
  const held = run.state === 'blocked';
  return (
    <section className="k-card k-stack" aria-label="Letzter Lauf" style={{ gap: 8 }}>
      <p className="k-row" role="status">
        <RunBadge run={run} />
        <span>Letzter Lauf vom {formatTime(run.finishedAt ?? run.createdAt)}</span>
      </p>
      <p>
        {held
          ? `${run.message ?? ''} Die Zahlen hier sind die der Datei davor, bis über die neue entschieden ist.`.trim()
          : failedWords(run)}
      </p>
      <Link to={pathTo(pages.export, { id })}>
        {held && mayDecide
          ? 'Auf der Seite des Exports freigeben oder verwerfen'
          : 'Alle Läufe auf der Seite des Exports'}
      </Link>
    </section>
  );
}
