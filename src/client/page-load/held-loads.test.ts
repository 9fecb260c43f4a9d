import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldLoads, holdFailedLoads } from './held-loads.ts';

describe('failed loads of page data', () => {
  const windowEvents = new EventTarget();
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('addEventListener', windowEvents.addEventListener.bind(windowEvents));
    vi.stubGlobal('removeEventListener', windowEvents.removeEventListener.bind(windowEvents));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** A network that gives these answers in turn; undefined: no answer. */
  const network = (...answers: (number | undefined)[]) => {
    const sent: string[] = [];
    const fetch = (input: RequestInfo | URL, init?: RequestInit) => {
      sent.push(input instanceof Request ? input.url : input.toString());
      init?.signal?.throwIfAborted();
      const status = answers.shift();
      if (status === undefined) return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve(new Response('', { status, headers: { 'x-request-id': 'r1' } }));
    };
    return { sent, load: holdFailedLoads(fetch, () => '/konto') };
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it('GEN-05 a lost connection is shown, and the load is retried until it succeeds', async () => {
    const { sent, load } = network(undefined, 502, 200);
    const answer = load('/konto.data');
    await settle();
    expect(heldLoads.current()).toMatchObject({ title: 'Verbindung unterbrochen' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(heldLoads.current()?.message).toContain('Antwort 502');
    await vi.advanceTimersByTimeAsync(4000);
    expect((await answer).status).toBe(200);
    expect(sent).toHaveLength(3);
    expect(heldLoads.current()).toBeNull();
  });

  it("a manual retry, and the browser's online event, retry at once", async () => {
    const { sent, load } = network(undefined, undefined, 200);
    const answer = load('/_root.data');
    await settle();
    heldLoads.current()?.again();
    await settle();
    expect(sent).toHaveLength(2);
    windowEvents.dispatchEvent(new Event('online'));
    expect((await answer).status).toBe(200);
  });

  it('a server error is retried when the same page is reloaded; another page gets the error response', async () => {
    const same = network(500, 200);
    const answer = same.load('/konto.data');
    await settle();
    expect(heldLoads.current()).toMatchObject({ title: 'Die Seite konnte nicht neu geladen werden' });
    expect(heldLoads.current()?.message).toContain('Vorgang r1');
    await vi.advanceTimersByTimeAsync(2000);
    expect((await answer).status).toBe(200);
    expect((await network(500).load('/verlauf.data')).status).toBe(500);
    expect((await network(404).load('/konto.data')).status).toBe(404);
  });

  it('leaving the page ends the retries, and API calls are never retried', async () => {
    const { load } = network(undefined);
    const gone = new AbortController();
    const answer = load('/konto.data', { signal: gone.signal });
    const ended = expect(answer).rejects.toThrow();
    await settle();
    gone.abort();
    await ended;
    expect(heldLoads.current()).toBeNull();
    await expect(network(undefined).load('/api/items')).rejects.toThrow('Failed to fetch');
  });
});
