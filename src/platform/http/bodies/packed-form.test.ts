import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import multipart from '@fastify/multipart';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { makeServer, route, type Principal } from '#platform/http/server.ts';
import { makeLog } from '#platform/telemetry/log.ts';

const upload = {
  method: 'POST',
  path: '/api/upload',
  summary: 'Datei senden',
  access: 'run',
  upload: { form: z.object({ file: z.file() }) },
  response: z.object({ bytes: z.number() }),
} as const satisfies Call;
const principal: Principal = {
  company: 'C1',
  companyName: 'Firma',
  userId: undefined,
  name: 'Token „Warenwirtschaft“',
  email: 'token:T1',
  role: 'editor',
  permissions: ['run'],
  by: 'token',
};

let url = '';
let close = async () => {};
beforeAll(async () => {
  const app = await makeServer({ log: makeLog('silent'), identify: async () => principal });
  await app.register(multipart);
  route(app, upload, async ({ request }) => {
    let bytes = 0;
    for await (const part of request.parts())
      if (part.type === 'file') for await (const chunk of part.file) bytes += Buffer.byteLength(chunk);
    return { bytes };
  });
  url = (await app.listen({ port: 0, host: '127.0.0.1' })) + upload.path;
  close = () => {
    // The unread bytes of the refused form would keep its connection open for another minute.
    app.server.closeAllConnections();
    return app.close();
  };
});
afterAll(() => close());

const file = randomBytes(450_000).toString('hex');
const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${file}\r\n--b--\r\n`;
const send = (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...more },
    body,
    signal: AbortSignal.timeout(5000),
  });

it('a compressed form is refused at once, rather than when the time of an upload is over', async () => {
  expect(await (await send(form)).json()).toEqual({ bytes: file.length });
  const answer = await send(gzipSync(form), { 'content-encoding': 'gzip' });
  expect([answer.status, await answer.json()]).toMatchObject([415, { error: { code: 'content_encoding' } }]);
});
