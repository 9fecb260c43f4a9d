import type { Run } from '#shared/runs/schema.ts';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { useRun } from '#client/fields/runs/use-run.ts';

type UploadRunsProps = { uploads: readonly Run[]; mayRun: boolean; onChange: () => void };

/** What became of the file on its way to the channel's server; nothing where it never went there. */
export function UploadRuns({ uploads, mayRun, onChange }: UploadRunsProps) {
  const [last] = uploads;
  // One that failed waits for its next try up to an hour.
  const isWaiting = last?.state === 'queued' && last.startedAt !== null;
  useRun(isWaiting ? null : (last ?? null), onChange);
  return <RunHistory runs={uploads} title="Letzte Übertragungen" onRetried={mayRun ? onChange : undefined} />;
}
