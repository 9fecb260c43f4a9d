import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '#shared/http/call.ts';
import { makeServer, route } from '#platform/http/server.ts';
import { makeLog } from '#platform/telemetry/log.ts';

const file = {
  method: 'GET',
  path: '/api/file',
  summary: 'Datei',
  access: 'public',
  mediaType: 'text/csv',
} as const satisfies Call;

let pieces = 0;
let ended = 0;
async function* content() {
  try {
    for (let n = 0; n < 1000; n++) {
      pieces++;
      yield `Zeile ${n}\n`.repeat(1000);
    }
  } finally {
    ended++;
  }
}

let app: Awaited<ReturnType<typeof makeServer>>;
let url = '';
beforeAll(async () => {
  app = await makeServer({ log: makeLog('silent'), identify: async () => null });
  route(app, file, async ({ reply }) => {
    reply.header('content-type', 'text/csv').header('content-length', '12345');
    const answer = Readable.from(content());
    answer.once('close', () => ended++);
    return answer;
  });
  url = (await app.listen({ port: 0, host: '127.0.0.1' })) + file.path;
});
afterAll(() => app.close());

it.each(['identity', 'gzip'])('a HEAD request (%s) does not read the content of the response', async (coding) => {
  [pieces, ended] = [0, 0];
  const answer = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': coding } });
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/csv', '']);
  if (coding === 'identity') expect(answer.headers.get('content-length')).toBe('12345');
  await expect.poll(() => ended).toBe(1);
  expect(pieces).toBe(0);
});
