import { api } from '#shared/http/api.ts';
import type { Snapshot } from '#shared/masters/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { PutBack } from '#client/fields/runs/put-back.tsx';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { supersededRuns } from '#client/fields/runs/run-words.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

/** The stored states of a catalogue, newest first; one that waits for release or was discarded says so. */
type SnapshotListProps = {
  masterid: string;
  snapshots: readonly Snapshot[];
  runs: readonly Run[];
  mayRun: boolean;
  onChange: () => void;
};

export function SnapshotList({ masterid, snapshots, runs, mayRun, onChange }: SnapshotListProps) {
  const unused = new Map(runs.filter(({ state }) => state !== 'done').map((run) => [run.runid, run]));
  const superseded = supersededRuns(runs);
  if (snapshots.length === 0) return null;
  return (
    <section className="k-card k-stack" aria-labelledby="staende">
      <h2 id="staende">Aufbewahrte Stände</h2>
      <ScrollRegion label="Aufbewahrte Stände">
        <table className="k-table k-table-stacks">
          <thead>
            <tr>
              <th scope="col" className="k-number">
                Nummer
              </th>
              <th scope="col">Zeit</th>
              <th scope="col" className="k-number">
                Artikel
              </th>
              <th scope="col">Quelle</th>
              <th scope="col">
                <span className="k-hidden">Zustand</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {snapshots.map(({ number, items, createdAt, live, gone, held, runid, source }) => (
              <tr key={number}>
                <td className="k-number" data-title="Nummer">
                  {number}
                </td>
                <td style={{ whiteSpace: 'nowrap' }} data-title="Zeit">
                  {formatTime(createdAt)}
                </td>
                <td className="k-number" data-title="Artikel">
                  {formatInteger(items)}
                </td>
                <td style={{ minWidth: 180, overflowWrap: 'anywhere' }} data-title="Quelle">
                  {source}
                </td>
                <td>
                  {live ? (
                    <Badge tone="green">in Kraft</Badge>
                  ) : (
                    <StateOf run={unused.get(runid)} superseded={superseded.has(runid)} />
                  )}
                  {gone && <span className="k-small k-muted">Datei aufgeräumt</span>}
                  {!live && !gone && held === null && mayRun && (
                    <PutBack
                      action="Wieder in Kraft setzen"
                      name={`Stand ${number}`}
                      explanation="Alle Regeln, Zuordnungen und Exporte arbeiten ab sofort wieder mit diesem Stand, bis der nächste Import einen neuen bringt."
                      onPutBack={async (reason) => {
                        await call(api.makeSnapshotLive, { params: { masterid, number }, body: { reason } });
                        onChange();
                      }}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function StateOf({ run, superseded }: { run: Run | undefined; superseded: boolean }) {
  return run === undefined ? null : <RunBadge run={run} superseded={superseded} />;
}
