import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { lineContext, traceOf, withLineContext } from './line-context.ts';
import { makeLog } from './log.ts';
import { prometheusMetrics } from './prometheus.ts';

describe('metrics', () => {
  it("are written in Prometheus' text format, separately for each registry", async () => {
    const metrics = prometheusMetrics();
    const rows = metrics.counter('rows_total', 'Rows.', ['outcome']);
    rows.add({ outcome: 'accepted' }, 2);
    rows.add({ outcome: 'accepted' });
    metrics.durations('took_seconds', 'Took.', ['kind'], [1, 10]).observe({ kind: 'a' }, 3);
    let read = 5;
    metrics.reading('open', 'Open.', () => read);
    metrics.reading('used_total', 'Used.', () => read * 2, 'total');
    const gauge = metrics.gauge('waiting', 'Waiting.', ['state']);
    gauge.replace([{ labels: { state: 'new' }, value: 1 }]);
    gauge.replace([{ labels: { state: 'old' }, value: 4 }]);
    await metrics.text();
    read = 6;
    const text = await metrics.text();
    for (const line of [
      'rows_total{outcome="accepted"} 3',
      'took_seconds_bucket{le="1",kind="a"} 0',
      'took_seconds_bucket{le="10",kind="a"} 1',
      'open 6',
      'used_total 12',
      'waiting{state="old"} 4',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('state="new"');
    expect(await prometheusMetrics().text()).toBe('\n');
  });

  it('a gauge without a value is absent, also without labels: 0 would look as if all were well', async () => {
    const metrics = prometheusMetrics();
    const gauge = metrics.gauge('stops', 'Stops.', []);
    const shown = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('stops'));
    expect(await shown()).toEqual([]);
    gauge.replace([{ labels: {}, value: 0 }]);
    expect(await shown()).toEqual(['stops 0']);
    gauge.replace([]);
    expect(await shown()).toEqual([]);
  });

  it('two metrics of the same name are an error', () => {
    const metrics = prometheusMetrics();
    metrics.counter('rows_total', 'Rows.', []);
    expect(() => metrics.counter('rows_total', 'Other rows.', [])).toThrow('rows_total');
  });
});

describe('lines of the log', () => {
  it('have the request or job that they were written for', async () => {
    let text = '';
    const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) });
    const log = makeLog('info', sink);
    await withLineContext({ job: 'j1', kind: 'import', trace: 'a'.repeat(32) }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.info('inside');
    });
    log.info('outside');
    const [inside, outside] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(inside).toMatchObject({ msg: 'inside', job: 'j1', kind: 'import', trace: 'a'.repeat(32) });
    expect(outside).not.toHaveProperty('job');
    expect(lineContext()).toBeUndefined();
  });

  it('have the trace id of a request only if its header is valid', () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect(traceOf(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
    expect(traceOf(`cc-${trace}-00f067aa0ba902b7-01-later`)).toBe(trace);
    for (const wrong of [
      undefined,
      '',
      `00-${trace}-00f067aa0ba902b7`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
      `00-${trace}-00f067aa0ba902b7-01\n{"level":60}`,
    ])
      expect(traceOf(wrong)).toBeUndefined();
  });
});
