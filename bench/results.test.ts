import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { comparison, type Figure, keepResults, lastFigures, type Results } from './results.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

const figure = (name: string, ratio: number): Figure => ({
  name,
  goal: 1,
  ratio,
  min: ratio - 0.1,
  max: ratio + 0.1,
  cpu: 1,
  ms: 10,
  rssMb: 1,
});
const results = (at: string, figures: Figure[], more: Partial<Results> = {}): Results => ({
  machine: 'A',
  commit: 'abc',
  at,
  items: 100,
  runs: 3,
  figures,
  ...more,
});

describe('stored benchmark results', () => {
  it('the last figure of each name is the newest one of the same machine and number of items', () => {
    keepResults(folder, results('2026-01-01T00:00:00.000Z', [figure('import', 2), figure('rules', 3)]));
    keepResults(folder, results('2026-01-02T00:00:00.000Z', [figure('import', 1.5)]));
    keepResults(folder, results('2026-01-03T00:00:00.000Z', [figure('import', 9)], { machine: 'B' }));
    keepResults(folder, results('2026-01-04T00:00:00.000Z', [figure('import', 9)], { items: 200 }));
    const last = lastFigures(folder, 'A', 100);
    expect([last.get('import')?.ratio, last.get('rules')?.ratio]).toEqual([1.5, 3]);
    expect(lastFigures(join(folder, 'nirgends'), 'A', 100).size).toBe(0);
  });

  it('reports slower or faster only if the new figure lies outside the spread of both', () => {
    expect(comparison(figure('x', 1.5), undefined)).toBe('');
    expect(comparison(figure('x', 1.55), figure('x', 1.5))).toBe('zuletzt 1.50');
    expect(comparison(figure('x', 3), figure('x', 1.5))).toBe('zuletzt 1.50: langsamer um 100 %');
    expect(comparison(figure('x', 1), figure('x', 2))).toBe('zuletzt 2.00: schneller um 50 %');
  });
});
