import { readNotification } from '#marketplaces/amazon/offer-messages.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { takeOffers } from '#repricer/intake/offers.ts';
import { undercutting } from './offer-message.ts';
import { makePriceWorld, type PriceWorld } from './price-world.ts';

/** Creates a catalogue with this number of competing items, each with the decision on its first offers. */
export async function decidedWorld(items: number): Promise<PriceWorld> {
  const rows = Array.from({ length: items }, (_, n) => `A-${n};10,00;20,00;15,00`);
  const world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), items, [
    undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
  ]);
  const offers = Array.from({ length: items }, (_, n) => readNotification(world.message(n, { K1: 14.5 })) ?? []);
  await world.inside((trx) => takeOffers(trx, world.company, offers.flat(), world.clock.now()));
  while ((await repriceDue(world.deps, 14)) > 0);
  return world;
}
