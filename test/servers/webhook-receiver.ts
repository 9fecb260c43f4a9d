import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Heard = { headers: IncomingMessage['headers']; body: string };

/** Starts a receiver of webhooks on loopback that records messages and answers as configured. */
export async function webhookReceiver() {
  const heard: Heard[] = [];
  const state = { heard, answer: 200, url: '', close: () => server.close() };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      heard.push({ headers: request.headers, body });
      response.writeHead(state.answer, { location: 'http://127.0.0.1:9/' }).end('ok');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/haken`;
  return state;
}
