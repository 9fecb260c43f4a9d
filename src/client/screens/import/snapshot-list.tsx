import { api } from '#shared/http/api.ts';
import type { Snapshot } from '#shared/masters/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { KeptTable } from '#client/fields/runs/kept-table.tsx';
import { PutBack } from '#client/fields/runs/put-back.tsx';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { supersededRuns } from '#client/fields/runs/run-words.ts';
import { Badge } from '#client/ui/badge.tsx';

type SnapshotListProps = {
  masterid: string;
  snapshots: readonly Snapshot[];
  runs: readonly Run[];
  mayRun: boolean;
  onChange: () => void;
};

/** The stored states of a catalogue, newest first; one that waits for release or was discarded says so. */
export function SnapshotList({ masterid, snapshots, runs, mayRun, onChange }: SnapshotListProps) {
  const unused = new Map(runs.filter(({ state }) => state !== 'done').map((run) => [run.runid, run]));
  const superseded = supersededRuns(runs);
  if (snapshots.length === 0) return null;
  const putBack = async (number: number, reason: string) => {
    await call(api.makeSnapshotLive, { params: { masterid, number }, body: { reason } });
    onChange();
  };
  const stateOf = ({ number, live, gone, held, runid }: Snapshot) => {
    const run = unused.get(runid);
    return (
      <>
        {live && <Badge tone="green">in Kraft</Badge>}
        {!live && run !== undefined && <RunBadge run={run} superseded={superseded.has(runid)} />}
        {gone && <span className="k-small k-muted">Datei aufgeräumt</span>}
        {!live && !gone && held === null && mayRun && (
          <PutBack
            action="Wieder in Kraft setzen"
            name={`Stand ${number}`}
            explanation="Alle Regeln, Zuordnungen und Exporte arbeiten ab sofort wieder mit diesem Stand, bis der nächste Import einen neuen bringt."
            onPutBack={(reason) => putBack(number, reason)}
          />
        )}
      </>
    );
  };
  const rows = snapshots.map((snapshot) => ({ ...snapshot, name: snapshot.source, state: stateOf(snapshot) }));
  return <KeptTable id="staende" title="Aufbewahrte Stände" names="Quelle" rows={rows} />;
}
