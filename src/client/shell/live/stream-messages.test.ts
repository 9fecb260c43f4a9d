import { expect, it } from 'vitest';
import { CompanyEvent, CompanyRunning } from '#shared/live/schema.ts';
import { companyEventOf, messageOf, runningOf } from './stream-messages.ts';

const event = { message: 'channel', state: 'run', channel: 'x1', masterid: '' };
const wrong = [
  null,
  'run',
  [],
  {},
  { ...event, message: 'other' },
  { ...event, state: 'ended' },
  { ...event, channel: 1 },
  { ...event, masterid: null },
  { ...event, outcome: 'done' },
];

it.each([
  event,
  { ...event, message: 'upload' },
  { ...event, outcome: 'toString' },
  { ...event, state: 'idle', outcome: 'failed' },
  { ...event, state: 'idle', outcome: 'blocked' },
  { ...event, state: 'idle', outcome: 'cancelled' },
  { ...event, state: 'idle', outcome: 'discarded' },
  { ...event, message: 'import', state: 'idle', masterid: 'm1', more: true },
  ...wrong,
])('LIV-01: the hand-written check takes what the schema takes: %j', (value) => {
  const wanted = CompanyEvent.safeParse(value);
  if (wanted.success) expect(companyEventOf(value)).toEqual(wanted.data);
  else expect(() => companyEventOf(value)).toThrow('not a live status event');
});

it('LIV-01: a list of running jobs is refused if one of its events is invalid', () => {
  expect(runningOf([event])).toEqual(CompanyRunning.parse([event]));
  for (const value of wrong) expect(() => runningOf([event, value])).toThrow('not a live status event');
  expect(() => runningOf({ 0: event })).toThrow('not a list');
});

it('a message of another version of the page is not heard', () => {
  expect(messageOf({ kind: 'event', event })).toEqual({ kind: 'event', event });
  expect(messageOf({ kind: 'running', running: [event] })).toEqual({ kind: 'running', running: [event] });
  const newcomer = { kind: 'newcomer', age: 3, from: 'w1' };
  expect(messageOf(newcomer)).toEqual(newcomer);
  expect(messageOf({ kind: 'newcomer' })).toEqual({ kind: 'newcomer', age: 0, from: '' });
  expect(messageOf({ kind: 'event', event, to: 'w1' })).toEqual({ kind: 'event', event, to: 'w1' });
  expect(messageOf({ kind: 'broken' })).toEqual({ kind: 'broken' });
  for (const value of [null, 'newcomer', { kind: 'later' }, { kind: 'event' }, { kind: 'running', running: [{}] }])
    expect(messageOf(value)).toBeUndefined();
});
