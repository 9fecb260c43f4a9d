import { expect, it } from 'vitest';
import { seeded } from '../../../seed/random.ts';
import { startSandbox } from './sandbox.ts';

it('a market that was left alone for an hour makes no more moves than allowed at once', async () => {
  const moves = async (movesAtOnce?: number) => {
    const sandbox = await startSandbox({
      place: { marketplace: 'A1PA6795UKMFR9', sellerId: 'WIR', currency: 'EUR' },
      credentials: { clientId: 'c', clientSecret: 's', refreshToken: 'r' },
      items: Array.from({ length: 300 }, (_, n) => ({
        sku: `S${n}`,
        asin: `B${n}`,
        cents: 1500,
        minCents: 1000,
        maxCents: 2000,
      })),
      clock: { now: () => new Date('2026-03-01T10:00:00Z') },
      chance: seeded(7),
      movesPerSecond: 1,
      ...(movesAtOnce === undefined ? {} : { movesAtOnce }),
    });
    await sandbox.advance(3600);
    await sandbox.close();
    return sandbox.counters.moves;
  };
  expect(await moves()).toBeGreaterThan(500);
  const few = await moves(30);
  expect(few).toBeGreaterThan(0);
  expect(few).toBeLessThanOrEqual(30);
});
