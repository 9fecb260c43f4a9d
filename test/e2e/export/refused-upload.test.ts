import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, testKontor, token, type TestKontor } from '../../stages/kontor.ts';

/** Returns a form with one file too many, followed by so much data that the server does not read it to the end. */
function formOfTwo(): Buffer {
  const part = (name: string, bytes: number) =>
    `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${'a;b\n'.repeat(bytes / 4)}\r\n`;
  return Buffer.from(`${part('a.csv', 400)}${part('b.csv', 1_000_000)}--x--\r\n`);
}

describe('an upload that is refused midway', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku\nA-1\n');
  });
  afterAll(() => kontor.close());

  it('leaves its connection free for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (method: string, path: string, body?: Buffer) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'multipart/form-data; boundary=x' }),
        };
        const sent = request(new URL(path, kontor.url), { agent, method, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        });
        sent.setTimeout(10_000, () => sent.destroy(new Error('no answer')));
        sent.on('error', reject).end(body);
      });
    expect(await ask('POST', pathOf(api.import, { masterid }), formOfTwo())).toBe(400);
    expect(await ask('GET', '/api/masters')).toBe(200);
    agent.destroy();
  });
});
