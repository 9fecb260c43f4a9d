import { expect, it } from 'vitest';
import { SnapshotWatch } from './snapshot-watch.ts';

/** What each snapshot of a series reports, the first one left out. */
function changesOf(series: readonly string[], reports: readonly string[] = []) {
  const watch = new SnapshotWatch();
  return series.map((snapshot) => watch.compare({ snapshot, reports })).slice(1);
}

it('the first snapshot counts as a change, and one that could not be read', () => {
  const watch = new SnapshotWatch();
  const same = { snapshot: '5:5:', reports: [] };
  expect([watch.compare(same), watch.compare(same)]).toEqual([true, false]);
  expect([watch.compare(undefined), watch.compare(same)]).toEqual([true, true]);
});

it.each([
  ['nothing was written', ['5:5:', '5:5:'], [], [false]],
  ['a transaction has ended', ['5:5:', '6:6:'], [], [true]],
  ['one that was running has ended', ['5:7:5', '7:7:'], [], [true]],
  ['one is still running', ['5:5:', '5:6:5', '5:6:5', '6:6:'], [], [false, false, true]],
  ['a later one has ended before it', ['5:5:', '5:7:5'], [], [true]],
  ['the database is an older one', ['5:5:', '4:4:'], [], [true]],
  ['a report has ended', ['5:5:', '6:6:', '6:6:'], ['5'], [false, false]],
  ['a report that was running has ended', ['5:6:5', '6:6:'], ['5'], [false]],
  ['a report and another one', ['5:5:', '7:7:'], ['5'], [true]],
  ['another one, after a report', ['5:5:', '6:6:', '7:7:'], ['5'], [false, true]],
  [
    'ids beyond 32 bits',
    ['5000000000000000005:5000000000000000005:', '5000000000000000006:5000000000000000006:'],
    [],
    [true],
  ],
])('reports the end of a writing transaction: %s', (_, series, reports, changes) => {
  expect(changesOf(series, reports)).toEqual(changes);
});
