import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { testKontor, token, type TestKontor } from '../../stages/kontor.ts';

describe('request bodies that are announced and never sent', () => {
  let kontor: TestKontor;
  let viewer: string;
  beforeAll(async () => {
    kontor = await testKontor();
    viewer = (await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } })).token;
  });
  afterAll(() => kontor.close());

  /** Returns the first line of the answer to a request whose body never comes; '' if the server waits for the body. */
  const answerTo = async (call: Call, as: string | undefined, megabytes: number): Promise<string> => {
    const socket = connect(Number(new URL(kontor.url).port), '127.0.0.1');
    const path = pathOf(call, {
      masterid: 'AAAAAAAAAA',
      id: 'AAAAAAAAAA',
      projectId: 'AAAAAAAAAA',
      mappingid: 'AAAAAAAAAA',
      ruleid: 'AAAAAAAAAA',
      table: 'brands',
    });
    socket.write(
      [
        `${call.method} ${path} HTTP/1.1`,
        'host: localhost',
        'sec-fetch-site: same-origin',
        ...(as === undefined ? [] : [`authorization: Bearer ${as}`]),
        'content-type: application/json',
        `content-length: ${megabytes * 1024 * 1024}`,
        '',
        '{',
      ].join('\r\n'),
    );
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return first.toString().split('\r\n')[0] ?? '';
  };
  const large = Object.entries(api).filter(([, call]) => 'bodyLimit' in call) as [string, Call][];

  it.each(large)('M1 %s refuses a caller without a session before reading the body (T22)', async (_name, call) => {
    expect(await answerTo(call, undefined, 3)).toContain(' 401 ');
  });

  it.each(large.filter(([, { access }]) => access !== 'read'))(
    'M1 %s refuses a caller without the right before reading the body (T22)',
    async (_name, call) => {
      expect(await answerTo(call, viewer, 3)).toContain(' 403 ');
    },
  );

  it('M1 a call that needs no large body refuses one with 413, with or without a session (T22)', async () => {
    expect(await answerTo(api.createMaster, token, 2)).toContain(' 413 ');
    expect(await answerTo(api.signIn, undefined, 2)).toContain(' 413 ');
  });
});
