import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { amazonConnector } from '#marketplaces/amazon/connector.ts';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { pg } from '#platform/db/pg.ts';
import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { Egress } from '#platform/egress/egress.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { Previews } from '#repricer/outbox/preview.ts';
import { submitDue } from '#repricer/outbox/submit.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';
import { seeded } from '../../../seed/random.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const place = { marketplace: 'M1', sellerId: 'WIR', currency: 'EUR' };
const credentials = { clientId: 'a', clientSecret: 'b', refreshToken: 'c' };
const company = 'firma';

describe('the first price of a rule', () => {
  let folder: string;
  let database: Database;
  let sandbox: Sandbox;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-previews-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
    // The first two have bounds there that none of our prices satisfies.
    const items = Array.from({ length: 8 }, (_, n) => ({
      sku: `S${n}`,
      asin: `B${n}`,
      cents: 1500,
      maxCents: 9000,
      minCents: n < 2 ? 5000 : 1000,
    }));
    sandbox = await startSandbox({ place, credentials, items, clock: systemClock, chance: seeded(3), rateFactor: 100 });
    await database.company(company, async (trx) => {
      const account = { company, id: 'konto', masterid: 'm', connector: 'amazon', ...place, name: 'x', settings: '{}' };
      await saveAccount(trx, { ...account, active: true });
      await pg`insert into masters (company, id, name, live_snapshot) values (${company}, 'm', 'x', 1)`.execute(trx);
    });
  });
  afterAll(async () => {
    await sandbox.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const waiting = (items: readonly number[], rule: string) =>
    database.company(company, async (trx) => {
      for (const n of items) {
        await pg`insert into listings (company, master, marketplace, item, account, sku, product_id)
          values (${company}, 'm', 'M1', ${`A-${n}`}, 'konto', ${`S${n}`}, ${`B${n}`}) on conflict do nothing`.execute(
          trx,
        );
        await pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency,
            from_cents, price_cents, min_cents, max_cents, state, reached_min, created_at)
          values (${company}, ${`${rule}-${n}`}, 'm', 'M1', ${`A-${n}`}, 'konto', ${`S${n}`}, ${n}, ${rule}, '1:0:0:0', 'EUR', 1500, 1399, 1000, 2000,
            'new', false, now() - interval '1 minute' + make_interval(secs => ${n}))`.execute(trx);
      }
    });
  const states = () =>
    database.company(company, async (trx) => {
      const { rows } = await pg<{ state: string }>`select state from price_submissions order by rule, item`.execute(
        trx,
      );
      return rows.map(({ state }) => state);
    });
  const account = () => ({ ...place, ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl });
  const process = () => {
    const egress = new Egress({ allowLoopback: false, own: new Set([sandbox.url]) });
    const connector = amazonConnector({ egress, clock: systemClock }, account());
    const buckets = new TokenBuckets(database);
    const log = makeLog('silent');
    return { database, clock: systemClock, buckets, previews: new Previews(), log, open: async () => connector };
  };

  it('REP-19 is validated at the marketplace first: a refused one is not sent, an accepted one releases the others', async () => {
    await waiting([0, 1, 2, 3, 4], 'r1');
    const first = process();
    await submitDue(first);
    expect(await states()).toEqual(['invalid', 'new', 'new', 'new', 'new']);
    await submitDue(first);
    expect(sandbox.counters).toMatchObject({ previews: 2, prices: 0 });
    const told = await database.company(company, (trx) =>
      pg<{
        message: string;
        issues: string;
        sent_at: Date | null;
        sends: number;
      }>`select message, issues, sent_at, sends
        from price_submissions where item = 'A-0'`.execute(trx),
    );
    expect(told.rows).toMatchObject([{ sent_at: null, sends: 0, issues: expect.stringContaining('99022') }]);
    expect(told.rows[0]?.message).toMatch(/^Nicht gesendet, schon die Vorprüfung lehnt ihn ab: Amazon lehnt/);
    await submitDue(first);
    expect(await states()).toEqual(['invalid', 'invalid', 'accepted', 'new', 'new']);
    await submitDue(first);
    expect(await states()).toEqual(['invalid', 'invalid', 'accepted', 'accepted', 'accepted']);
    expect(sandbox.counters).toMatchObject({ previews: 3, prices: 3 });
  });

  it('REP-19 is not validated again after a restart, only for other rules', async () => {
    await waiting([5], 'r1');
    const next = process();
    await submitDue(next);
    expect(sandbox.counters).toMatchObject({ previews: 3, prices: 4 });
    // A preview without an answer did nothing: it is simply repeated later.
    await waiting([6], 'r2');
    sandbox.setFaults({ cutAfter: 1 });
    await submitDue(next);
    expect((await states()).at(-1)).toBe('new');
    expect(sandbox.counters).toMatchObject({ previews: 4, prices: 4 });
  });
});
