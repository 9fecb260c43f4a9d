import { mkdtemp, rm } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { createDatabase, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { clientOf } from '../../stages/client.ts';
import { token } from '../../stages/kontor.ts';
import { kill, type Program, startProgram } from '../../stages/program.ts';

const LIMIT = 100;

/** Two web processes on one PostgreSQL: a user's requests to both count together, with a delay of about a second. */
describe.skipIf(postgresPrograms() === undefined)('limits across two processes (needs PostgreSQL)', () => {
  let folder: string;
  let webs: Program[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-limits-'));
    const server = process.env['KONTOR_TEST_POSTGRES'] ?? '';
    const url = await createDatabase(server, `limits_${randomIds.id().toLowerCase()}`, postgresTemplate);
    const settings = { DATABASE_URL: url, NODE_ENV: 'test', KONTOR_ROLE: 'web', KONTOR_TEST_REQUESTS: String(LIMIT) };
    webs = await Promise.all([startProgram(folder, settings), startProgram(folder, settings)]);
  });
  afterAll(async () => {
    await Promise.all(webs.map((one) => kill(one)));
    await rm(folder, { recursive: true, force: true });
  });
  const web = (n: number): Program => {
    const found = webs[n];
    if (found === undefined) throw new Error('two programs were started');
    return found;
  };
  const authorization = `Bearer ${token}`;

  it('two uploads per company at a time, whichever process receives them', async () => {
    const { masterid } = await clientOf(() => web(0).url).ask(api.createMaster, {}, { name: 'Tassen' });
    const upload = (n: number) => {
      const sent = ask(web(n).url + pathOf(api.import, { masterid }), {
        method: 'POST',
        headers: { authorization, 'content-type': 'multipart/form-data; boundary=x' },
      });
      sent.on('error', () => undefined);
      sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsku;titel\nA-1;');
      return sent;
    };
    const refusal = async () => {
      const form = new FormData();
      form.set('file', new Blob(['sku;titel\nA-2;Tasse\n']), 'b.csv');
      const init = { method: 'POST', headers: { authorization }, body: form };
      return (await fetch(web(1).url + pathOf(api.import, { masterid }), init)).status;
    };
    const held = [upload(0), upload(0)];
    await wait(2500);
    expect(await refusal()).toBe(429);
    for (const sent of held) sent.end('Tasse\n\r\n--x--\r\n');
    await Promise.all(held.map((sent) => once(sent, 'response')));
    await expect.poll(refusal, { interval: 500 }).toBe(200);
  });

  it('the requests per minute are limited', async () => {
    const asked = async (n: number) =>
      (await fetch(web(n).url + pathOf(api.session), { headers: { authorization } })).status === 200;
    // Requests of the previous test count as well.
    let answered = 0;
    for (let n = 0; n < LIMIT / 2; n++) if (await asked(0)) answered++;
    await wait(2500);
    let there = 0;
    while (there < LIMIT && (await asked(1))) {
      there++;
      await wait(30);
    }
    expect(answered).toBeGreaterThan(LIMIT / 4);
    expect(there).toBeGreaterThan(0);
    expect(answered + there).toBeLessThanOrEqual(LIMIT);
  });
});
