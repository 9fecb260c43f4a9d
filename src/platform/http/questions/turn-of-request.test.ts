import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { goneSignal } from './turn-of-request.ts';

it('the signal of a request tells that its client left before the work began', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  const begun = Promise.withResolvers<void>();
  const signalled = Promise.withResolvers<AbortSignal>();
  app.get('/', async (_request, reply) => {
    const gone = once(reply.raw, 'close');
    begun.resolve();
    await gone;
    signalled.resolve(goneSignal(reply));
    return {};
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: kontor\r\n\r\n');
  await begun.promise;
  client.destroy();
  expect((await signalled.promise).reason).toMatchObject({ code: 'gone' });
});
