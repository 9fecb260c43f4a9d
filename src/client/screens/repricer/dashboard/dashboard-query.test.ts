import { expect, it } from 'vitest';
import { dashboardPresets, listIn, listWord, rangeIn, tabIn } from './dashboard-query.ts';

const search = (text: string) => new URLSearchParams(text);

it('RDA-01 the presets of the range have their specified names, and end today or with the previous month', () => {
  const of = Object.fromEntries(dashboardPresets.map(({ label, of: range }) => [label, range('2026-03-31')]));
  expect(of).toEqual({
    'last 7 days': { start: '2026-03-25', end: '2026-03-31' },
    'Last 30 Days': { start: '2026-03-02', end: '2026-03-31' },
    'This Month': { start: '2026-03-01', end: '2026-03-31' },
    'Last Month': { start: '2026-02-01', end: '2026-02-28' },
    'Last 3 Month': { start: '2025-12-01', end: '2026-02-28' },
  });
});

it('RDA-01 an address with a reversed, too long, invalid or missing range yields no range', () => {
  expect(rangeIn(search('von=2026-03-01&bis=2026-03-01'))).toEqual({ start: '2026-03-01', end: '2026-03-01' });
  for (const text of [
    '',
    'von=2026-03-02&bis=2026-03-01',
    'von=2010-01-01&bis=2026-03-01',
    'von=2026-02-30&bis=2026-03-01',
  ])
    expect([text, rangeIn(search(text))]).toEqual([text, undefined]);
});

it('RDA-05 the address names the articles of a rank or of a competitor, whatever characters its id contains', () => {
  expect(listIn(search('liste=rang:2'))).toEqual({ kind: 'rank', rank: 2 });
  expect(listIn(search('liste=haendler:A:1%20B'))).toEqual({ kind: 'competitor', id: 'A:1 B' });
  for (const text of ['', 'liste=rang:x', 'liste=rang:-1', 'liste=haendler:', 'liste=alle:1'])
    expect([text, listIn(search(text))]).toEqual([text, undefined]);
  expect([listWord({ kind: 'rank', rank: 0 }), listWord({ kind: 'competitor', id: 'A:1' })]).toEqual([
    'rang:0',
    'haendler:A:1',
  ]);
  expect([tabIn(search('tab=raenge')), tabIn(search('tab=x'))]).toEqual(['raenge', 'nachrichten']);
});
