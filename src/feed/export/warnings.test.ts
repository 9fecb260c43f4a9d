import { expect, it } from 'vitest';
import { limitWarnings } from './warnings.ts';

it("a file beyond its channel's limits gets a warning with both numbers; a file within them gets none", () => {
  const template = { name: 'OTTO', limits: { items: 500, bytes: 10 * 1024 * 1024 } };
  expect(limitWarnings(template, { items: 501, bytes: 11 * 1024 * 1024 })).toEqual([
    expect.stringMatching(/OTTO nimmt höchstens 500 Artikel .* enthält 501\./),
    expect.stringMatching(/höchstens 10 MB an; diese hat 11 MB/),
  ]);
  expect(limitWarnings(template, { items: 500, bytes: 10 * 1024 * 1024 })).toEqual([]);
  expect(limitWarnings({ name: 'OTTO', limits: {} }, { items: 10_000, bytes: 10 })).toEqual([]);
  expect(limitWarnings(undefined, { items: 10_000, bytes: 10 })).toEqual([]);
});
