import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Listening = z.object({ port: z.number() });
const Response = z.tuple([z.custom<import('node:http').IncomingMessage>()]);

export type ReverseProxy = { port: number; close(): void };

/**
 * Starts a typical reverse proxy in front of a port: it appends its client's address to X-Forwarded-For and forwards everything
 * else unchanged.
 */
export async function reverseProxy(port: number): Promise<ReverseProxy> {
  const proxy = createServer((request, response) => {
    const before = request.headers['x-forwarded-for'];
    const address = request.socket.remoteAddress ?? '';
    const headers = {
      ...request.headers,
      'x-forwarded-for': before === undefined ? address : `${String(before)}, ${address}`,
    };
    const onward = ask({ port, host: '127.0.0.1', method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { port: Listening.parse(proxy.address()).port, close: () => void proxy.close() };
}

/** Calls a port of this machine as if from another one: `from` is an address of its loopback network. */
export async function askFrom(
  from: string,
  port: number,
  path: string,
  init: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<{ status: number; text: string }> {
  const sent = ask({
    port,
    path,
    host: from.includes(':') ? '::1' : '127.0.0.1',
    localAddress: from,
    agent: false,
    method: init.body === undefined ? 'GET' : 'POST',
    headers: { ...init.headers, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  sent.end(init.body === undefined ? undefined : JSON.stringify(init.body));
  const [answer] = Response.parse(await once(sent, 'response'));
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}
