import { describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addressOf, askOver, CallError, type Fetch } from './call.ts';

type Sent = { path: string; init: RequestInit | undefined };

/** Makes an `ask` whose server gives every request the same answer, and records what was sent to it. */
function answering(status: number, body: string): { sent: Sent[]; ask: ReturnType<typeof askOver> } {
  const sent: Sent[] = [];
  const fetch: Fetch = (path, init) => {
    sent.push({ path, init });
    return Promise.resolve(new Response(body, { status }));
  };
  return { sent, ask: askOver(fetch) };
}

const failureOf = async (work: Promise<unknown>): Promise<CallError> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallError) return error;
  throw new Error('The call did not fail with a CallError.');
};

describe('call', () => {
  it('fills path and query, and sends the header x-kontor with calls that change something', async () => {
    const { sent, ask } = answering(200, '{"ok":true}');
    await ask(api.deleteToken, { params: { id: 'a/b' } });
    expect(sent[0]?.path).toBe('/api/tokens/a%2Fb');
    expect(sent[0]?.init?.method).toBe('DELETE');
    expect(new Headers(sent[0]?.init?.headers).get('x-kontor')).toBe('1');
    expect(addressOf(api.itemsCsv, { query: { masterid: 'm1', search: 'ä b', sort: undefined } })).toBe(
      '/api/items/csv?masterid=m1&search=%C3%A4+b',
    );
  });

  it('sends nothing if the response schema cannot be loaded, and says so', async () => {
    const { sent, ask } = answering(200, '{"ok":true}');
    const late = { ...api.deleteToken, lateResponse: () => Promise.reject(new Error('no such file')) };
    const error = await failureOf(ask(late, { params: { id: 'a' } }));
    expect(error.message).toContain('Es wurde nichts gesendet');
    expect(sent).toEqual([]);
  });

  it('sends the revision of the form as If-Match', async () => {
    const { sent, ask } = answering(200, '{"ok":true,"revision":4,"message":""}');
    await ask(api.saveRules, { params: { masterid: 'm1' }, body: [], ifMatch: 3 });
    expect(new Headers(sent[0]?.init?.headers).get('if-match')).toBe('3');
    expect(sent[0]?.init?.body).toBe('[]');
  });

  it('GEN-05 throws the German message, fields and request id of an error response', async () => {
    const { ask } = answering(
      409,
      '{"error":{"code":"stale","message":"Inzwischen geändert.","fields":[{"field":"name","message":"fehlt"}],"requestId":"r7"}}',
    );
    const error = await failureOf(ask(api.masters));
    expect(error).toMatchObject({ status: 409, code: 'stale', message: 'Inzwischen geändert.', requestId: 'r7' });
    expect(error.fields).toEqual([{ field: 'name', message: 'fehlt' }]);
  });

  it('GEN-05 explains an error response of another server in German, by its status', async () => {
    const { ask } = answering(502, '<html>Bad Gateway</html>');
    expect((await failureOf(ask(api.masters))).message).toContain('gerade nicht erreichbar (Antwort 502)');
    expect((await failureOf(answering(413, 'too large').ask(api.masters))).message).toContain('größer, als ein Server');
    expect((await failureOf(answering(418, '').ask(api.masters))).message).toContain('ein Server auf dem Weg');
  });

  it('An answer of another shape is a failure, not data', async () => {
    const { ask } = answering(200, '[{"masterid":1}]');
    const error = await failureOf(ask(api.masters));
    expect([error.code, error.fields]).toEqual(['bad_answer', []]);
  });

  it('a lost connection is reported in German', async () => {
    const ask = askOver(() => Promise.reject(new TypeError('fetch failed')));
    expect(await failureOf(ask(api.masters))).toMatchObject({
      status: 0,
      message: expect.stringContaining('nicht erreichbar'),
    });
  });

  it('an abort rejects with its own reason, not with a CallError', async () => {
    const abort = new AbortController();
    abort.abort(new DOMException('weg', 'AbortError'));
    const ask = askOver(() => Promise.reject(abort.signal.reason));
    await expect(ask(api.masters, { signal: abort.signal })).rejects.toThrow('weg');
  });

  it('F18 a request whose answer was lost is sent again under the same idempotency key, for a minute', async () => {
    const keys: (string | null)[] = [];
    let time = 0;
    let lost = true;
    const fetch: Fetch = (_path, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      if (lost) return Promise.reject(new TypeError('network'));
      return Promise.resolve(new Response('{"masterid":"M"}', { status: 200 }));
    };
    const ask = askOver(fetch, new Map(), () => time);
    const create = (name: string) => ask(api.createMaster, { body: { name } }).catch((error: unknown) => error);
    await create('Eins');
    await create('Zwei');
    lost = false;
    await create('Eins');
    await create('Eins');
    lost = true;
    await create('Drei');
    time = 61_000;
    await create('Drei');
    const [one, two, again, next, three, late] = keys;
    expect(again).toBe(one);
    expect(new Set([one, two, next, three, late]).size).toBe(5);
    expect(keys.every((key) => key !== null && key.length >= 16)).toBe(true);
  });

  it("F18 the idempotency key is dropped after our server's own refusal, and reused after a proxy's error", async () => {
    const keys: (string | null)[] = [];
    const own = JSON.stringify({ error: { code: 'busy', message: 'Gerade nicht.', requestId: 'r' } });
    const bodies = [own, 'Bad Gateway', 'Bad Gateway'];
    const fetch: Fetch = (_path, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return Promise.resolve(new Response(bodies[keys.length - 1], { status: 503 }));
    };
    const ask = askOver(fetch, new Map(), () => 0);
    for (let n = 0; n < 3; n++) await failureOf(ask(api.createMaster, { body: { name: 'Eins' } }));
    expect([keys[1] === keys[0], keys[2] === keys[1]]).toEqual([false, true]);
  });
});
