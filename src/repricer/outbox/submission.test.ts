import { describe, expect, it } from 'vitest';
import {
  afterAnswer,
  afterFailedReading,
  afterFailure,
  afterReading,
  SUBMIT,
  tooLate,
  type Submission,
} from './submission.ts';

const now = new Date('2026-01-15T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const submission = (change: Partial<Submission> = {}): Submission => ({
  company: 'c',
  id: 'i',
  master: 'm',
  marketplace: 'M1',
  item: 'A-1',
  account: 'k',
  sku: 'S1',
  decision: 1,
  rule: 'r',
  limits_version: '1:1',
  currency: 'EUR',
  price_cents: 1399,
  min_cents: 1000,
  max_cents: 2000,
  state: 'sending',
  sends: 1,
  fence: 1,
  sent_at: now,
  accepted_at: null,
  restored: false,
  created_at: now,
  ...change,
});

describe('the state of a submitted price', () => {
  it('REP-19 a submission checked too long ago is checked again before its call, and does not count as sent', () => {
    expect(tooLate(submission({ sent_at: ago(SUBMIT.callWithin) }), now)).toBeUndefined();
    expect(tooLate(submission({ sent_at: ago(SUBMIT.callWithin + 1) }), now)).toMatchObject({
      state: 'new',
      notSent: true,
    });
  });

  it('REP-19 a response without this SKU leaves the outcome unknown; INVALID without a text gets a message', () => {
    expect(afterAnswer(undefined, now)).toMatchObject({ state: 'unknown' });
    expect(afterAnswer({ sku: 'S1', state: 'INVALID', reference: '', issues: [] }, now)).toMatchObject({
      state: 'invalid',
      message: expect.stringMatching(/abgelehnt/),
    });
  });

  it('REP-19 failures: retryable ones are retried with growing pauses, unclear ones read back, too many end as invalid', () => {
    const after = (kind: 'retryable' | 'unknown' | 'permanent' | 'auth' | 'conflict', fence = 1, delayMs?: number) =>
      afterFailure(submission({ fence }), { kind, message: 'x', delayMs }, now);
    expect(after('unknown').state).toBe('unknown');
    expect(after('conflict').state).toBe('unknown');
    expect(after('permanent')).toMatchObject({ state: 'invalid' });
    expect(after('auth')).toMatchObject({
      state: 'new',
      notSent: true,
      notBefore: new Date(now.getTime() + SUBMIT.authPause),
    });
    expect(after('retryable', 1, 5000)).toMatchObject({ state: 'new', notBefore: new Date(now.getTime() + 5000) });
    expect(after('retryable', 3)).toMatchObject({ notBefore: new Date(now.getTime() + 8000) });
    expect(after('retryable', SUBMIT.tries)).toMatchObject({ state: 'invalid' });
  });

  it('REP-19 reading back decides: the price is live; or it waits, then is sent again, at most three times', () => {
    expect(afterReading(submission({ state: 'unknown' }), 1399, now)).toEqual({ state: 'live' });
    expect(afterReading(submission({ state: 'unknown', sent_at: ago(60_000) }), 1500, now)).toMatchObject({
      state: 'unknown',
    });
    expect(afterReading(submission({ state: 'unknown', sent_at: ago(SUBMIT.unknownWait) }), 1500, now)).toMatchObject({
      state: 'new',
    });
    const accepted = submission({ state: 'accepted', accepted_at: ago(SUBMIT.liveWithin) });
    expect(afterReading({ ...accepted, accepted_at: ago(1000) }, null, now)).toMatchObject({ state: 'accepted' });
    expect(afterReading(accepted, null, now)).toMatchObject({ state: 'new' });
    expect(afterReading({ ...accepted, sends: 4 }, null, now)).toMatchObject({ state: 'invalid' });
  });

  it('REP-19 an offer that is briefly not visible is no reason to send its price again', () => {
    const unknown = submission({ state: 'unknown', sent_at: ago(SUBMIT.unknownWait) });
    expect(afterReading(unknown, null, now)).toMatchObject({ state: 'unknown' });
    const long = { ...unknown, sent_at: ago(SUBMIT.liveWithin) };
    expect(afterReading(long, null, now)).toMatchObject({ state: 'new' });
  });

  it('REP-19 a failed read-back is retried later, after the requested time but at most a quarter of an hour', () => {
    const pause = (sentMs: number, delayMs?: number) => {
      const row = submission({ state: 'accepted', accepted_at: ago(sentMs) });
      const { state, notBefore } = afterFailedReading(row, { message: 'x', delayMs }, now);
      return [state, (notBefore?.getTime() ?? Number.NaN) - now.getTime()];
    };
    expect(pause(1000)).toEqual(['accepted', SUBMIT.unknownLook]);
    expect(pause(10 * 60_000)).toEqual(['accepted', 150_000]);
    expect(pause(10 * 60_000, 200_000)).toEqual(['accepted', 200_000]);
    expect(pause(SUBMIT.readWithin - 1)).toEqual(['accepted', SUBMIT.readPause]);
    const unreadable = submission({ state: 'unknown', sent_at: ago(SUBMIT.readWithin) });
    expect(afterFailedReading(unreadable, { message: 'Zugang verweigert.' }, now)).toMatchObject({
      state: 'invalid',
      message: expect.stringMatching(/nachlesen.*Zugang verweigert/),
    });
  });
});
