import { expect, it } from 'vitest';
import type { Run } from '#shared/runs/schema.ts';
import { failedWords, mayHideHeld, progressWords, replacesShown, supersededRuns, waitingRun } from './run-words.ts';

const run = (runid: string, state: 'queued' | 'running' | 'done', createdAt = '') => ({ runid, state, createdAt });

it('a newer run replaces the one shown, unless that one is not finished', () => {
  const old = run('old', 'done', '2026-11-20T10:00:00.000Z');
  const newer = run('new', 'running', '2026-11-20T11:00:00.000Z');
  expect(replacesShown(newer, old)).toBe(true);
  expect(replacesShown(newer, null)).toBe(true);
  expect(replacesShown(run('listed', 'queued'), old)).toBe(true);
  expect(replacesShown(newer, run('own', 'queued'))).toBe(false);
  // The run started here has ended, and the page does not know of it yet.
  expect(replacesShown(old, run('own', 'done', '2026-11-20T10:30:00.000Z'))).toBe(false);
  expect(replacesShown(run('own', 'queued'), run('own', 'done', '2026-11-20T10:30:00.000Z'))).toBe(false);
  expect(replacesShown(null, old)).toBe(false);
});

it('a held run that somebody else has decided on replaces itself, but never the other way round', () => {
  const held = { ...run('own', 'done'), state: 'blocked' as const };
  const decided = (['done', 'cancelled'] as const).map((state) => ({ ...held, state }));
  expect(decided.map((loaded) => replacesShown(loaded, held))).toEqual([true, true]);
  // The page was loaded before the decision made here.
  expect(decided.map((shown) => replacesShown(held, shown))).toEqual([false, false]);
  expect(replacesShown(held, held)).toBe(false);
});

it('the progress of an export counts its items, in the singular for one', () => {
  const words = (done: number, total: number) =>
    progressWords({ kind: 'export', state: 'running', progress: { done, total, phase: '' } } as Run);
  expect(words(1, 1)).toBe('1 von 1\u00a0Artikel (100\u00a0%)');
  expect(words(19_999, 20_000)).toBe('19.999 von 20.000\u00a0Artikeln (99,9\u00a0%)');
  expect(words(1200, 4800)).toBe('1.200 von 4.800\u00a0Artikeln (25\u00a0%)');
});

const listed = (hour: number, state: Run['state']): Run =>
  ({ runid: String(hour), state, createdAt: `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z` }) as Run;

it('DIF-03 a held-back run waits for its release until a later one is accepted, not until one fails', () => {
  const held = listed(10, 'blocked');
  const waiting = (...later: Run[]) => {
    const runs = [...later.toReversed(), held, listed(9, 'done')];
    return waitingRun(runs[0] ?? null, runs)?.runid;
  };
  expect([waiting(), waiting(listed(11, 'failed'), listed(12, 'cancelled'))]).toEqual(['10', '10']);
  expect([waiting(listed(11, 'blocked')), waiting(listed(11, 'done'), listed(12, 'failed'))]).toEqual([
    '11',
    undefined,
  ]);
  expect(waiting(listed(11, 'running'))).toBeUndefined();
  // The run shown is known to have ended before the list is loaded again.
  expect(waitingRun(listed(10, 'done'), [held])).toBeNull();
  expect(waitingRun(listed(11, 'failed'), [held])).toBe(held);
});

it('DIF-03 only held-back runs before the last accepted one are superseded', () => {
  const runs = [listed(12, 'blocked'), listed(11, 'done'), listed(10, 'blocked'), listed(9, 'failed')];
  expect([...supersededRuns(runs)]).toEqual(['10']);
  expect([...supersededRuns(runs.slice(2))]).toEqual([]);
  // A run of changes only that found none.
  const none = { ...listed(12, 'done'), accepted: 0, difference: null };
  expect([...supersededRuns([none, listed(11, 'blocked')])]).toEqual([]);
});

it('DIF-03 only a run that ended without a state of its own can hide a held-back one', () => {
  const hides = (['queued', 'running', 'done', 'failed', 'cancelled', 'blocked'] as const).filter((state) =>
    mayHideHeld(listed(12, state)),
  );
  expect(hides).toEqual(['failed', 'cancelled']);
  expect(mayHideHeld({ ...listed(12, 'done'), accepted: 0, difference: null })).toBe(true);
  expect(mayHideHeld(null)).toBe(false);
});

it('a failed run says that the old state is safe, unless its message does', () => {
  const words = (message: string | null) => failedWords({ ...listed(12, 'failed'), message });
  const safe = 'Der bisherige Stand gilt weiter.';
  expect(words('Das Feld Standardpreis fehlt.')).toBe(`Das Feld Standardpreis fehlt. ${safe}`);
  expect([words(null), words(`Abgebrochen. ${safe}`)]).toEqual([safe, `Abgebrochen. ${safe}`]);
});
