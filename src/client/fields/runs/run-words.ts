import type { Run } from '#shared/runs/schema.ts';
import { discardedWord, type RunState } from '#shared/runs/words.ts';
import type { BadgeTone } from '#client/ui/badge.tsx';
import { formatBytes, formatCount, formatInteger, formatShare } from '#client/ui/text/formats.ts';

export const runTones: Record<RunState, BadgeTone> = {
  queued: 'gray',
  running: 'blue',
  done: 'green',
  failed: 'red',
  cancelled: 'gray',
  blocked: 'yellow',
};

/** Tells whether a run may still change by itself. */
export const isUnderWay = (run: Pick<Run, 'state'>): boolean => run.state === 'queued' || run.state === 'running';

type Known = Pick<Run, 'runid' | 'state' | 'createdAt'>;

/**
 * Tells whether a run that the page loaded replaces the one shown: it is newer, and the one shown has ended; or it is the same,
 * and somebody else has decided on it. The page may know less than what was started or decided here; a run without a time has
 * only just been listed.
 */
export function replacesShown(loaded: Known | null, shown: Known | null): boolean {
  if (loaded === null) return false;
  if (shown === null) return true;
  if (loaded.runid === shown.runid)
    return shown.state === 'blocked' && (loaded.state === 'done' || loaded.state === 'cancelled');
  return !isUnderWay(shown) && (loaded.createdAt === '' || loaded.createdAt > shown.createdAt);
}

/** Tells whether a run's state was put in force. A run of changes only that found none accepted nothing. */
const isAccepted = ({ state, accepted, difference }: Run): boolean =>
  state === 'done' && (accepted !== 0 || difference !== null);

/** Tells whether an older run may still wait for its release behind the newest one, which ended without a state of its own. */
export const mayHideHeld = (newest: Run | null): newest is Run =>
  newest !== null && !isUnderWay(newest) && newest.state !== 'blocked' && !isAccepted(newest);

/** Runs that were held back and can no longer be released, because a later one was accepted. `runs` are newest first. */
export function supersededRuns(runs: readonly Run[]): ReadonlySet<string> {
  const accepted = runs.findIndex(isAccepted);
  const older = accepted < 0 ? [] : runs.slice(accepted + 1);
  return new Set(older.filter(({ state }) => state === 'blocked').map(({ runid }) => runid));
}

/**
 * Returns the newest run that still waits for a release: a later one that failed or was discarded does not replace it. `shown`
 * may be newer than the loaded `runs`; null while it is under way.
 */
export function waitingRun(shown: Run | null, runs: readonly Run[]): Run | null {
  if (shown === null || isUnderWay(shown)) return null;
  const current = [shown, ...runs.filter(({ runid }) => runid !== shown.runid)].toSorted((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  );
  const superseded = supersededRuns(current);
  return current.find(({ runid, state }) => state === 'blocked' && !superseded.has(runid)) ?? null;
}

/** Tells whether a run ended well, but with warnings: something of its result may be missing. */
export const isDoneWithWarnings = ({ state, warnings }: Pick<Run, 'state' | 'warnings'>): boolean =>
  state === 'done' && warnings.length > 0;

/** Wording for a stored state that was never put in force. */
export const heldWords = { waiting: 'wartet auf Freigabe', discarded: discardedWord } as const;

/** Says why a run failed, and that the old state is safe; most server messages say the latter themselves. */
export function failedWords({ message }: Run): string {
  const cause = message ?? '';
  return /\bStand\b/.test(cause) ? cause : `${cause} Der bisherige Stand gilt weiter.`.trim();
}

/** Formats the progress of a run. An import counts bytes, an export items. */
export function progressWords(run: Run): string {
  const { done, total } = run.progress;
  if (total <= 0) return run.state === 'queued' ? 'wartet auf den Start' : '';
  const amount =
    run.kind === 'import'
      ? `${formatBytes(done)} von ${formatBytes(total)}`
      : `${formatInteger(done)} von ${formatCount(total, 'Artikel', 'Artikeln')}`;
  return `${amount} (${formatShare(done / total)})`;
}
