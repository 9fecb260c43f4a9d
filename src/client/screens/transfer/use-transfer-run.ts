import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Run } from '#shared/runs/schema.ts';
import { failureOf, logFailure } from '#client/failure.ts';
import { isUnderWay } from '#client/fields/runs/run-words.ts';
import { queuedRun, useRun } from '#client/fields/runs/use-run.ts';
import { useFinishedBeforeLoading, useLiveStatus } from '#client/shell/live-status.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { useFailure } from '#client/use-failure.ts';
import { useSum } from './use-transfer.ts';

type TransferCalls = {
  kind: Run['kind'];
  send: () => Promise<{ runid: string }>;
  /** Loads the channel's newest run. */
  loadRun: (signal: AbortSignal) => Promise<Run | null>;
};

/**
 * The transferred items of a channel, and the run that transfers them again: started here,
 * followed, and the figures reloaded after it.
 */
export function useTransferRun(
  { id, lastRun }: { id: string; lastRun: Run | null },
  { kind, send, loadRun }: TransferCalls,
) {
  const [round, setRound] = useState(0);
  // Also after runs that a schedule or somebody else started.
  const version = round + useLiveStatus().finished;
  const [failure, setFailure] = useFailure();
  const anew = () => setRound((now) => now + 1);
  const { run, lost, follow } = useRun(useNewestRun(id, lastRun, loadRun), anew);
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

/** Returns the channel's newest run, also one that a schedule or somebody else started since the page was loaded. */
function useNewestRun(id: string, first: Run | null, loadRun: TransferCalls['loadRun']): Run | null {
  const { running, finished } = useLiveStatus();
  const isRunning = running.has(id);
  const [newest, setNewest] = useState(first);
  const seen = useRef(useFinishedBeforeLoading());
  const load = useEffectEvent(async (signal: AbortSignal) => {
    try {
      setNewest(await loadRun(signal));
    } catch (error) {
      if (!signal.aborted) logFailure('Fehler beim Laden', error);
    }
  });
  useEffect(() => {
    if (!isRunning && finished === seen.current) return undefined;
    seen.current = finished;
    const stop = new AbortController();
    void load(stop.signal);
    return () => stop.abort();
  }, [isRunning, finished]);
  return newest;
}
