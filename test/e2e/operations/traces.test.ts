import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { type CollectedSpan, TestCollector } from '../../servers/collector.ts';
import { freePort } from '../../servers/postgres.ts';
import {
  admin,
  importFile,
  masterWith,
  runExport,
  settled,
  testKontor,
  type TestKontor,
  token,
} from '../../stages/kontor.ts';

const COMPANY = 'Geheimwaren Krause KG';
const PARENT = '00f067aa0ba902b7';
/** All attributes of a span: none of them can contain a company, a person, an article or an address. */
const attributeNames = new Set([
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'kontor.connector',
  'kontor.delivery.way',
  'kontor.job.attempt',
  'kontor.job.kind',
  'kontor.job.outcome',
  'kontor.operation',
  'kontor.question.kind',
]);

const upload = async (kontor: TestKontor, masterid: string, traceparent?: string): Promise<string> => {
  const form = new FormData();
  form.set('file', new Blob(['sku;titel\nA-1;Hammer\n']), 'artikel.csv');
  const answer = await kontor.raw(pathOf(api.import, { masterid }), {
    method: 'POST',
    body: form,
    ...(traceparent === undefined ? {} : { headers: { traceparent } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return (JSON.parse(text) as { runid: string }).runid;
};

describe('traces of a running program', () => {
  let collector: TestCollector;
  let kontor: TestKontor;
  let masterid: string;
  let exportId: string;
  beforeAll(async () => {
    collector = await TestCollector.start();
    kontor = await testKontor({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'laden',
      KONTOR_COMPANY: COMPANY,
    });
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    exportId = (
      await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal', channel: 'google' } })
    ).id;
    await runExport(kontor, exportId);
  });
  afterAll(async () => {
    await kontor.close();
    await collector.close();
    expect(collector.faults).toEqual([]);
  });

  const spansOf = (trace: string) => collector.spans.filter(({ traceId }) => traceId === trace);
  const named = (spans: readonly CollectedSpan[], start: string) => spans.find(({ name }) => name.startsWith(start));

  it('a request that starts an import yields one trace with the request and the job', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const runid = await upload(kontor, masterid, `00-${trace}-${PARENT}-01`);
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done' });
    await expect.poll(() => named(spansOf(trace), 'job import')).toBeDefined();
    await expect.poll(() => named(spansOf(trace), 'POST ')).toBeDefined();
    const request = named(spansOf(trace), 'POST ');
    expect(request).toMatchObject({
      name: 'POST /api/masters/:masterid/import',
      kind: 2,
      parentSpanId: PARENT,
      said: { 'http.route': '/api/masters/:masterid/import', 'http.response.status_code': '200' },
    });
    expect(named(spansOf(trace), 'job import')).toMatchObject({
      kind: 5,
      parentSpanId: request?.spanId,
      said: { 'kontor.job.kind': 'import', 'kontor.job.outcome': 'done', 'kontor.job.attempt': '1' },
    });
  });

  it('query spans are children of their request, and probes are not traced', async () => {
    await kontor.raw('/livez');
    const trace = '1'.repeat(32);
    const headers = { traceparent: `00-${trace}-${PARENT}-01` };
    await kontor.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=1`, { headers });
    await expect.poll(() => named(spansOf(trace), 'question')).toBeDefined();
    await expect.poll(() => named(spansOf(trace), 'GET')).toBeDefined();
    expect(named(spansOf(trace), 'question')?.parentSpanId).toBe(named(spansOf(trace), 'GET')?.spanId);
    expect(collector.spans.filter(({ name }) => name.includes('livez'))).toEqual([]);
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'laden', 'kontor.role': 'all' });
  });

  it('a delivery span is a child of its job, which is a child of the job it reports', async () => {
    const heard: string[] = [];
    const hook = createServer((request, response) => {
      heard.push(request.url ?? '');
      request.resume();
      response.end();
    });
    hook.listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/geheim`;
    await kontor.ask(api.createWebhook, { body: { name: 'Krause', url, events: ['failed'], active: true } });
    const run = await importFile(kontor, masterid, { name: 'leer.csv', bytes: '' });
    expect(run.state).toBe('failed');
    await expect.poll(() => heard).toEqual(['/geheim']);
    await expect.poll(() => named(collector.spans, 'job deliver')).toBeDefined();
    const job = named(collector.spans, 'job deliver');
    const trace = spansOf(job?.traceId ?? '');
    expect(named(trace, 'delivery webhook')).toMatchObject({ kind: 3, parentSpanId: job?.spanId, status: {} });
    expect(named(trace, 'job import')).toMatchObject({ spanId: job?.parentSpanId, status: { code: 2 } });
    hook.closeAllConnections();
    hook.close();
  });

  it('a trace that the caller does not sample is not recorded, its jobs included', async () => {
    const trace = '2'.repeat(32);
    const runid = await upload(kontor, masterid, `00-${trace}-${PARENT}-00`);
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done' });
    const later = '3'.repeat(32);
    await kontor.raw('/api/masters', { headers: { traceparent: `00-${later}-${PARENT}-01` } });
    await expect.poll(() => spansOf(later).length).toBeGreaterThan(0);
    expect(spansOf(trace)).toEqual([]);
  });

  it('T18 name no company, no person, no catalogue, no article and no address', async () => {
    await kontor.raw('/gibt/es/nicht?name=Krause');
    await expect
      .poll(() => collector.spans.filter(({ said }) => said['http.response.status_code'] === '404'))
      .toHaveLength(1);
    const text = collector.requests.map((one) => one.text).join('\n');
    const names = new Set(collector.spans.flatMap(({ said }) => Object.keys(said)));
    expect([...names].filter((name) => !attributeNames.has(name))).toEqual([]);
    const companies = await kontor.database.kysely.selectFrom('organization').select(['id', 'name', 'slug']).execute();
    const foreign = [
      ...companies.flatMap((row) => Object.values(row)),
      'Krause',
      admin.email,
      token,
      masterid,
      exportId,
      'A-1',
      'Hammer',
      '127.0.0.1',
      'geheim',
      'gibt/es/nicht',
    ];
    expect(foreign.filter((word) => word !== null && text.includes(word))).toEqual([]);
  });
});

describe('a program whose trace collector is unreachable', () => {
  it('works as before, and stops in time', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const kontor = await testKontor({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    expect((await kontor.ask(api.master, { params: { masterid } })).masterid).toBe(masterid);
    const begin = performance.now();
    await kontor.close();
    expect(performance.now() - begin).toBeLessThan(25_000);
  });
});

describe('a program without the trace setting', () => {
  it('only passes the trace id to its jobs, and sends nothing', async () => {
    const collector = await TestCollector.start();
    const kontor = await testKontor({ OTEL_SERVICE_NAME: 'laden' });
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    const trace = '5'.repeat(32);
    const runid = await upload(kontor, masterid, `00-${trace}-${PARENT}-01`);
    await settled(kontor, runid);
    const row = await kontor.database.system((trx) =>
      trx.selectFrom('jobs').select('trace').where('id', '=', runid).executeTakeFirst(),
    );
    expect(row?.trace).toBe(trace);
    await kontor.close();
    await collector.close();
    expect(collector.requests).toEqual([]);
  });
});
