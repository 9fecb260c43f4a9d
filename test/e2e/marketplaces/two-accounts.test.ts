import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { offerMessage, undercutting } from '../../stages/repricer/offer-message.ts';

const marketplace = 'A1PA6795UKMFR9';

describe('a company with two accounts at one marketplace', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00\nA-2;10,00;20,00;15,00', {
      key: 'sku',
    });
    const account = async (name: string, sellerId: string) =>
      (await kontor.ask(api.createMarketplaceAccount, { body: { name, sellerId, masterid, marketplace } })).id;
    const [first, second] = [await account('Eins', 'EINS'), await account('Zwei', 'ZWEI')];
    const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
    const offer = { marketplace, shipping: 100, price: 1500 };
    const body = [
      { ...offer, item: 'A-1', account: first, sku: 'S1', asin: 'B1' },
      { ...offer, item: 'A-2', account: second, sku: 'S2', asin: 'B2', condition: 'used_like_new' },
    ];
    await kontor.ask(api.saveListings, { params: { masterid }, body });
  });
  afterAll(() => kontor.close());

  const tell = (n: number, offers: Parameters<typeof offerMessage>[1], condition = 'New') => {
    const message = offerMessage(n, offers, { at: new Date(), id: `m${n}`, box: 'K1' });
    const trigger = message.Payload.AnyOfferChangedNotification.OfferChangeTrigger;
    Object.assign(trigger, { MarketplaceId: marketplace, ItemCondition: condition });
    return kontor.ask(api.takeOffers, { params: { masterid }, body: [message] });
  };
  const decided = async (itemid: string) => {
    const newest = async () => (await kontor.ask(api.priceDecisions, { params: { masterid, itemid } }))[0];
    await expect.poll(newest, { timeout: 20_000 }).toBeDefined();
    return newest();
  };

  it("REP-19 the price and shipping of the other account's offer are not used for this account", async () => {
    expect(await tell(1, { ZWEI: [16, 5], K1: 14 })).toMatchObject({ taken: 1 });
    expect(await decided('A-1')).toMatchObject({
      price_cents: 1299,
      arithmetic: { own_shipping_cents: 100, current_cents: 1500 },
    });
  });

  it('REP-19 an offer reported with the condition of a listing is found by messages about the main condition', async () => {
    expect(await tell(2, { K1: 14 }, 'Used')).toMatchObject({ taken: 1 });
    expect(await decided('A-2')).toMatchObject({ price_cents: 1299, reason: 'COMPETE_LOWEST' });
  });
});
