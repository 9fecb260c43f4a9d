import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listing, listingsOf, saveListings } from '#repricer/model/listings.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { CatalogueChanges } from '#repricer/queue/catalogue-changes.ts';
import { saveRepricerRule } from '#repricer/rules/rule-store.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

const fields = ['von', 'bis', 'normal'] as const;

describe('catalogue changes and the prices decided for them', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = Array.from({ length: 6 }, (_, n) => `A-${n};10,00;20,00;15,00`);
    const rule = undercutting('Regel00001', 'Unterbieten', [...fields]);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), 6, [rule]);
  });
  afterAll(() => world.close());

  const waiting = async () =>
    (await world.inside((trx) => trx.selectFrom('reprice_queue').select(['item', 'cause']).execute())).length;
  const decided = async () =>
    (await world.inside((trx) => trx.selectFrom('price_decisions').select('id').execute())).length;
  /** Returns a process that has just started. */
  const process = (program = 'test') => new CatalogueChanges({ ...world.deps, program });
  const save = (name: string) =>
    world.inside((trx) =>
      saveRepricerRule(trx, world.place, undercutting('Regel00001', name, [...fields]), {
        author: 'Test',
        expected: undefined,
      }),
    );
  /** All changes noticed, all prices decided. */
  beforeEach(async () => {
    await process().look();
    while ((await repriceDue(world.deps)) > 0);
    expect(await waiting()).toBe(0);
  });

  it('a process that starts with an unchanged catalogue decides no price again', async () => {
    const before = await decided();
    expect(before).toBeGreaterThanOrEqual(6);
    await process().look();
    expect(await waiting()).toBe(0);
    expect(await decided()).toBe(before);
  });

  it('only an offer whose terms changed is decided again', async () => {
    const ours = await world.inside((trx) => listingsOf(trx, world.place, 'M1', ['A-0', 'A-1', 'A-2']));
    const save = (change: Partial<Listing>) =>
      world.inside((trx) =>
        saveListings(
          trx,
          world.place,
          ours.map((one) => (one.item === 'A-1' ? { ...one, ...change } : one)),
          world.clock.now(),
        ),
      );
    await save({});
    expect(await waiting()).toBe(0);
    await save({ shipping: 490 });
    expect(await waiting()).toBe(1);
    while ((await repriceDue(world.deps)) > 0);
    await save({ shipping: 490, fulfilment: 'marketplace' });
    expect(await waiting()).toBe(1);
    while ((await repriceDue(world.deps)) > 0);
    await save({});
  });

  it('changes made while no process ran are decided by the next one that starts', async () => {
    await save('Anders genannt');
    await process().look();
    expect(await waiting()).toBe(6);
  });

  it('one of several processes queues the decisions, the others find nothing to do', async () => {
    const several = [process(), process(), process()];
    for (const one of several) await one.look();
    await save('Noch einmal anders');
    await several[0]?.look();
    expect(await waiting()).toBe(6);
    while ((await repriceDue(world.deps)) > 0);
    const before = await decided();
    for (const one of several) await one.look();
    expect(await waiting()).toBe(0);
    expect(await decided()).toBe(before);
  });

  it('a new version of the program decides every price once', async () => {
    await process('neuer').look();
    expect(await waiting()).toBe(6);
    while ((await repriceDue(world.deps)) > 0);
    await process('neuer').look();
    expect(await waiting()).toBe(0);
  });

  it('fields that could not be read are retried by the next process that starts', async () => {
    await world.inside((trx) => trx.updateTable('noticed_catalogues').set({ field_values: null }).execute());
    await process().look();
    expect(await waiting()).toBe(6);
  });
});
