import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { inputSchema, names, read, sampleOf } from '../../stages/http/call-samples.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

type Sent = { path: string; init: RequestInit };

const ids = [
  '__proto__',
  'constructor',
  '-1',
  '0',
  '*',
  "'",
  '\0',
  '%',
  '2147483648',
  '9223372036854775808',
  '1e400',
  'NaN',
  '0000-01-01T00:00:00Z',
  '👩',
  'x'.repeat(300),
  'x'.repeat(2500),
];
/** Values that replace one value of an otherwise valid body. */
const values = [
  '__proto__',
  '\0',
  '\ud800',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  2_147_483_648,
  9_007_199_254_740_991,
  -1,
  1e300,
  null,
  [],
  {},
  'x'.repeat(3000),
];
const form = 'multipart/form-data; boundary=b';
const brokenForms: readonly [type: string, body: string][] = [
  ['multipart/form-data', '--b\r\n\r\n--b--'],
  [form, ''],
  [form, '--b'],
  [form, '--b\r\ncontent-disposition: form-data; name="id"\r\n\r\nx'],
  [form, '--b\r\nno header at all\r\n\r\nx\r\n--b--\r\n'],
  [form, '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n'],
  [form, '--b\r\ncontent-disposition: form-data; name="id"; filename="a"\r\n\r\nx\r\n--b--\r\n'],
  ['application/x-www-form-urlencoded', '__proto__=1&id=%ff&='],
  ['text/plain', '{}'],
  ['application/json', '{"a":'],
  ['application/json', '{"__proto__":{"x":1}}'],
];

/** Yields `body` once for every value in it and every hostile value that may replace it. */
function* mutations(body: unknown): Generator {
  yield body;
  if (typeof body !== 'object' || body === null) return;
  for (const [key, inner] of Object.entries(body)) {
    const put = (value: unknown) => (Array.isArray(body) ? [value] : { ...body, [key]: value });
    for (const value of values) yield put(value);
    for (const value of mutations(inner)) if (value !== inner) yield put(value);
  }
}

function* requestsOf(call: Call, own: Readonly<Record<string, string>>): Generator<Sent> {
  const params = {
    ...Object.fromEntries(names(call).map((name) => [name, own[name] ?? 'AAAAAAAAAA'])),
    ...read(call.params, own),
  };
  const init: RequestInit = { method: call.method };
  for (const name of names(call)) for (const id of ids) yield { path: pathOf(call, { ...params, [name]: id }), init };
  for (const name of Object.keys(call.query?.shape ?? {}))
    for (const id of ids) yield { path: `${pathOf(call, params)}?${name}=${encodeURIComponent(id)}`, init };
  if (call.method !== 'POST') return;
  const path = pathOf(call, params);
  for (const [type, body] of brokenForms) yield { path, init: { ...init, headers: { 'content-type': type }, body } };
  const json = (body: unknown, more = {}): Sent => ({
    path,
    init: { ...init, headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(body) },
  });
  const body = call.body ?? call.upload?.json;
  if (body === undefined) return;
  const sample = sampleOf(inputSchema(body), own);
  yield json(sample, { 'if-match': '2147483648' });
  const all = [...mutations(sample)];
  // An even sample of large bodies, the same in every run.
  const step = Math.max(1, Math.ceil(all.length / 120));
  for (let at = 0; at < all.length; at += step) yield json(all[at]);
}

const germanText = z.object({ error: z.object({ message: z.string().regex(/[a-zäöüß]{3,}.*[.!)]/) }) });

describe('no call answers hostile input with 5xx', () => {
  let kontor: TestKontor;
  let own: Record<string, string>;
  beforeAll(async () => {
    kontor = await testKontor();
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\nA-2;Säge');
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } });
    const [run] = await kontor.ask(api.masterRuns, { params: { masterid } });
    own = {
      masterid,
      id,
      projectId: id,
      runid: run?.runid ?? '',
      scope: `master:${masterid}`,
      url: 'http://127.0.0.1:9/',
    };
  });
  afterAll(() => kontor.close());

  // Some calls wait for seconds by design; others are tested meanwhile.
  it.concurrent.each(Object.entries(api) as [string, Call][])(
    '%s: ids, numbers, moments and forms (T10)',
    async (name, call) => {
      // A token per call: otherwise the rate limit would refuse most requests.
      const { token } = await kontor.ask(api.createToken, { body: { name, role: 'owner' } });
      const wrong: string[] = [];
      const one = async ({ path, init }: Sent, as: string | null = token) => {
        const answer = await kontor.raw(path, { ...init, as });
        if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.body?.cancel();
        const text = await answer.text();
        const told = answer.status < 400 || germanText.safeParse(JSON.parse(text)).success;
        if (answer.status >= 500 || !told)
          wrong.push(
            `${answer.status} ${path.slice(0, 200)} ${JSON.stringify(init.body)?.slice(0, 200)} -> ${text.slice(0, 200)}`,
          );
      };
      const all = [...requestsOf(call, own)];
      await Promise.all(all.map((sent) => one(sent)));
      // Calls that only people may make are refused to tokens before anything is read, so they are sent signed in. Saving a
      // sign-in policy would lock all others out.
      if (call.people === true && call !== api.saveSignInPolicy) {
        const headers = await kontor.owner();
        const signedIn = ({ path, init }: Sent) =>
          one(
            { path, init: { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } } },
            null,
          );
        await Promise.all(all.map(signedIn));
      }
      expect(wrong).toEqual([]);
    },
  );
});
