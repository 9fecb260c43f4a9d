import { expect, it } from 'vitest';
import { SnapshotWatch } from './snapshot-watch.ts';

/** What each snapshot of a series reports, the first one left out. */
function changesOf(series: readonly string[], ignored: readonly string[] = []) {
  const watch = new SnapshotWatch();
  const left = new Set(ignored.map(BigInt));
  return series.map((text) => watch.compare(text, left)).slice(1);
}

it('the first snapshot counts as a change, and one that could not be read', () => {
  const watch = new SnapshotWatch();
  expect([watch.compare('5:5:'), watch.compare('5:5:')]).toEqual([true, false]);
  expect([watch.compare(undefined), watch.compare('5:5:')]).toEqual([true, true]);
});

it.each([
  ['nothing was written', ['5:5:', '5:5:'], [], [false]],
  ['a transaction has ended', ['5:5:', '6:6:'], [], [true]],
  ['one that was running has ended', ['5:7:5', '7:7:'], [], [true]],
  ['one is still running', ['5:5:', '5:6:5', '5:6:5', '6:6:'], [], [false, false, true]],
  ['a later one has ended before it', ['5:5:', '5:7:5'], [], [true]],
  ['the database is an older one', ['5:5:', '4:4:'], [], [true]],
  ['an ignored one has ended', ['5:5:', '6:6:', '6:6:'], ['5'], [false, false]],
  ['an ignored one that was running has ended', ['5:6:5', '6:6:'], ['5'], [false]],
  ['an ignored one and another', ['5:5:', '7:7:'], ['5'], [true]],
  ['another one, after an ignored one', ['5:5:', '6:6:', '7:7:'], ['5'], [false, true]],
  [
    'ids beyond 32 bits',
    ['5000000000000000005:5000000000000000005:', '5000000000000000006:5000000000000000006:'],
    [],
    [true],
  ],
])('reports the end of a writing transaction: %s', (_, series, ignored, changes) => {
  expect(changesOf(series, ignored)).toEqual(changes);
});
