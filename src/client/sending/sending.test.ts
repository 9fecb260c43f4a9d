import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError, lostConnection } from '#client/call.ts';
import { ImportUpload } from '#shared/import/upload-calls.ts';
import { Pace } from './pace.ts';
import { isSameFile } from './pieces.ts';
import { retryUntilDone, waitSeconds, type Waiting } from './retry.ts';

const answered = (status: number, code: string) => new CallError(status, { code, message: 'Grund.', requestId: '' });

describe('automatic retries', () => {
  const online = new EventTarget();
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('addEventListener', online.addEventListener.bind(online));
    vi.stubGlobal('removeEventListener', online.removeEventListener.bind(online));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const start = (failures: readonly unknown[], signal = new AbortController().signal) => {
    const told: (Waiting | null)[] = [];
    const work = vi.fn(async (failed: number) => {
      if (failed < failures.length) throw failures[failed];
      return 'da';
    });
    const done = retryUntilDone(work, { onWait: (waiting) => told.push(waiting), signal });
    done.catch(() => undefined);
    return { done, told, work };
  };

  it('wait twice as long each time, at most 30 s', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map(waitSeconds)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it('follow failures that may pass, and report the reason and the seconds left', async () => {
    const { done, told } = start([lostConnection(), answered(503, 'disk_full'), answered(429, 'too_many_uploads')]);
    await vi.advanceTimersByTimeAsync(7000);
    expect(await done).toBe('da');
    const interrupted = 'Die Verbindung ist unterbrochen.';
    expect(told).toEqual([
      ...[1, 0].map((seconds) => ({ reason: interrupted, seconds })),
      ...[2, 1, 0].map((seconds) => ({ reason: 'Grund.', seconds })),
      ...[4, 3, 2, 1, 0].map((seconds) => ({ reason: 'Grund.', seconds })),
      null,
    ]);
  });

  it('end after five when the server keeps failing with status 500', async () => {
    const faults = Array.from({ length: 9 }, () => answered(500, 'internal'));
    const { done, work } = start(faults);
    await vi.advanceTimersByTimeAsync(200_000);
    await expect(done).rejects.toBe(faults[5]);
    expect(work).toHaveBeenCalledTimes(6);
  });

  it('do not follow failures that will not pass', async () => {
    for (const error of [
      answered(404, 'not_found'),
      answered(401, 'no_session'),
      answered(0, 'file_unreadable'),
      new Error('x'),
    ])
      await expect(start([error]).done).rejects.toBe(error);
  });

  it('run at once when the browser is online again, and never after an abort', async () => {
    const many = Array.from({ length: 9 }, () => lostConnection());
    const stop = new AbortController();
    const { done, work } = start(many, stop.signal);
    await vi.advanceTimersByTimeAsync(8000);
    expect(work).toHaveBeenCalledTimes(4);
    online.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(5);
    stop.abort(new Error('gestoppt'));
    await expect(done).rejects.toThrow('gestoppt');
    await vi.advanceTimersByTimeAsync(100_000);
    expect(work).toHaveBeenCalledTimes(5);
  });
});

describe('the file to resume an upload with', () => {
  const upload = ImportUpload.parse({
    id: 'u',
    masterid: 'm',
    name: 'a.csv',
    size: 3,
    modified: 5,
    options: {},
    received: 3,
    first: { bytes: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
    by: 'Anna',
    changedAt: '2026-11-26T10:00:00Z',
    until: '2026-11-27T10:00:00Z',
    leastPiece: 1,
    mostPiece: 8,
    runid: null,
  });
  const file = (text: string, name: string, lastModified: number) => new File([text], name, { lastModified });

  it('must have the same name, size, time of last change and beginning', async () => {
    expect(await isSameFile(file('abc', 'a.csv', 5), upload)).toBe(true);
    for (const other of [
      file('abd', 'a.csv', 5),
      file('abc', 'b.csv', 5),
      file('abcd', 'a.csv', 5),
      file('abc', 'a.csv', 6),
    ])
      expect(await isSameFile(other, upload)).toBe(false);
  });

  it('matches without a known time of change, and with a time before 1970', async () => {
    expect(await isSameFile(file('abc', 'a.csv', 6), { ...upload, modified: null })).toBe(true);
    expect(await isSameFile(file('abc', 'a.csv', -3_600_000), { ...upload, modified: 0 })).toBe(true);
  });
});

describe('the speed of a transfer', () => {
  it('is that of the last 15 s, and unknown at first and after an interruption', () => {
    const pace = new Pace();
    pace.tell(0, 0);
    pace.tell(500, 1000);
    expect(pace.perSecond()).toBeNull();
    for (let second = 1; second <= 60; second++) pace.tell(second * 1000, second * 2000);
    expect(pace.perSecond()).toBe(2000);
    for (let second = 61; second <= 80; second++) pace.tell(second * 1000, 120_000 + (second - 60) * 100);
    expect(pace.perSecond()).toBe(100);
    pace.tell(81_000, 100_000);
    expect(pace.perSecond()).toBeNull();
  });
});
