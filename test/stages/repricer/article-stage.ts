import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { openStage } from '../browser.ts';
import { masterWith } from '../kontor.ts';
import { offerMessage, undercutting } from './offer-message.ts';

const MARKETPLACE = 'A1PA6795UKMFR9';
type Offers = Parameters<typeof offerMessage>[1];

/** Opens a stage whose company sells `A-0` to `A-<items - 1>` at Amazon.de as seller WIR, for 15 euros within 10 and 20. */
export async function openArticleStage(items: number) {
  const stage = await openStage();
  const { kontor } = stage;
  const rows = Array.from(
    { length: items },
    (_, n) => `A-${n};10,00;20,00;${n === 3 ? '' : '15,00'};${n % 2 === 0 ? 'Bosch' : 'Öko & Söhne'}`,
  );
  const masterid = await masterWith(kontor, ['sku;von;bis;normal;Marke', ...rows].join('\n'), { key: 'sku' });
  const account = { name: 'Konto', sellerId: 'WIR', masterid, marketplace: MARKETPLACE };
  const { id } = await kontor.ask(api.createMarketplaceAccount, { body: account });
  const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
  await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
  const listing = { marketplace: MARKETPLACE, account: id, shipping: 0, price: 1500 };
  await kontor.ask(api.saveListings, {
    params: { masterid },
    body: Array.from({ length: items }, (_, n) => ({ ...listing, item: `A-${n}`, sku: `S${n}`, asin: `B${n}` })),
  });
  /** Reports the offers of the nth article, by seller and price, and who has the BuyBox. */
  const offer = (n: number, offers: Offers, { at = new Date(), box }: { at?: Date; box?: string } = {}) => {
    const message = offerMessage(n, offers, { at, id: randomIds.id(), ...(box === undefined ? {} : { box }) });
    message.Payload.AnyOfferChangedNotification.OfferChangeTrigger.MarketplaceId = MARKETPLACE;
    return kontor.ask(api.takeOffers, { params: { masterid }, body: [message] });
  };
  return { stage, masterid, offer, path: `/repricer/${masterid}/dashboard` };
}

/** Opens a stage of 30 articles, of which `A-0` to `A-3` have offers. */
export async function openOfferedArticles() {
  const world = await openArticleStage(30);
  const hour = 3_600_000;
  const full = Math.floor(Date.now() / hour) * hour;
  await world.offer(0, { WIR: 15, K1: [12, 1.5], K2: 16 }, { at: new Date(full - 2 * hour), box: 'K1' });
  await world.offer(0, { WIR: 12.5, K1: [12, 1.5] }, { at: new Date(full - hour), box: 'WIR' });
  await world.offer(1, { WIR: 15, K1: [13, 0.5] }, { box: 'K1' });
  await world.offer(2, { WIR: 9, K2: 14 }, { box: 'WIR' });
  await world.offer(3, { WIR: 15, K2: 14 });
  return world;
}
