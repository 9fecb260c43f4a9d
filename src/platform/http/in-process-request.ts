import type { FastifyInstance } from 'fastify';

/**
 * Sends a page loader's API request without a network hop; session, permissions and limits are checked as for any request.
 * `address` is the visitor's: otherwise all visitors would share the rate limits of this machine.
 */
export async function inProcessRequest(app: FastifyInstance, request: Request, address: string): Promise<Response> {
  const url = new URL(request.url);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const answer = await app.inject({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify lists its methods by name, a Request allows any
    method: request.method as 'GET',
    url: url.pathname + url.search,
    remoteAddress: address,
    headers: { ...Object.fromEntries(request.headers), host: url.host, 'sec-fetch-site': 'same-origin' },
    ...(body === undefined ? {} : { payload: body }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : String(value));
  }
  return new Response(answer.rawPayload.length === 0 ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers,
  });
}
