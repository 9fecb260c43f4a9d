import { describe, expect, it } from 'vitest';
import { ScheduleSettings } from '#shared/schedule/schema.ts';
import { addressOfDraft, draftErrors, draftOf, previewOf, timesOfDraft } from './schedule-draft.ts';

const draft = (more: object = {}) => ({ ...draftOf(ScheduleSettings.parse({ active: true })), ...more });

describe('a schedule while it is edited', () => {
  it.each([
    ['6', ['06:00']],
    ['18:00, 6:30', ['06:30', '18:00']],
    ['06.30 Uhr; 6:30', ['06:30']],
    ['06:00 12:00\n18:00', ['06:00', '12:00', '18:00']],
  ])('accepts times typed as %j', (times, read) => {
    expect(draftErrors(draft({ times }))).toEqual({});
    expect(timesOfDraft(draft({ times })).times).toEqual(read);
  });

  it.each([
    [{ times: '25:00' }, 'times'],
    [{ times: 'mittags' }, 'times'],
    [{ times: ' ' }, 'times'],
    [{ weekdays: [] }, 'weekdays'],
    [{ kind: 'interval', minutes: 4 }, 'minutes'],
  ])('reports what is wrong with %j and previews nothing', (more, field) => {
    expect(Object.keys(draftErrors(draft(more)))).toEqual([field]);
    expect(previewOf(draft(more), '2026-06-10T10:00:00Z')).toEqual([]);
    expect(draftErrors(draft({ ...more, active: false }))).toEqual({});
  });

  it('an address that is none is left out once switching off has hidden its field; others are saved', () => {
    const saved = (address: string, active: boolean) => addressOfDraft(draft({ address, active }));
    expect(saved(' shop.exam', true)).toBe('shop.exam');
    expect(['shop.exam', 'ftp://shop.example/a.csv', ''].map((typed) => saved(typed, false))).toEqual(['', '', '']);
    expect(saved('https://shop.example/a.csv ', false)).toBe('https://shop.example/a.csv');
  });

  it.each([{ kind: 'interval' }, { active: false }])(
    'saves no invalid time that %j hides: its error could not be seen or corrected',
    (more) => {
      const hidden = draft({ times: 'mittags, 6:30', ...more });
      expect(draftErrors(hidden)).toEqual({});
      expect(timesOfDraft(hidden).times).toEqual(['06:30']);
    },
  );

  it('previews five starts over the end of summer time', () => {
    expect(previewOf(draft({ times: '02:30' }), '2026-10-23T12:00:00Z')).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
      '2026-10-27T01:30:00.000Z',
      '2026-10-28T01:30:00.000Z',
    ]);
  });
});
