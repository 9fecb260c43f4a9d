import { expect, it } from 'vitest';
import type { Run } from '#shared/runs/schema.ts';
import { progressWords, replacesShown } from './run-words.ts';

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

it('the progress of an export counts its items, in the singular for one', () => {
  const words = (done: number, total: number) =>
    progressWords({ kind: 'export', state: 'running', progress: { done, total, phase: '' } } as Run);
  expect(words(1, 1)).toBe('1 von 1\u00a0Artikel (100\u00a0%)');
  expect(words(1200, 4800)).toBe('1.200 von 4.800\u00a0Artikeln (25\u00a0%)');
});
