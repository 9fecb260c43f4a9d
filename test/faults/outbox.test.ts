import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { clientOf } from '../stages/client.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';

const soon = { timeout: 20_000 };
const Body = z.object({ id: z.string(), title: z.string() });

/** kill -9 while a message is being sent (F1): nothing in the outbox is lost, and a message arriving twice has the same id. */
describe('kill -9 and the outbox', () => {
  let folder: string;
  let program: Program;
  let receiver: Server;
  const heard: { id: string; title: string }[] = [];
  let answers = false;
  const loopback = { KONTOR_EGRESS_LOOPBACK: '1', NODE_ENV: 'test' };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-outbox-'));
    program = await startProgram(folder, loopback);
    const open: ServerResponse[] = [];
    receiver = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.once('end', () => {
        heard.push(Body.parse(JSON.parse(text)));
        if (answers) response.writeHead(204).end();
        else open.push(response);
      });
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', () => resolve());
    });
  });
  afterAll(async () => {
    await kill(program);
    receiver.closeAllConnections();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  });
  const client = clientOf(() => program.url);

  it('sent and waiting messages go out after the restart, each under its former id', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await client.ask(api.createWebhook, {}, { name: 'Lager', url, events: ['failed'], active: true });
    for (const name of ['Eins', 'Zwei']) {
      const { masterid } = await client.ask(api.createMaster, {}, { name });
      expect((await client.ended(await client.upload(masterid, ''))).state).toBe('failed');
    }
    await expect.poll(() => heard.length, soon).toBe(1);
    await kill(program);
    answers = true;
    program = await startProgram(folder, loopback);
    const states = async () => (await client.ask(api.deliveries)).deliveries.map(({ state }) => state);
    await expect.poll(states, soon).toEqual(['sent', 'sent']);
    expect((await client.ask(api.notifications)).total).toBe(2);
    expect(heard).toHaveLength(3);
    expect(heard.filter(({ id }) => id === heard[0]?.id)).toHaveLength(2);
    expect(new Set(heard.map(({ title }) => title))).toEqual(
      new Set(['Fehlgeschlagen: Import „Eins“', 'Fehlgeschlagen: Import „Zwei“']),
    );
  });
});
