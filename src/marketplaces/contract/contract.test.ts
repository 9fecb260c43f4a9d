import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Egress } from '#platform/egress/egress.ts';
import { seeded } from '../../../seed/random.ts';
import { amazonConnector, offersRequest } from '#marketplaces/amazon/connector.ts';
import { destinationRequest, subscriptionRequest } from '#marketplaces/amazon/notifications.ts';
import { PREVIEW, pricePatch } from '#marketplaces/amazon/prices.ts';
import { amountOfCents, centsOfAmount } from '#marketplaces/amounts.ts';
import type { Connector, PriceUpdate } from '#marketplaces/port.ts';
import type { Faults } from '#marketplaces/sandbox/faults.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';

const place = { marketplace: 'A1PA6795UKMFR9', sellerId: 'WIR', currency: 'EUR' };
const credentials = { clientId: 'amzn1.test', clientSecret: 'geheim', refreshToken: 'Atzr|test' };
const mailbox = { keyId: 'AKIATEST', secret: 'geheimer Schlüssel' };
const items = Array.from({ length: 30 }, (_, n) => ({
  sku: n === 0 ? 'S/0 ä' : `S${n}`,
  asin: `B${n}`,
  cents: 1500,
  minCents: 1000,
  maxCents: 2000,
}));
const update = (sku: string, cents: number): PriceUpdate => ({
  sku,
  cents,
  minCents: 1000,
  maxCents: 2000,
  currency: 'EUR',
  idemKey: 'x',
});
const article = (n: number) => ({ sku: items[n]?.sku ?? `S${n}`, productId: `B${n}`, condition: 'new' });

/** A marketplace of its own for each connector, and the connector that speaks with it; time passes only when told. */
type Opened = {
  connector: Connector;
  sandbox: Sandbox;
  pass: (seconds: number) => void;
  wrong: Connector;
};
const open: Record<string, (more?: Partial<SandboxOptions>) => Promise<Opened>> = {
  amazon: async (more = {}) => {
    let at = Date.parse('2026-03-01T10:00:00Z');
    const clock = { now: () => new Date(at) };
    const sandbox = await startSandbox({
      place,
      credentials,
      items,
      clock,
      chance: seeded(7),
      liveAfterMs: [5000, 5000],
      mailbox,
      ...more,
    });
    const deps = { egress: new Egress({ allowLoopback: false, own: new Set([sandbox.url]) }), clock };
    const queue = { url: sandbox.mailboxUrl, ...mailbox };
    const account = { ...place, ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl, queue };
    return {
      sandbox,
      connector: amazonConnector(deps, account),
      wrong: amazonConnector(deps, { ...account, refreshToken: 'falsch', queue: { ...queue, secret: 'falsch' } }),
      pass: (seconds) => (at += seconds * 1000),
    };
  },
};

let opened: Opened | undefined;
afterEach(() => opened?.sandbox.close());

describe.each(Object.entries(open))('every connector: %s', (_name, start) => {
  const begin = async (faults: Partial<Faults> = {}, more: Partial<SandboxOptions> = {}) =>
    (opened = await start({ faults, ...more }));

  it('REP-19 a price is taken, goes live later, and is read back as the marketplace shows it', async () => {
    const { connector, sandbox, pass } = await begin();
    await connector.testConnection();
    const [answer] = await connector.updatePrices([update('S/0 ä', 1399)]);
    expect(answer).toMatchObject({
      sku: 'S/0 ä',
      state: 'ACCEPTED',
      reference: expect.stringMatching(/./),
      issues: [],
    });
    expect(await connector.readPrices(['S/0 ä'])).toEqual([{ sku: 'S/0 ä', cents: 1500 }]);
    pass(6);
    await sandbox.advance(0);
    expect(await connector.readPrices(['S/0 ä', 'gibt es nicht'])).toEqual([
      { sku: 'S/0 ä', cents: 1399 },
      { sku: 'gibt es nicht', cents: null },
    ]);
    expect(sandbox.counters).toMatchObject({ prices: 1, outside: 0, repeated: 0, live: 1 });
  });

  it('REP-19 a token that ends in the middle is renewed, wrong credentials are named', async () => {
    const { connector, wrong, pass, sandbox } = await begin({}, { tokenSeconds: 600 });
    await connector.readPrices(['S1']);
    pass(3600);
    expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: 1500 }]);
    await expect(wrong.testConnection()).rejects.toMatchObject({ kind: 'auth', message: /Zugangsdaten/ });
    sandbox.setFaults({ tokenEarly: 1 });
    await expect(connector.updatePrices([update('S1', 1399)])).rejects.toMatchObject({ kind: 'auth' });
    sandbox.setFaults({});
    expect(await connector.updatePrices([update('S1', 1399)])).toMatchObject([{ state: 'ACCEPTED' }]);
    expect(sandbox.counters.prices).toBe(1);
  });

  it('REP-19 too many calls: says how long to wait, and nothing was done; granted limits are believed', async () => {
    const { connector, pass, sandbox } = await begin({}, { rateFactor: 2 });
    const usual = connector.capabilities().rates.updatePrices;
    for (let call = 0; call < 10; call++) await connector.updatePrices([update(`S${call + 1}`, 1399)]);
    const granted = connector.capabilities().rates.updatePrices;
    expect(granted).toEqual({ perSecond: usual.perSecond * 2, burst: usual.burst * 2 });
    const refused = await connector.updatePrices([update('S20', 1399)]).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'retryable', message: 'Amazon bremst: zu viele Anfragen.' });
    const { delayMs } = z.object({ delayMs: z.number().min(1) }).parse({ ...Object(refused) });
    pass(delayMs / 1000);
    expect(await connector.updatePrices([update('S20', 1399)])).toMatchObject([{ state: 'ACCEPTED' }]);
    expect(sandbox.counters).toMatchObject({ overRate: 1, prices: 11 });
  });

  it('REP-19 refused although answered with success: a failure with German words and the field', async () => {
    const { connector, sandbox } = await begin({ invalid: 1 });
    expect(await connector.updatePrices([update('S1', 1399)])).toMatchObject([
      {
        state: 'INVALID',
        issues: [{ code: '99022', message: expect.stringMatching(/lehnt den Preis ab/), field: 'purchasable_offer' }],
      },
    ]);
    await expect(connector.updatePrices([update('gibt es nicht', 1399)])).rejects.toMatchObject({
      kind: 'permanent',
      field: 'sku',
      message: /SKU/,
    });
    // The marketplace holds its own limits: a price outside of them is counted and refused.
    sandbox.setFaults({});
    expect(await connector.updatePrices([update('S2', 999)])).toMatchObject([{ state: 'INVALID' }]);
    expect(sandbox.counters.outside).toBe(1);
  });

  it('REP-19 a price is only tried: the answer says whether it would be taken, and nothing changes', async () => {
    const { connector, sandbox, pass } = await begin();
    const tried = async (cents: number) => connector.previewPrice?.(update('S1', cents));
    expect(await tried(1399)).toMatchObject({ sku: 'S1', state: 'ACCEPTED', issues: [] });
    expect(await tried(999)).toMatchObject({ state: 'INVALID', issues: [{ code: '99022' }] });
    pass(60);
    await sandbox.advance(0);
    expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: 1500 }]);
    expect(sandbox.counters).toMatchObject({ previews: 2, prices: 0, outside: 1, accepted: 0, invalid: 0 });
    // It did nothing, so what gave no answer may be asked again.
    sandbox.setFaults({ cutAfter: 1 });
    await expect(tried(1399)).rejects.toMatchObject({ kind: 'retryable' });
  });

  it.each([
    ['cutAfter', 'unknown', 1],
    ['cutBefore', 'unknown', 0],
    ['html', 'unknown', 1],
    ['error500', 'unknown', 0],
    ['error503', 'unknown', 0],
    ['throttle', 'retryable', 0],
  ] as const)(
    'REP-19 %s: a write is %s, a read may be tried again, and reading tells what happened',
    async (fault, kind, taken) => {
      const { connector, sandbox, pass } = await begin();
      await connector.readPrices(['S1']);
      sandbox.setFaults({ [fault]: 1 });
      await expect(connector.updatePrices([update('S1', 1399)])).rejects.toMatchObject({ kind });
      await expect(connector.readPrices(['S1'])).rejects.toMatchObject({ kind: 'retryable' });
      await expect(connector.offers([article(1)])).rejects.toMatchObject({ kind: 'retryable' });
      sandbox.setFaults({});
      pass(60);
      await sandbox.advance(0);
      expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: taken === 1 ? 1399 : 1500 }]);
    },
  );

  it('REP-19 messages lie in a mailbox until they are forgotten; ordered twice they are ordered once; a wrong key is named', async () => {
    const { connector, wrong, sandbox, pass } = await begin({}, { movesPerSecond: 2 });
    const { messages } = connector;
    if (messages === undefined) throw new Error('no mailbox');
    await messages.subscribe();
    pass(10);
    await messages.subscribe();
    const arn = 'arn:aws:sqs:eu-central-1:123456789012:kontor';
    expect(sandbox.ordered()).toEqual({ ANY_OFFER_CHANGED: arn, ORDER_CHANGE: arn });
    expect(await messages.receive(0)).toEqual([]);
    await sandbox.advance(30);
    const waiting = sandbox.waiting();
    expect(waiting).toBeGreaterThan(20);
    const first = await messages.receive(0);
    expect(first.map(({ message }) => (message?.about === 'offers' ? message.snapshot.marketplace : ''))).toEqual(
      Array.from({ length: 10 }, () => place.marketplace),
    );
    await messages.acknowledge(first.slice(0, 4).map(({ receipt }) => receipt));
    expect(sandbox.waiting()).toBe(waiting - 4);
    // What nobody forgot comes again, but not at once.
    const receipts = first.map(({ receipt }) => receipt);
    const again = async () =>
      (await messages.receive(0)).filter(({ receipt }) => receipts.includes(receipt)).map(({ receipt }) => receipt);
    expect(await again()).toEqual([]);
    pass(61);
    expect(await again()).toEqual(receipts.slice(4));
    await expect(wrong.messages?.receive(0)).rejects.toMatchObject({ kind: 'auth', message: /Warteschlange/ });
  });

  it('REP-19 nobody there: nothing was sent, so a write may be tried again', async () => {
    const { connector, sandbox } = await begin();
    await connector.readPrices(['S1']);
    await sandbox.close();
    // A call on a kept connection that ends in this moment cannot know; soon after it is known to be gone.
    await wait(100);
    await expect(connector.updatePrices([update('S1', 1399)])).rejects.toMatchObject({ kind: 'retryable' });
  });

  it('REP-19 several offers at once: one unknown article fails alone; prices stand in cents', async () => {
    const { connector } = await begin();
    const found = await connector.offers([
      article(1),
      { sku: 'gibt es nicht', productId: 'B99', condition: 'new' },
      article(2),
    ]);
    expect(found.map(({ productId }) => productId)).toEqual(['B1', 'B2']);
    const own = found.flatMap(({ offers }) => offers.filter(({ seller_id }) => seller_id === 'WIR'));
    expect(own.map((offer) => [offer.listing_price_cents, offer.currency])).toEqual([
      [1500, 'EUR'],
      [1500, 'EUR'],
    ]);
  });

  it('REP-19 a price in another currency is none of ours, an offer without ours is told without it', async () => {
    const { connector, sandbox, pass } = await begin({ foreignCurrency: 1, ownMissing: 1, otherCurrency: 1 });
    expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: null }]);
    const offers = (await connector.offers([article(1), article(3), article(4)])).flatMap((one) => one.offers);
    expect(offers.some(({ seller_id }) => seller_id === 'WIR')).toBe(false);
    expect(new Set(offers.map(({ currency }) => currency))).toEqual(new Set(['USD']));
    sandbox.setFaults({ negativeShipping: 1 });
    pass(5);
    const strange = (await connector.offers([article(1), article(3), article(4)])).flatMap((one) => one.offers);
    expect(strange.some(({ shipping_cents }) => shipping_cents === -399)).toBe(true);
  });
});

describe('amounts', () => {
  it('REP-19 every amount up to a thousand euros goes there and back as it is', () => {
    for (let cents = 0; cents <= 100_000; cents++)
      if (centsOfAmount(JSON.parse(JSON.stringify(amountOfCents(cents)))) !== cents) throw new Error(String(cents));
    expect([
      centsOfAmount('19.9'),
      centsOfAmount('-4.00'),
      centsOfAmount(''),
      centsOfAmount('1e9'),
      centsOfAmount(Number.NaN),
    ]).toEqual([1990, -400, null, null, null]);
  });
});

const models = new URL('../../../../shared/data/spapi/', import.meta.url);

describe.skipIf(!existsSync(models))('the official models (skipped where the input data is absent)', () => {
  type Schema = {
    type?: string;
    enum?: string[];
    required?: string[];
    properties?: Record<string, Schema>;
    items?: Schema;
    allOf?: Schema[];
    maxItems?: number;
    $ref?: string;
  };
  type Model = { paths: Record<string, Record<string, unknown>>; definitions: Record<string, Schema> };
  const model = (name: string) => JSON.parse(readFileSync(new URL(name, models), 'utf8')) as Model;

  /** What of `value` does not fit; additional members are none of the schema's business only where it says so. */
  const misfits = (schema: Schema, value: unknown, { definitions }: Model, at = '$'): string[] => {
    const inner = (one: Schema, part: unknown, where: string) => misfits(one, part, { definitions, paths: {} }, where);
    if (schema.$ref !== undefined) {
      const found = definitions[schema.$ref.replace('#/definitions/', '')];
      return found === undefined ? [`${at}: ${schema.$ref}`] : inner(found, value, at);
    }
    if (schema.allOf) return schema.allOf.flatMap((one) => inner(one, value, at));
    if (schema.enum && !schema.enum.includes(String(value))) return [`${at}: ${String(value)}`];
    if (schema.type === 'array') {
      if (!Array.isArray(value) || value.length > (schema.maxItems ?? Infinity)) return [`${at}: no such array`];
      return value.flatMap((part, n) => (schema.items ? inner(schema.items, part, `${at}.${n}`) : []));
    }
    if (schema.type !== 'object')
      return schema.type === undefined || typeof value === schema.type ? [] : [`${at}: ${typeof value}`];
    const members = z.record(z.string(), z.unknown()).parse(value);
    const missing = (schema.required ?? []).filter((name) => !(name in members)).map((name) => `${at}.${name} missing`);
    return [
      ...missing,
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
        name in members ? inner(one, members[name], `${at}.${name}`) : [],
      ),
    ];
  };
  const account = { ...place, ...credentials, apiUrl: '', tokenUrl: '' };

  it('REP-19 our bodies and paths are those of the models', () => {
    const listings = model('listingsItems_2021-08-01.json');
    const pricing = model('productPricingV0.json');
    const patch = pricePatch(account, update('S1', 1399));
    expect(misfits({ $ref: '#/definitions/ListingsItemPatchRequest' }, patch, listings)).toEqual([]);
    const batch = offersRequest(account, [article(0), article(1)]);
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
      expect.arrayContaining(['/notifications/v1/destinations', '/notifications/v1/subscriptions/{notificationType}']),
    );
    expect(patch.patches[0]?.value[0]?.our_price).toEqual([{ schedule: [{ value_with_tax: 13.99 }] }]);
  });
});
