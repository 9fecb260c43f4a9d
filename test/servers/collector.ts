import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const Attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  ]),
});
const Nanoseconds = z.string().regex(/^[1-9]\d{18}$/);
const CollectedSpan = z.strictObject({
  traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
  spanId: z.string().regex(/^(?!0+$)[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^(?!0+$)[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(5)]),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: z.array(Attribute),
  status: z.strictObject({ code: z.literal(2).optional() }),
});
/** ExportTraceServiceRequest of OTLP 1.x in JSON, as far as the program writes it; nothing else is accepted. */
const Body = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(CollectedSpan).min(1) }),
      ),
    }),
  ),
});

export type CollectedSpan = z.output<typeof CollectedSpan> & { readonly said: Readonly<Record<string, string>> };
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const saidOf = (attributes: z.output<typeof Attribute>[]): Record<string, string> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, 'intValue' in value ? value.intValue : value.stringValue]),
  );

export const taken: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

/** A collector on loopback that only accepts OTLP over HTTP in JSON. */
export class TestCollector {
  /** Spans of accepted requests. */
  readonly spans: CollectedSpan[] = [];
  readonly resources: Readonly<Record<string, string>>[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers']; readonly text: string }[] =
    [];
  /** Errors of bodies that are not OTLP. */
  readonly faults: string[] = [];
  /** Its answer; with any other than `taken` it stores nothing. */
  answer: Answer = taken;
  readonly url: string;
  private readonly server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<TestCollector> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector = new TestCollector(server);
    server.on('request', (request, response) => void collector.receive(request, response));
    return collector;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    this.requests.push({ path: `${request.method} ${request.url}`, headers: request.headers, text });
    const parsed = Body.safeParse(JSON.parse(text));
    if (!parsed.success) this.faults.push(parsed.error.message);
    else if (this.answer === taken)
      for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
        this.resources.push(saidOf(resource.attributes));
        for (const { spans } of scopeSpans)
          this.spans.push(...spans.map((span) => ({ ...span, said: saidOf(span.attributes) })));
      }
    this.answer(request, response);
  }
}
