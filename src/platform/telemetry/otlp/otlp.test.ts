import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { prometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { inSpan, runInSpan } from '#platform/telemetry/spans.ts';
import { freePort } from '../../../../test/servers/postgres.ts';
import { taken, TestCollector } from '../../../../test/servers/collector.ts';
import { RecordedTraces } from './recorded-traces.ts';
import type { EndedSpan } from './span-json.ts';
import { type QueuePace, SpanQueue } from './span-queue.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00.123Z') };
let next = 0;
const ids = { hex: (bytes: number) => (++next).toString(16).padStart(bytes * 2, 'a') };
const pace: QueuePace = { mostWaiting: 20, batch: 5, everyMs: 20, patienceMs: 30_000, closeMs: 30_000, sayMs: 60_000 };
const span: EndedSpan = {
  trace: 'a'.repeat(32),
  span: 'b'.repeat(16),
  parent: undefined,
  name: 'GET /api/masters',
  kind: 'server',
  startedAt: clock.now().getTime(),
  tookMs: 1.5,
  attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
  failed: false,
};

describe('spans sent to a collector', () => {
  let collector: TestCollector;
  let lines: Record<string, unknown>[];
  let metrics: ReturnType<typeof prometheusMetrics>;
  beforeEach(async () => {
    collector = await TestCollector.start();
    lines = [];
    metrics = prometheusMetrics();
  });
  afterEach(async () => {
    await collector.close();
    expect(collector.faults).toEqual([]);
  });

  const queueTo = (address: string, other: Partial<QueuePace> = {}) => {
    const write = (chunk: Buffer, _encoding: unknown, done: () => void) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    };
    const settings = { address, headers: { 'x-key': 'wort' }, service: 'kontor', ratio: 1 };
    const log = makeLog('warn', new Writable({ write }));
    return new SpanQueue(
      settings,
      { clock, log, metrics, resource: { 'service.name': 'laden' } },
      { ...pace, ...other },
    );
  };
  const addTo = (queue: SpanQueue, count: number) => {
    for (let n = 0; n < count; n++) queue.add(span);
  };
  const counted = async () =>
    Object.fromEntries(
      [...(await metrics.text()).matchAll(/^kontor_spans_total\{outcome="(\w+)"\} (\d+)$/gm)].map(
        ([, outcome = '', count]) => [outcome, Number(count)],
      ),
    );

  it('arrive as OTLP JSON, with times as decimal texts and the configured headers', async () => {
    const queue = queueTo(`${collector.url}/v1/traces`);
    queue.add(span);
    await expect.poll(() => collector.spans.length).toBe(1);
    expect(collector.spans[0]).toMatchObject({
      traceId: span.trace,
      spanId: span.span,
      kind: 2,
      startTimeUnixNano: '1772366400123000000',
      endTimeUnixNano: '1772366400124500000',
      said: { 'http.request.method': 'GET', 'http.response.status_code': '200' },
      status: {},
    });
    expect(collector.resources).toEqual([{ 'service.name': 'laden' }]);
    expect(collector.requests[0]).toMatchObject({
      path: 'POST /v1/traces',
      headers: { 'x-key': 'wort', 'content-type': 'application/json' },
    });
    await queue.close();
    expect(await counted()).toEqual({ sent: 1 });
  });

  it('are sent in batches, and all waiting ones on close', async () => {
    const queue = queueTo(`${collector.url}/v1/traces`, { everyMs: 60_000 });
    addTo(queue, 13);
    await queue.close();
    expect(collector.requests.map(({ text }) => text.split('"spanId"').length - 1)).toEqual([5, 5, 3]);
    expect(await counted()).toEqual({ sent: 13 });
    expect(lines).toEqual([]);
  });

  it('an unreachable collector does not slow down adding spans, the queue is bounded, and one line is logged', async () => {
    const queue = queueTo(`http://127.0.0.1:${await freePort()}/v1/traces`);
    const begin = performance.now();
    addTo(queue, 50);
    expect(performance.now() - begin).toBeLessThan(2000);
    await queue.close();
    expect(await counted()).toEqual({ dropped: 50 });
    expect(lines).toEqual([expect.objectContaining({ msg: 'the collector does not accept spans', lost: 1 })]);
  });

  it('a silent collector is given up on close after a time limit', async () => {
    collector.answer = () => {};
    const queue = queueTo(`${collector.url}/v1/traces`, { closeMs: 100 });
    addTo(queue, 7);
    await expect.poll(() => collector.requests.length).toBe(1);
    const begin = performance.now();
    await queue.close();
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(await counted()).toEqual({ dropped: 7 });
  });

  it('after a 503 the spans are sent again after the given time, and none is lost', async () => {
    const asked: number[] = [];
    collector.answer = (_request, response) => {
      asked.push(performance.now());
      response.writeHead(503, { 'retry-after': '1' }).end();
    };
    const queue = queueTo(`${collector.url}/v1/traces`);
    addTo(queue, 3);
    await expect.poll(() => asked.length).toBe(1);
    collector.answer = taken;
    await expect.poll(() => collector.spans.length).toBe(3);
    expect(performance.now() - (asked[0] ?? 0)).toBeGreaterThanOrEqual(1000);
    await queue.close();
    expect(await counted()).toEqual({ sent: 3 });
  });

  it('spans that the collector refuses permanently are counted and not sent again', async () => {
    const queue = queueTo(`${collector.url}/v1/traces`);
    const answers = [
      { status: 400, body: '' },
      { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' },
    ];
    collector.answer = (_request, response) => {
      const { status, body } = answers.shift() ?? { status: 500, body: '' };
      response.writeHead(status).end(body);
    };
    addTo(queue, 10);
    await expect.poll(counted).toEqual({ refused: 7, sent: 3 });
    await queue.close();
    expect(collector.requests).toHaveLength(2);
    expect(lines).toHaveLength(1);
  });
});

describe('traces', () => {
  const recorded = (ratio: number) => {
    const ended: EndedSpan[] = [];
    return { ended, traces: new RecordedTraces({ clock, ids, ratio, add: (one) => ended.push(one) }) };
  };
  const start = { name: 'work', kind: 'internal', attributes: {} } as const;
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

  it('have child spans with the type of their error', async () => {
    const { ended, traces } = recorded(1);
    const root = traces.begin(start, `00-${trace}-00f067aa0ba902b7-01`);
    const inner = runInSpan(root, () =>
      inSpan({ ...start, name: 'inner' }, () => Promise.reject(Object.assign(new Error('Frau K.'), { code: 'E_1' }))),
    );
    await expect(inner).rejects.toThrow('Frau K.');
    root.end();
    root.end();
    expect(ended).toMatchObject([
      { name: 'inner', trace, parent: ended[1]?.span, failed: true, attributes: { 'error.type': 'E_1' } },
      { name: 'work', trace, parent: '00f067aa0ba902b7', failed: false },
    ]);
    expect(await inSpan(start, async () => 'no span around')).toBe('no span around');
    expect(ended).toHaveLength(2);
  });

  it("are sampled by the caller's decision, or else by their trace id", async () => {
    const [all, none, half] = [recorded(1), recorded(0), recorded(0.5)];
    all.traces.begin(start, `00-${trace}-00f067aa0ba902b7-00`).end();
    none.traces.begin(start, `00-${trace}-00f067aa0ba902b7-01`).end();
    none.traces.begin(start).end();
    expect([all.ended.length, none.ended.length]).toEqual([0, 1]);
    for (const last of ['7', '8']) half.traces.begin(start, `${'a'.repeat(19)}${last}${'0'.repeat(12)}`).end();
    expect(half.ended.map((one) => one.trace.at(19))).toEqual(['7']);
    const unrecorded = none.traces.begin(start, trace);
    expect(unrecorded.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    await runInSpan(unrecorded, () => inSpan(start, async () => {}));
    expect(none.ended).toHaveLength(1);
  });
});

describe('settings of traces', () => {
  const read = (environment: Record<string, string>) => readConfig(environment).traces;

  it('are those of OpenTelemetry; without an endpoint there is no tracing', () => {
    expect(read({})).toBeUndefined();
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_SERVICE_NAME: 'x' })).toBeUndefined();
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://sammler:4318' })).toEqual({
      address: 'http://sammler:4318/v1/traces',
      headers: {},
      service: 'kontor',
      ratio: 1,
    });
    const all = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://sammler.example/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope = laden',
      OTEL_SERVICE_NAME: 'laden',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    };
    expect(read(all)).toEqual({
      address: 'https://sammler.example/otlp/v1/traces',
      headers: { authorization: 'Basic YTpi', 'x-scope': 'laden' },
      service: 'laden',
      ratio: 0.1,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'sammler:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'ohne-wert'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x=%0d%0ay'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('an invalid %s prevents the start with a sentence', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`Die Einstellung ${name} ist ungültig`);
  });
});
