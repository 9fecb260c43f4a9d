import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { tinyMarket } from '../../tiny-market/connector.ts';
import { serveTinyMarket, TinyMarket } from '../../tiny-market/market.ts';

describe('a marketplace other than Amazon', () => {
  let kontor: TestKontor;
  let served: Awaited<ReturnType<typeof serveTinyMarket>>;
  const article = { sku: 'S1', article: 'P1', cents: 1600, minCents: 1000, maxCents: 2000 };
  const market = new TinyMarket({ key: 'geheim', seller: 'W1', clock: systemClock, articles: [article] });
  beforeAll(async () => {
    served = await serveTinyMarket(market);
    kontor = await testKontor({}, { connectors: [tinyMarket] });
  });
  afterAll(async () => {
    await kontor.close();
    await served.close();
  });

  it('REP-19 works with one line of registration: its form is listed, an account is created and checked, and a price is sent', async () => {
    const { connectors } = await kontor.ask(api.marketplaceConnectors);
    expect(connectors.map(({ id }) => id)).toEqual(['amazon', 'tiny', 'sandbox']);
    expect(connectors[1]?.fields.map(({ id, kind, secret, required }) => [id, kind, secret, required])).toEqual([
      ['address', 'text', false, true],
      ['region', 'choice', false, false],
      ['key', 'text', true, true],
    ]);
    const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00');
    const settings = { address: served.url, region: 'sued', key: 'geheim' };
    const body = { masterid, marketplace: 'KLEIN', sellerId: 'W1', name: 'Klein', active: true, settings };
    const { id } = await kontor.ask(api.createMarketplaceAccount, { body });
    expect(await kontor.ask(api.testMarketplaceAccount, { params: { id } })).toEqual({ success: true, error: '' });
    expect((await kontor.ask(api.marketplaceAccounts)).accounts).toMatchObject([
      { connector: 'tiny', currency: 'CHF', settings: { region: 'sued' }, secretsSet: ['key'], mailbox: true },
    ]);
    const offer = { account: id, marketplace: 'KLEIN', item: 'A-1', sku: 'S1', asin: 'P1', currency: 'CHF' };
    await kontor.ask(api.saveListings, { params: { masterid }, body: [{ ...offer, shipping: 0, price: 1600 }] });
    const rule = undercutting('Regel00001', 'Preis', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
    // A competitor offers 15.99 plus 2.00 shipping: a cent less is sent.
    await kontor.ask(api.updateChannel, { params: { channel: id } });
    await expect.poll(() => market.prices.get('S1'), { timeout: 30_000 }).toBe(1798);
  });
});
