import { describe, expect, it } from 'vitest';
import { PlaceRefused } from '#platform/egress/address-rules.ts';
import { KontorError } from '#platform/errors.ts';
import { storeAway } from '#platform/storage/store-errors.ts';
import { endOfFailure, nextAttempt, type Retry, retryScheduled } from './retries.ts';

const after = (tries: number, more: object = {}) => ({ result: JSON.stringify({ ...more, tries }) });

describe('retries', () => {
  const scheduled = { scheduled: true };
  const unreachable = new KontorError(502, 'address_unreachable', 'Die Adresse antwortet nicht.');

  it('a failure that may pass is retried after 1, 5 and 15 minutes, then the job fails', () => {
    const ends = [0, 1, 2, 3].map((tries) =>
      endOfFailure(retryScheduled, { job: after(tries), payload: scheduled }, unreachable),
    );
    expect(ends.map((end) => [end?.state, end?.seconds])).toEqual([
      ['again', 60],
      ['again', 300],
      ['again', 900],
      ['failed', undefined],
    ]);
    // What is stored stays true: when the next attempt is due, the row says.
    expect(ends[0]?.message).toBe('Die Adresse antwortet nicht.');
    expect(ends[1]?.message).toBe('Die Adresse antwortet nicht.');
    expect(ends[3]?.message).toBe('Die Adresse antwortet nicht. Es wurde 4-mal versucht.');
  });

  it('a job has a next attempt only while it waits after a failed one', () => {
    const at = new Date('2026-11-30T13:32:00Z');
    const next = (state: 'queued' | 'running' | 'failed', tries: number, not_before: Date | null = at) =>
      nextAttempt({ state, not_before, ...after(tries) });
    expect(next('queued', 1)).toBe(at);
    expect([next('queued', 0), next('running', 1), next('failed', 4), next('queued', 1, null)]).toEqual(
      Array.from({ length: 4 }),
    );
  });

  it('a job held up by the file store is retried, although a user started it', () => {
    const end = endOfFailure(retryScheduled, { job: after(0), payload: {} }, storeAway(new Error('gone')));
    expect(end).toMatchObject({ state: 'again', seconds: 60 });
  });

  it('a server that asks for a longer wait gets it, up to an hour', () => {
    const busy = (retryAfter: number) => new KontorError(503, 'address_busy', 'Bitte später.', { retryAfter });
    const seconds = (retryAfter: number) =>
      endOfFailure(retryScheduled, { job: after(0), payload: scheduled }, busy(retryAfter))?.seconds;
    expect([seconds(10), seconds(1000), seconds(90_000)]).toEqual([60, 1000, 3600]);
  });

  it('jobs started by a user, and permanent failures, fail at once; a bug is not handled here', () => {
    const refused = new KontorError(422, 'address_refused', 'Diese Adresse ist nicht erlaubt.', {
      cause: new PlaceRefused('name'),
    });
    const end = (payload: object, error: unknown) => endOfFailure(retryScheduled, { job: after(0), payload }, error);
    expect(end({}, unreachable)).toEqual({ state: 'failed', message: 'Die Adresse antwortet nicht.' });
    expect(end(scheduled, refused)).toEqual({ state: 'failed', message: 'Diese Adresse ist nicht erlaubt.' });
    expect(end(scheduled, new TypeError('x is undefined'))).toBeUndefined();
  });

  it("the last wait is repeated up to the number of attempts; the job's own data is kept; users are notified in time", () => {
    const retry: Retry<unknown> = {
      waits: [1, 60],
      attempts: 5,
      failureOf: () => ({ message: 'Nein.', mayPass: true }),
      givenUp: (attempts) => `${attempts}-mal versucht.`,
      tellAfter: 3,
    };
    const end = (tries: number) => endOfFailure(retry, { job: after(tries, { due: 'bald' }), payload: {} }, 'x');
    expect([0, 1, 2, 3].map((tries) => end(tries)?.seconds)).toEqual([60, 3600, 3600, 3600]);
    expect([0, 1, 2, 3].map((tries) => end(tries)?.failsForLong)).toEqual([false, false, true, true]);
    expect(end(1)?.result).toEqual({ due: 'bald', tries: 2 });
    expect(end(4)).toEqual({ state: 'failed', message: 'Nein. 5-mal versucht.' });
  });
});
