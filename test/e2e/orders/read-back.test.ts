import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { SELLER, type Fault, type Market } from '#marketplaces/contract/market.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';
import { markets } from '../../stages/marketplaces/markets.ts';

const company = 'firma';
const start = new Date('2026-03-01T10:00:00Z');

/** The outbox with every connector: a price without an answer is read back before anything is sent again. */
describe.each(markets)('a price without an answer: %s', (name, open) => {
  let folder: string;
  let database: Database;
  let market: Market | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-read-back-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
    await database.company(company, async (trx) => {
      await pg`insert into masters (company, id, name, live_snapshot) values (${company}, 'm', 'x', 1)`.execute(trx);
    });
  });
  afterEach(() => market?.close());
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Queues a price of 13.99. */
  const begin = async (id: string) => {
    const opened = (market = await open(start));
    const { marketplace, currency, clock, connector } = opened;
    await database.company(company, async (trx) => {
      await saveAccount(trx, {
        company,
        id,
        masterid: 'm',
        connector: name,
        marketplace,
        sellerId: SELLER,
        currency,
        name: id,
        settings: '{}',
        active: true,
      });
      await pg`insert into listings (company, master, marketplace, item, account, sku, product_id, currency)
        values (${company}, 'm', ${marketplace}, ${id}, ${id}, 'S1', 'B1', ${currency})`.execute(trx);
    });
    const queue = (submission: string, cents: number) =>
      database.company(company, (trx) =>
        pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version,
            currency, from_cents, price_cents, min_cents, max_cents, state, reached_min, created_at)
          values (${company}, ${submission}, 'm', ${marketplace}, ${id}, ${id}, 'S1', 1, ${id}, '1:0:0:0', ${currency}, 1500, ${cents},
            1000, 2000, 'new', false, ${clock.now().toISOString()}::timestamptz)`.execute(trx),
      );
    await queue(id, 1399);
    // Prices that can be previewed are previewed first (price-previews.test.ts); this is about the price itself.
    const untried = { ...connector, previewPrice: undefined };
    const deps = {
      database,
      clock,
      buckets: new TokenBuckets(database),
      ownProcess: { takes: () => true },
      log: makeLog('silent'),
      open: async () => untried,
    };
    const stored = () =>
      database.company(company, async (trx) => {
        const { rows } = await pg<{
          state: string;
          message: string;
        }>`select state, message from price_submissions where id = ${id}`.execute(trx);
        return rows[0];
      });
    const state = async () => (await stored())?.state;
    const message = async () => (await stored())?.message;
    return { ...opened, state, message, queue, send: () => submitDue(deps), readBack: () => readBackDue(deps) };
  };

  it.each<[Fault]>([['cutAfter'], ['page']])(
    'REP-19 %s: the price was accepted; a read-back finds it, and nothing is sent twice',
    async (fault) => {
      const { state, send, readBack, setFault, received, pass, settle } = await begin(`taken-${fault}`);
      setFault(fault);
      await send();
      expect(await state()).toBe('unknown');
      expect(received()).toBe(1);
      setFault(undefined);
      await send();
      pass(11);
      await settle();
      await readBack();
      expect(await state()).toBe('live');
      pass(3600);
      await send();
      expect(received()).toBe(1);
    },
  );

  it.each<[Fault]>([['cutBefore'], ['outOfOrder'], ['overloaded']])(
    'REP-19 %s: the price did not arrive; it is looked up for two minutes and then sent again',
    async (fault) => {
      const { state, send, readBack, setFault, received, pass, settle } = await begin(`lost-${fault}`);
      setFault(fault);
      await send();
      expect(await state()).toBe('unknown');
      setFault(undefined);
      pass(11);
      await send();
      await readBack();
      expect([await state(), received()]).toEqual(['unknown', 0]);
      // While the marketplace cannot be read, nothing is concluded.
      setFault('overloaded');
      pass(120);
      await readBack();
      await send();
      expect([await state(), received()]).toEqual(['unknown', 0]);
      setFault(undefined);
      pass(60);
      await readBack();
      expect(await state()).toBe('new');
      await send();
      expect([await state(), received()]).toEqual(['accepted', 1]);
      await settle();
      pass(31);
      await readBack();
      expect([await state(), received()]).toEqual(['live', 1]);
    },
  );

  it('REP-19 an unreadable price is looked up ever more rarely, and given up with a message after a day, so that the next is sent', async () => {
    const { state, message, queue, send, readBack, setFault, received, pass } = await begin('unreadable');
    await send();
    expect(await state()).toBe('accepted');
    setFault('overloaded');
    pass(31);
    expect(await readBack()).toBe(1);
    pass(5);
    expect(await readBack()).toBe(0);
    pass(12 * 3600);
    expect(await readBack()).toBe(1);
    pass(600);
    expect(await readBack()).toBe(0);
    expect(await state()).toBe('accepted');
    pass(12 * 3600 - 60);
    await queue('next', 1389);
    await send();
    expect(received()).toBe(1);
    pass(60);
    await readBack();
    expect(await state()).toBe('invalid');
    expect(await message()).toMatch(/^Seit einem Tag .* nicht nachlesen.*der nächste Preis wird wieder gesendet\.$/);
    setFault(undefined);
    await send();
    expect(received()).toBe(2);
  });
});
