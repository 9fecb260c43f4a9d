import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Egress } from '#platform/egress/egress.ts';
import { sendMail } from './mail.ts';

it('a server that resets the connection before the mail is sent is one that cannot be reached, and ends no program', async () => {
  const server = createServer((socket) => void wait(5).then(() => socket.resetAndDestroy())).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const account = {
    host: '127.0.0.1',
    port,
    security: 'starttls',
    user: '',
    sender: 'a@beispiel.de',
    pass: '',
  } as const;
  const mail = { id: '1', to: ['b@beispiel.de'], subject: 'Hallo', text: 'Hallo', beforeSending: () => wait(60) };
  await expect(sendMail(new Egress({ allowLoopback: true }), account, mail)).rejects.toMatchObject({
    code: 'unreachable',
  });
});
