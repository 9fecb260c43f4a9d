import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomIds } from '#platform/ids.ts';
import { createDatabase, postgresTemplate } from '../servers/postgres.ts';
import { priceChaos } from '../stages/repricer/price-chaos.ts';

const server = process.env['KONTOR_TEST_POSTGRES'];

describe('kill -9 and prices being sent', () => {
  it('I4 I5 three kills and every kind of bad data: no price outside its limits, resent blindly or without a decision', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-chaos-'));
    try {
      const report = await priceChaos({
        folder,
        items: 200,
        seconds: 6,
        kills: 3,
        // At a higher speed, a machine that stalls for two seconds would let minutes pass between a call and its answer.
        speed: 30,
        bad: 0.05,
        movesPerSecond: 60,
      });
      expect(report).toMatchObject({ outside: 0, repeated: 0, withoutDecision: 0, unexplained: 0, unresolved: 0 });
      expect(report.events).toBeGreaterThan(100);
      expect(report.live).toBeGreaterThan(3);
      expect(report.decisions).toMatchObject({
        COMPETE_LOWEST: expect.any(Number),
        HOLD_BOUNDS_INVALID: expect.any(Number),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);

  it.skipIf(server === undefined)(
    'I4 I5 three workers on one account, one of them killed twice: each price is sent once (needs PostgreSQL)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'kontor-chaos-'));
      try {
        const databaseUrl = await createDatabase(
          server ?? '',
          `chaos_${randomIds.id().toLowerCase()}`,
          postgresTemplate,
        );
        const report = await priceChaos({
          folder,
          databaseUrl,
          workers: 2,
          items: 100,
          seconds: 8,
          kills: 2,
          speed: 20,
          bad: 0,
          movesPerSecond: 30,
        });
        expect(report).toMatchObject({ outside: 0, repeated: 0, withoutDecision: 0, unexplained: 0, unresolved: 0 });
        expect(report.live).toBeGreaterThan(10);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    },
    300_000,
  );
});
