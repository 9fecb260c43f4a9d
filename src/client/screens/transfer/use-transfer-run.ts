import { useState } from 'react';
import type { Run } from '#shared/runs/schema.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { isUnderWay } from '#client/fields/runs/run-words.ts';
import { queuedRun, useRun } from '#client/fields/runs/use-run.ts';
import { useLiveStatus } from '#client/shell/live-status.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { useSum } from './use-transfer.ts';

/**
 * The transferred items of a channel, and the run that transfers them again: started here,
 * followed, and the figures reloaded after it.
 */
export function useTransferRun(
  { id, lastRun }: { id: string; lastRun: Run | null },
  kind: Run['kind'],
  send: () => Promise<{ runid: string }>,
) {
  const [round, setRound] = useState(0);
  // Also after runs that a schedule or somebody else started.
  const version = round + useLiveStatus().finished;
  const [failure, setFailure] = useState<Failure | null>(null);
  const anew = () => setRound((now) => now + 1);
  const { run, lost, follow } = useRun(lastRun, anew);
  const sum = useSum(id, version);
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const { runid } = await send();
      follow(queuedRun(runid, kind, id));
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
  });
  const forget = () => setFailure(null);
  const underWay = run !== null && isUnderWay(run);
  return { version, anew, run, lost, follow, underWay, starting: busy, sum, failure, forget, start };
}
