import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../test/stages/input-data.ts';
import { misfits, type Model } from '../../../test/stages/marketplaces/model-check.ts';
import { offersRequest } from './connector.ts';
import { destinationRequest, subscriptionRequest } from './notifications.ts';
import { PREVIEW, pricePatch } from './prices.ts';

const place = { marketplace: 'A1PA6795UKMFR9', sellerId: 'WIR', currency: 'EUR' };
const credentials = { clientId: 'amzn1.test', clientSecret: 'geheim', refreshToken: 'Atzr|test' };
const update = {
  sku: 'S1',
  cents: 1399,
  minCents: 1000,
  maxCents: 2000,
  currency: 'EUR',
  idemKey: 'x',
};
const product = (n: number) => ({ sku: n === 0 ? 'S/0 ä' : `S${n}`, productId: `B${n}`, condition: 'new' });

/** Small models of the calls we use, written after the public documentation; and the official ones, if this machine has them. */
const sources = [
  {
    from: 'small models of ours',
    absent: false,
    read: (name: string) => readFileSync(new URL(`../../../test/data/amazon/${name}`, import.meta.url), 'utf8'),
  },
  {
    from: `the official models (${onlyWithInputData})`,
    absent: !hasInputData,
    read: (name: string) => inputBytes(`spapi/${name}`).toString('utf8'),
  },
];

for (const { from, absent, read } of sources)
  describe.skipIf(absent)(from, () => {
    const model = (name: string) => JSON.parse(read(name)) as Model;
    const account = { ...place, ...credentials, apiUrl: '', tokenUrl: '' };

    it('REP-19 our request bodies and paths conform to the models', () => {
      const listings = model('listingsItems_2021-08-01.json');
      const pricing = model('productPricingV0.json');
      const patch = pricePatch(account, update);
      expect(misfits({ $ref: '#/definitions/ListingsItemPatchRequest' }, patch, listings)).toEqual([]);
      const batch = offersRequest(account, [product(0), product(1)]);
      expect(misfits({ $ref: '#/definitions/GetListingOffersBatchRequest' }, batch, pricing)).toEqual([]);
      expect(
        misfits({ $ref: '#/definitions/ListingsItemPatchRequest' }, { patches: [{ op: 'set' }] }, listings),
      ).not.toEqual([]);
      expect(Object.keys(listings.paths['/listings/2021-08-01/items/{sellerId}/{sku}'] ?? {})).toEqual(
        expect.arrayContaining(['get', 'patch']),
      );
      expect(JSON.stringify(listings.paths['/listings/2021-08-01/items/{sellerId}/{sku}']?.['patch'])).toContain(
        PREVIEW.replace('&mode=', ''),
      );
      expect(Object.keys(pricing.paths)).toEqual(
        expect.arrayContaining([
          '/batches/products/pricing/v0/listingOffers',
          '/products/pricing/v0/listings/{SellerSKU}/offers',
        ]),
      );
      expect(Object.keys(model('sellers.json').paths)).toContain('/sellers/v1/marketplaceParticipations');
      const notifications = model('notifications.json');
      const destination = destinationRequest('arn:aws:sqs:eu-central-1:123456789012:kontor');
      expect(misfits({ $ref: '#/definitions/CreateDestinationRequest' }, destination, notifications)).toEqual([]);
      expect(
        misfits({ $ref: '#/definitions/CreateSubscriptionRequest' }, subscriptionRequest('d'), notifications),
      ).toEqual([]);
      expect(Object.keys(notifications.paths)).toEqual(
        expect.arrayContaining([
          '/notifications/v1/destinations',
          '/notifications/v1/subscriptions/{notificationType}',
        ]),
      );
      expect(patch.patches[0]?.value[0]?.our_price).toEqual([{ schedule: [{ value_with_tax: 13.99 }] }]);
    });
  });
