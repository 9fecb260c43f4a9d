import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { SUBMIT } from '#repricer/outbox/submission.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { undercutting as rule } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('a marketplace that hangs for minutes', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    world = await makePriceWorld(
      'sku;von;bis;normal\nA-0;10,00;20,00;15,00\nA-1;10,00;20,00;15,00\nA-2;10,00;20,00;15,00',
      3,
      [rule('Regel00001', 'Unterbieten', ['von', 'bis', 'normal'])],
    );
  });
  afterAll(() => world.close());

  it('REP-19 a call longer than its lease is aborted before its price is sent again', async () => {
    const { market, deps } = world;
    const sent = async () => (await world.decided(0))?.sent;
    world.later(60);
    market.moods.set('S0', 'waits');
    await world.receive(world.message(0, { K1: 14 }, world.clock.now()));
    await repriceDue(deps);
    const call = submitDue(deps).then(() => 'ended');
    await vi.waitFor(() => expect(market.waiting).toContain('S0'));
    world.later(SUBMIT.leaseMs / 1000 + 1);
    expect(await Promise.race([call, wait(5000, 'still under way')])).toBe('ended');
    expect(await sent()).toMatchObject({ state: 'unknown', sends: 1 });
    market.moods.delete('S0');
    market.prices.set('S0', 1500);
    world.later(SUBMIT.unknownWait / 1000);
    await readBackDue(deps);
    await submitDue(deps);
    expect(await sent()).toMatchObject({ state: 'accepted', sends: 2 });
    expect(market.came).toHaveLength(1);
  });

  it('REP-19 a call that hangs delays no price of another account', async () => {
    const { market, deps, company, masterid } = world;
    await world.inside(async (trx) => {
      const account = { company, id: 'zweites', masterid, connector: 'test', marketplace: 'M1', sellerId: 'WIR2' };
      await saveAccount(trx, { ...account, currency: 'EUR', name: 'Zweites', settings: '{}', active: true });
      await trx.updateTable('listings').set({ account: 'zweites' }).where('item', '=', 'A-2').execute();
    });
    world.later(60);
    market.moods.set('S1', 'waits');
    for (const item of [1, 2]) await world.receive(world.message(item, { K1: 14 }, world.clock.now()));
    await repriceDue(deps);
    const call = submitDue(deps);
    await vi.waitFor(() => expect(market.waiting).toContain('S1'));
    await vi.waitFor(() => expect(market.came.map(({ sku }) => sku)).toContain('S2'));
    world.later(SUBMIT.leaseMs / 1000 + 1);
    await call;
  });
});
