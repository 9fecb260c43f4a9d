import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { makeServer, route, type Principal } from './server.ts';
import { makeLog } from '#platform/telemetry/log.ts';

const save = {
  method: 'POST',
  path: '/api/save',
  summary: 'Speichern',
  access: 'edit',
  ifMatch: true,
  body: z.object({ name: z.string() }),
  response: z.object({ name: z.string(), revision: z.number().nullable() }),
} as const satisfies Call;
const principal: Principal = {
  company: 'C1',
  companyName: 'Firma',
  userId: undefined,
  name: 'Token „Warenwirtschaft“',
  email: 'token:T1',
  role: 'editor',
  permissions: ['edit'],
  by: 'token',
};

const find = {
  method: 'GET',
  path: '/api/find',
  summary: 'Suchen',
  access: 'edit',
  query: z.object({ offset: z.coerce.number() }),
  response: z.object({}),
} as const satisfies Call;
const count = { ...save, path: '/api/count', ifMatch: undefined, question: 'records' } as const satisfies Call;

describe('input of API clients', () => {
  let app: Awaited<ReturnType<typeof makeServer>>;
  beforeAll(async () => {
    app = await makeServer({ log: makeLog('silent'), identify: async () => principal });
    route(app, save, async ({ body, ifMatch }) => ({ name: body.name, revision: ifMatch ?? null }));
    route(app, find, async () => ({}));
    route(app, count, async ({ body }) => ({ name: body.name, revision: null }));
  });
  afterAll(() => app.close());

  const send = async (payload: string | Buffer, headers: Record<string, string> = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: save.path,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
    return { status: answer.statusCode, body: z.record(z.string(), z.unknown()).parse(answer.json()) };
  };

  it('If-Match holds the revision as a number or a tag; * accepts any revision', async () => {
    const revisionOf = async (header: string) => (await send('{"name":"x"}', { 'if-match': header })).body['revision'];
    expect(await Promise.all(['7', '"7"', 'W/"7"', '*'].map(revisionOf))).toEqual([7, 7, 7, null]);
    expect((await send('{"name":"x"}')).body['revision']).toBeNull();
  });

  it('an error says that nothing was saved only for calls that save', async () => {
    const messageOf = async (call: Call, path: string) => {
      const { method } = call;
      const body = method === 'POST' ? { payload: { name: 7 } } : {};
      return (await app.inject({ method, url: path, ...body })).json<{ error: { message: string } }>().error.message;
    };
    const wrong = 'Die Angaben sind unvollständig oder falsch:';
    expect(await messageOf(find, '/api/find?offset=x')).toMatch(new RegExp(`^${wrong} [^.]*\\.$`));
    expect(await messageOf(count, count.path)).toMatch(new RegExp(`^${wrong} [^.]*\\.$`));
    expect(await messageOf(save, save.path)).toMatch(new RegExp(`^${wrong} [^.]*\\. Es wurde nichts gespeichert\\.$`));
  });

  it.each(['"abc"', '7, 8', '"7"-gzip', '-1', '7.0', '99999999999', '""'])(
    'a save with an unreadable If-Match (%s) is refused, since it was meant to be guarded',
    async (header) => {
      expect(await send('{"name":"x"}', { 'if-match': header })).toMatchObject({
        status: 400,
        body: { error: { code: 'if_match_unreadable' } },
      });
    },
  );

  it.each(['latin1', 'utf16le'] as const)(
    'a body in %s is refused, since reading it as UTF-8 would lose its umlauts',
    async (encoding) => {
      const sent = Buffer.from('{"name":"Müller, Köln"}', encoding);
      expect(await send(sent)).toMatchObject({ status: 400, body: { error: { code: 'not_utf8' } } });
    },
  );

  it('a lone surrogate becomes the replacement character, as in every text of the database', async () => {
    expect((await send('{"name":"S\\ud800 \\ud83d\\ude00"}')).body['name']).toBe('S\uFFFD 😀');
  });

  it('a UTF-8 body is read with or without a byte order mark', async () => {
    for (const text of ['{"name":"Müller 👩‍👩‍👧"}', '\uFEFF{"name":"Müller 👩‍👩‍👧"}'])
      expect((await send(Buffer.from(text))).body['name']).toBe('Müller 👩‍👩‍👧');
  });
});
