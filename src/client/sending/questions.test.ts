import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '#shared/http/api.ts';
import { shapeOf } from '#client/call.ts';
import { uploadInChunks, type Sending } from './pieces.ts';

const file = new File(['abc'], 'a.csv', { lastModified: 5 });
/** The file has arrived completely: only finding the upload and finishing it are left. */
const upload = {
  id: 'u00000000001',
  masterid: 'm00000000001',
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
};

describe('requests of an upload in pieces', () => {
  beforeEach(async () => {
    for (const call of [api.importUploads, api.finishImportUpload, api.beginImportUpload]) await shapeOf(call);
    vi.useFakeTimers();
    vi.stubGlobal('addEventListener', () => undefined);
    vi.stubGlobal('removeEventListener', () => undefined);
    // The real one ignores the test's fake timers.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms);
      return late.signal;
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  /** A server that leaves the first `silent` requests unanswered; returns the list of requests. */
  const answering = (silent: number) => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (path: string, { method, signal }: RequestInit) => {
      asked.push(`${method} ${path}`);
      if (asked.length <= silent)
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      if (path.endsWith('/finish')) return Promise.resolve(Response.json({ runid: upload.id }));
      return Promise.resolve(Response.json(method === 'GET' ? [upload] : upload));
    });
    return asked;
  };
  const send = (options: { sheet?: string | undefined }, signal = new AbortController().signal) => {
    const told: Sending[] = [];
    const order = { file, options, upload: undefined, onUpload: () => undefined, signal };
    const done = uploadInChunks(upload.masterid, { ...order, onProgress: (state) => told.push(state) });
    done.catch(() => undefined);
    return { done, told };
  };
  const list = `GET /api/masters/${upload.masterid}/uploads`;
  const finish = `POST /api/uploads/${upload.id}/finish`;

  it('a request without an answer in time counts as a lost connection and is retried', async () => {
    const asked = answering(1);
    const { done, told } = send({});
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked).toEqual([list]);
    await vi.advanceTimersByTimeAsync(10_000);
    // Hashing the file does not follow the fake timers.
    expect(await done).toBe(upload.id);
    expect(asked).toEqual([list, list, finish]);
    expect(told.map(({ waiting }) => waiting?.reason)).toContain('Die Verbindung ist unterbrochen.');
  });

  it('an aborted upload ends without a retry', async () => {
    const asked = answering(1);
    const stop = new AbortController();
    const { done } = send({}, stop.signal);
    await vi.advanceTimersByTimeAsync(1000);
    stop.abort(new Error('gestoppt'));
    await expect(done).rejects.toThrow('gestoppt');
    await vi.advanceTimersByTimeAsync(100_000);
    expect(asked).toEqual([list]);
  });

  it('an upload is resumed if an option was set and cleared again, and started anew if the option is set', async () => {
    const asked = answering(0);
    await send({ sheet: undefined }).done;
    expect(asked.splice(0)).toEqual([list, finish]);
    await send({ sheet: 'Artikel' }).done;
    expect(asked).toEqual([list, `POST /api/masters/${upload.masterid}/uploads`, finish]);
  });
});
