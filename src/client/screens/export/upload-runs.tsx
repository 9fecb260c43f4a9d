import type { Run } from '#shared/runs/schema.ts';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { uploadsId } from '#client/fields/runs/upload-failed.tsx';
import { useRun } from '#client/fields/runs/use-run.ts';

type UploadRunsProps = { uploads: readonly Run[]; mayRun: boolean; onChange: () => void };

/** The uploads of the file to the channel's server; empty if there were none. */
export function UploadRuns({ uploads, mayRun, onChange }: UploadRunsProps) {
  const [last] = uploads;
  // A failed upload waits up to an hour for its next attempt, so it is not polled.
  const isWaiting = last?.state === 'queued' && last.startedAt !== null;
  useRun(isWaiting ? null : (last ?? null), onChange);
  return (
    <RunHistory runs={uploads} title="Letzte Übertragungen" id={uploadsId} onRetried={mayRun ? onChange : undefined} />
  );
}
