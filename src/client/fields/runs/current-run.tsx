import type { Ref } from 'react';
import { useRevalidator } from 'react-router';
import type { Run } from '#shared/runs/schema.ts';
import { ReleaseNotice } from './release-notice.tsx';
import { RunProgress } from './run-progress.tsx';
import { isUnderWay, waitingRun } from './run-words.ts';
import { queuedRun, useRun } from './use-run.ts';

/**
 * Follows the newest of a page's `runs`, newest first, and loads the page again when it ends or is decided on. Pages
 * call `useReloadAfterRuns` as well, for decisions in another window.
 */
export function useCurrentRun(
  { kind, owner }: Pick<Run, 'kind' | 'owner'>,
  runs: readonly Run[],
  last: Run | null = null,
) {
  const { revalidate } = useRevalidator();
  const { run, lost, follow } = useRun(runs[0] ?? last, revalidate);
  const onChange = async (changed: Run) => {
    // An older run that was held back is not the one shown.
    await (changed.runid === run?.runid ? follow(changed) : revalidate());
  };
  return {
    run,
    lost,
    underWay: run !== null && isUnderWay(run),
    waiting: waitingRun(run, runs),
    onStarted: (runid: string) => follow(queuedRun(runid, kind, owner)),
    onChange,
    revalidate,
  };
}

type CurrentRunProps = {
  current: ReturnType<typeof useCurrentRun>;
  mayRun: boolean;
  /** The heading that says that the run is under way. */
  heading?: Ref<HTMLHeadingElement>;
};

/** The progress of the current run, and the run that waits for a release. */
export function CurrentRun({ current, mayRun, heading }: CurrentRunProps) {
  const { run, lost, underWay, waiting, onChange, revalidate } = current;
  return (
    <>
      {run !== null && underWay && (
        <RunProgress
          run={run}
          lost={lost}
          onChange={(changed) => void onChange(changed)}
          mayCancel={mayRun}
          heading={heading}
        />
      )}
      {waiting !== null && (
        <ReleaseNotice
          key={waiting.runid}
          run={waiting}
          newest={waiting.runid === run?.runid}
          mayRelease={mayRun}
          onChange={onChange}
          onRefused={revalidate}
        />
      )}
    </>
  );
}
