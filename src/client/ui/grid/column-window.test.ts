import { describe, expect, it } from 'vitest';
import { windowOf } from './column-window.ts';

describe('the drawn columns of a very wide grid', () => {
  const widths = Array.from({ length: 500 }, () => 100);

  it('renders the visible columns and keeps the width of the others as space', () => {
    const { from, to, before, after } = windowOf(widths, 20_000, 1000);
    expect(before + after + (to - from) * 100).toBe(50_000);
    expect(before).toBeLessThanOrEqual(20_000);
    expect(before + (to - from) * 100).toBeGreaterThanOrEqual(21_000);
    expect(to - from).toBeLessThan(30);
  });

  it('renders the last columns at the right end', () => expect(windowOf(widths, 49_000, 1000).to).toBe(500));
});
