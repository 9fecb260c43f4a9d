import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderChaos } from '../stages/orders/order-chaos.ts';

describe('kill -9 and order actions in progress', () => {
  it('OIM-02 OIM-03 two kills and every kind of fault: no action is doubled or lost, and unclear ones need a decision', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-chaos-'));
    try {
      const report = await orderChaos({ folder, orders: 100, days: 2, kills: 2, lifeSeconds: 2, speed: 30, bad: 0.05 });
      expect(report).toMatchObject({
        shippedTwice: 0,
        cancelledTwice: 0,
        refundedTwice: 0,
        personsSent: 0,
        unresolved: 0,
      });
      expect(report).toMatchObject({ orders: 100, lost: [], different: [], differences: [], persons: [] });
      expect(report.shipments).toBeGreaterThan(20);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
});
