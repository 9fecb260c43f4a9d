import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { RecordedTraces } from '#platform/telemetry/otlp/recorded-traces.ts';
import type { EndedSpan } from '#platform/telemetry/otlp/span-json.ts';
import { runInSpan } from '#platform/telemetry/spans.ts';
import { S3Client } from './client.ts';

/** Returns a store that handles each request in this way; `asked` counts them. */
async function storeThat(answer: (server: Server) => void) {
  const store = { asked: 0 };
  const server = createServer();
  server.on('request', () => store.asked++);
  answer(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const access = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'bucket',
  };
  const client = new S3Client(access, { connectMs: 1000, silentMs: 200, attempts: 5, pauseMs: 1 });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { store, client };
}

describe('a store that does not respond', () => {
  it.each([
    ['an object is requested', { method: 'GET', key: 'a' }],
    [
      'an object is stored',
      { method: 'PUT', key: 'a', content: { bytes: 1, sha256: 'x', open: () => Buffer.from('a') } },
    ],
  ] as const)('is tried twice if it accepts the connection and says nothing, when %s', async (_when, request) => {
    const { store, client } = await storeThat(() => {});
    await expect(client.send(request)).rejects.toMatchObject({ status: 503, code: 'store_away' });
    expect(store.asked).toBe(2);
  });

  it('is tried the maximum number of times if it breaks connections, since it may be starting', async () => {
    const { store, client } = await storeThat((server) => server.on('request', ({ socket }) => socket.destroy()));
    await expect(client.send({ method: 'GET', key: 'a' })).rejects.toMatchObject({ status: 503, code: 'store_away' });
    expect(store.asked).toBe(5);
  });
});

it('a request to a store is one span, however often it was retried, and names no object', async () => {
  const statuses = [503, 200, 404];
  const { client } = await storeThat((server) =>
    server.on('request', (_request, response) => response.writeHead(statuses.shift() ?? 500).end()),
  );
  const ended: EndedSpan[] = [];
  const traces = new RecordedTraces({ clock: systemClock, ids: randomIds, ratio: 1, add: (one) => ended.push(one) });
  const job = traces.begin({ name: 'job', kind: 'consumer', attributes: {} });
  await runInSpan(job, async () => {
    await client.text({ method: 'GET', key: 'firma/artikel' });
    await expect(client.text({ method: 'GET', key: 'firma/fehlt' })).rejects.toThrow();
  });
  job.end();
  const said = { name: 'bucket GET', kind: 'client', parent: ended[2]?.span };
  expect(ended).toMatchObject([
    { ...said, failed: false, attributes: { 'http.request.method': 'GET' } },
    { ...said, failed: true, attributes: { 'error.type': 'store_refusal' } },
    { name: 'job' },
  ]);
  expect(JSON.stringify(ended)).not.toContain('firma');
});
