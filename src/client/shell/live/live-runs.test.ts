import { describe, expect, it } from 'vitest';
import type { CompanyEvent } from '#shared/live/schema.ts';
import { type LiveStatus, nothingRuns, withBroken, withEvent, withoutEnded, withStarted } from './live-runs.ts';

const event = (message: CompanyEvent['message'], state: CompanyEvent['state'], id: string): CompanyEvent => ({
  message,
  state,
  channel: message === 'import' ? '' : id,
  masterid: message === 'import' ? id : 'M',
});
const names = ({ imports, uploads, running, ended, finished }: LiveStatus) =>
  [[...imports], [...uploads], [...running], [...ended.keys()], finished] as const;

describe('what is running in the company', () => {
  it('LIV-02 a started run is marked until it ends, an ended channel a moment longer', () => {
    const all = [event('import', 'run', 'M'), event('upload', 'run', 'U'), event('channel', 'run', 'E')];
    const running = all.reduce(withEvent, nothingRuns);
    expect(names(running)).toEqual([['M'], ['U'], ['E'], [], 0]);
    const ended = all.map((one) => ({ ...one, state: 'idle' as const })).reduce(withEvent, running);
    expect(names(ended)).toEqual([[], [], [], ['E'], 3]);
    expect(names(withoutEnded(ended, 'E'))[3]).toEqual([]);
    expect(names(withEvent(ended, event('channel', 'run', 'E')))[3]).toEqual([]);
  });

  it('LIV-02 a channel whose new state is held does not count as merely ended, until it is decided on', () => {
    const [begun, done] = [event('channel', 'run', 'E'), event('channel', 'idle', 'E')];
    const held = [begun, { ...done, outcome: 'blocked' as const }].reduce(withEvent, nothingRuns);
    expect([...held.ended]).toEqual([['E', 'blocked']]);
    expect([...withoutEnded(held, 'E').ended]).toEqual([]);
    expect([...[begun, done].reduce(withEvent, held).ended]).toEqual([['E', 'done']]);
    expect([...[begun, { ...done, outcome: 'cancelled' as const }].reduce(withEvent, held).ended]).toEqual([
      ['E', 'cancelled'],
    ]);
  });

  it('LIV-02 a run that is missing when the stream opens again has ended in the meantime', () => {
    const first = withStarted(nothingRuns, [event('import', 'run', 'M'), event('channel', 'run', 'E')]);
    expect(names(first)).toEqual([['M'], [], ['E'], [], 0]);
    expect(names(withStarted(first, [event('channel', 'run', 'E')]))).toEqual([[], [], ['E'], [], 1]);
  });

  it('LIV-02 ended imports are counted by catalogue, also those that end with the event that shows them running', () => {
    const counted = ({ importsFinished }: LiveStatus) => [...importsFinished];
    const short = [event('import', 'run', 'M'), event('import', 'idle', 'M')].reduce(withEvent, nothingRuns);
    expect(counted(short)).toEqual([['M', 1]]);
    const others = [event('channel', 'run', 'E'), event('channel', 'idle', 'E')].reduce(withEvent, short);
    expect(counted(others)).toEqual([['M', 1]]);
    const missing = withStarted(withBroken(withEvent(others, event('import', 'run', 'N'))), []);
    expect(counted(missing)).toEqual([
      ['M', 1],
      ['N', 1],
    ]);
  });

  it('LIV-02 whoever heard nothing for too long reloads, imports included', () => {
    const running = withStarted(nothingRuns, [event('import', 'run', 'M')]);
    const back = withStarted(withBroken(running), [event('import', 'run', 'M')], true);
    expect([back.finished, back.missed, [...back.imports]]).toEqual([1, 1, ['M']]);
    expect(withEvent(back, event('import', 'idle', 'M'))).toMatchObject({ finished: 2, missed: 1 });
    expect(withBroken(back).missed).toBe(1);
  });

  it('LIV-03 a broken stream clears the markers; a run that ended before it is back counts as ended', () => {
    const running = withEvent(nothingRuns, event('import', 'run', 'M'));
    const broken = withBroken(withBroken(running));
    expect(names(broken)).toEqual([[], [], [], [], 0]);
    expect(names(withStarted(broken, []))[4]).toBe(1);
    expect(names(withStarted(broken, [event('import', 'run', 'M')]))).toEqual([['M'], [], [], [], 0]);
  });
});
