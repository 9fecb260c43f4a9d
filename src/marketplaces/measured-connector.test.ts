import { describe, expect, it } from 'vitest';
import { prometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { measuredConnectors } from './measured-connector.ts';
import { RecordedTraces } from '#platform/telemetry/otlp/recorded-traces.ts';
import type { EndedSpan } from '#platform/telemetry/otlp/span-json.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { runInSpan } from '#platform/telemetry/spans.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { type Connector, MarketplaceError } from './port.ts';

const rate = { perSecond: 1, burst: 1 };

/** A connector that is a class with private fields. */
class Shop implements Connector {
  readonly #sku = 'A-1';
  readonly messages = {
    receive: () => Promise.reject(new MarketplaceError('auth', 'Der Schlüssel gilt nicht.')),
    acknowledge: async () => {},
    subscribe: async () => {},
  };
  capabilities() {
    return {
      rates: { updatePrices: rate, readPrices: rate, offers: rate },
      batch: { updatePrices: 1, readPrices: 1, offers: 1 },
      competitorOffers: false,
    };
  }
  testConnection = () => Promise.reject(new TypeError('broken'));
  updatePrices = async () => [];
  async readPrices() {
    return [{ sku: this.#sku, cents: 100 }];
  }
  offers = async () => [];
}

describe('calls to marketplaces', () => {
  it('are timed by connector, operation and outcome, and return the same results', async () => {
    const metrics = prometheusMetrics();
    const shop = measuredConnectors(metrics)('shop', new Shop());
    expect(shop.capabilities().competitorOffers).toBe(false);
    expect(shop.orders).toBeUndefined();
    expect(await shop.readPrices(['A-1'])).toEqual([{ sku: 'A-1', cents: 100 }]);
    await expect(shop.messages?.receive(0)).rejects.toThrow('Der Schlüssel gilt nicht.');
    await expect(shop.testConnection()).rejects.toThrow('broken');
    const counted = [...(await metrics.text()).matchAll(/_count\{(.*)\} (\d+)/g)].map(([, labels, count]) => [
      labels,
      count,
    ]);
    expect(counted).toEqual([
      ['connector="shop",operation="readPrices",outcome="ok"', '1'],
      ['connector="shop",operation="messages.receive",outcome="auth"', '1'],
      ['connector="shop",operation="testConnection",outcome="error"', '1'],
    ]);
  });

  it('have a span each, within the span of their job or on their own', async () => {
    const ended: EndedSpan[] = [];
    const traces = new RecordedTraces({ clock: systemClock, ids: randomIds, ratio: 1, add: (one) => ended.push(one) });
    const shop = measuredConnectors(noMetrics, traces)('shop', new Shop());
    const job = traces.begin({ name: 'job', kind: 'consumer', attributes: {} });
    await runInSpan(job, () => shop.readPrices(['A-1']));
    job.end();
    expect(shop.capabilities().competitorOffers).toBe(false);
    await expect(shop.messages?.receive(0)).rejects.toThrow('Der Schlüssel gilt nicht.');
    const [call, parent, alone] = ended;
    expect(call).toMatchObject({
      name: 'marketplace readPrices',
      kind: 'client',
      trace: parent?.trace,
      parent: parent?.span,
      attributes: { 'kontor.connector': 'shop', 'kontor.operation': 'readPrices' },
      failed: false,
    });
    expect(alone).toMatchObject({
      name: 'marketplace messages.receive',
      parent: undefined,
      failed: true,
      attributes: { 'error.type': 'MarketplaceError' },
    });
    expect(ended).toHaveLength(3);
  });
});
