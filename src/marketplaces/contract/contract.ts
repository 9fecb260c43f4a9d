import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { MarketplaceError, operations, type OwnArticle, type PriceUpdate } from '#marketplaces/port.ts';
import { goods, SELLER, type Fault, type Market, type OpenMarket } from './market.ts';

const updateOf =
  (currency: string) =>
  (sku: string, cents: number): PriceUpdate => ({
    sku,
    cents,
    minCents: 1000,
    maxCents: 2000,
    currency,
    idemKey: `${sku}-${cents}`,
  });
const article = (n: number): OwnArticle => ({ sku: `S${n}`, productId: `B${n}`, condition: 'new' });
const unknownArticle: OwnArticle = { sku: 'gibt es nicht', productId: 'B999', condition: 'new' };

/** Begins a test: opens a marketplace of its own, with a function that builds a price update for it. */
type Begin = () => Promise<Market & { update: ReturnType<typeof updateOf> }>;

/** Tests what every connector must do, independent of its marketplace. */
export function connectorContract(name: string, open: OpenMarket): void {
  describe(`every connector: ${name}`, () => {
    let market: Market | undefined;
    afterEach(() => market?.close());
    const begin: Begin = async () => {
      market = await open();
      return { ...market, update: updateOf(market.currency) };
    };
    accountTests(begin);
    priceTests(begin);
    refusalTests(begin);
    faultTests(begin);
    limitTests(begin);
    secretTests(begin);
    offerTests(begin);
    messageTests(begin);
  });
}

function accountTests(begin: Begin): void {
  it('REP-19 right credentials connect; wrong credentials give an auth error with a message and change nothing', async () => {
    const { connector, wrong, update, received } = await begin();
    await connector.testConnection();
    const auth = { kind: 'auth', message: expect.stringMatching(/./) };
    await expect(wrong.testConnection()).rejects.toMatchObject(auth);
    await expect(wrong.updatePrices([update('S1', 1399)])).rejects.toMatchObject(auth);
    await expect(wrong.readPrices(['S1'])).rejects.toMatchObject(auth);
    await expect(wrong.offers([article(1)])).rejects.toMatchObject(auth);
    if (wrong.messages) await expect(wrong.messages.receive(0)).rejects.toMatchObject(auth);
    expect(received()).toBe(0);
  });

  it('REP-19 every call to a server that does not answer fails as retryable, because nothing was sent', async () => {
    const { connector, update, close } = await begin();
    await connector.readPrices(['S1']);
    await close();
    // A call on a kept-alive connection that closes at this moment cannot know it yet; shortly after it does.
    await wait(100);
    const again = { kind: 'retryable' };
    await expect(connector.updatePrices([update('S1', 1399)])).rejects.toMatchObject(again);
    await expect(connector.readPrices(['S1'])).rejects.toMatchObject(again);
    await expect(connector.offers([article(1)])).rejects.toMatchObject(again);
    await expect(connector.testConnection()).rejects.toMatchObject(again);
  });

  it('REP-19 declares a rate, a burst and a batch size for each operation', async () => {
    const { rates, batch } = (await begin()).connector.capabilities();
    for (const operation of operations) {
      expect(rates[operation].perSecond).toBeGreaterThan(0);
      expect(rates[operation].burst).toBeGreaterThanOrEqual(1);
      expect(batch[operation]).toBeGreaterThanOrEqual(1);
    }
  });
}

function priceTests(begin: Begin): void {
  it('REP-19 an accepted price goes live later, and reading returns the price that the marketplace shows', async () => {
    const { connector, update, settle, received } = await begin();
    const [answer, ...more] = await connector.updatePrices([update('S/0 ä', 1399)]);
    const reference = expect.stringMatching(/./);
    expect(answer).toMatchObject({ sku: 'S/0 ä', state: 'ACCEPTED', reference, issues: [] });
    expect(more).toEqual([]);
    expect(await connector.readPrices(['S/0 ä'])).toEqual([{ sku: 'S/0 ä', cents: 1500 }]);
    await settle();
    expect(await connector.readPrices(['S/0 ä'])).toEqual([{ sku: 'S/0 ä', cents: 1399 }]);
    expect(received()).toBe(1);
  });

  it('REP-19 a full batch of prices gets one answer per entry, in order; an unknown article has no price', async () => {
    const { connector, update, settle } = await begin();
    const { batch } = connector.capabilities();
    const some = goods.slice(0, batch.updatePrices);
    const answers = await connector.updatePrices(some.map(({ sku }, n) => update(sku, 1400 + n)));
    expect(answers.map(({ sku, state }) => [sku, state])).toEqual(some.map(({ sku }) => [sku, 'ACCEPTED']));
    await settle();
    for (const [n, { sku }] of some.entries())
      expect(await connector.readPrices([sku])).toEqual([{ sku, cents: 1400 + n }]);
    expect(await connector.readPrices(['gibt es nicht', 'S20'])).toEqual([
      { sku: 'gibt es nicht', cents: null },
      { sku: 'S20', cents: 1500 },
    ]);
  });

  it('REP-19 an aborted call changes nothing', async () => {
    const { connector, update, received } = await begin();
    await connector.readPrices(['S1']);
    const aborted = AbortSignal.abort();
    await expect(connector.updatePrices([update('S1', 1399)], aborted)).rejects.toThrow();
    await expect(connector.readPrices(['S1'], aborted)).rejects.toThrow();
    await expect(connector.offers([article(1)], aborted)).rejects.toThrow();
    expect(received()).toBe(0);
  });
}

function refusalTests(begin: Begin): void {
  it('REP-19 a refused price is answered with a reason and does not affect the others in its batch', async () => {
    const { connector, update, settle } = await begin();
    const rest = goods.slice(2, 1 + connector.capabilities().batch.updatePrices);
    const answers = await connector.updatePrices([update('S1', 999), ...rest.map(({ sku }) => update(sku, 1399))]);
    expect(answers.map(({ sku, state }) => [sku, state])).toEqual([
      ['S1', 'INVALID'],
      ...rest.map(({ sku }) => [sku, 'ACCEPTED']),
    ]);
    expect(answers[0]?.issues[0]).toMatchObject({
      code: expect.stringMatching(/./),
      message: expect.stringMatching(/lehnt den Preis ab/),
      field: expect.stringMatching(/./),
    });
    await settle();
    const shown = await connector.readPrices(['S1', ...rest.map(({ sku }) => sku)]);
    expect(shown.map(({ cents }) => cents)).toEqual([1500, ...rest.map(() => 1399)]);
  });

  it('REP-19 an unknown article is refused with the field name, as an answer or as an error', async () => {
    const { connector, update, received } = await begin();
    const [answer] = await connector.updatePrices([update('gibt es nicht', 1399)]).catch((error: unknown) => [error]);
    expect(answer).toMatchObject(
      answer instanceof Error
        ? { kind: 'permanent', field: 'sku', message: expect.stringMatching(/./) }
        : { state: 'INVALID', issues: [{ field: 'sku', message: expect.stringMatching(/./) }] },
    );
    expect(received()).toBe(0);
  });

  it('REP-19 a preview, where supported, says whether the price would be accepted, and changes nothing', async () => {
    const { connector, update, settle, received, setFault } = await begin();
    if (connector.previewPrice === undefined) return;
    expect(await connector.previewPrice(update('S1', 1399))).toMatchObject({
      sku: 'S1',
      state: 'ACCEPTED',
      issues: [],
    });
    expect(await connector.previewPrice(update('S1', 999))).toMatchObject({ state: 'INVALID', issues: [{}] });
    await settle();
    expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: 1500 }]);
    expect(received()).toBe(0);
    // A preview changes nothing, so without an answer it may be retried.
    setFault('cutAfter');
    await expect(connector.previewPrice(update('S1', 1399))).rejects.toMatchObject({ kind: 'retryable' });
  });
}

const faults: readonly (readonly [Fault, kind: string, taken: number])[] = [
  ['cutAfter', 'unknown', 1],
  ['page', 'unknown', 1],
  ['cutBefore', 'unknown', 0],
  ['outOfOrder', 'unknown', 0],
  ['overloaded', 'unknown', 0],
  ['throttle', 'retryable', 0],
];

function faultTests(begin: Begin): void {
  it.each(faults)(
    'REP-19 %s: a write fails as %s, a read as retryable, and a later read shows the actual price',
    async (fault, kind, count) => {
      const { connector, update, setFault, settle, pass, received } = await begin();
      await connector.readPrices(['S1']);
      setFault(fault);
      await expect(connector.updatePrices([update('S1', 1399)])).rejects.toMatchObject({ kind });
      await expect(connector.readPrices(['S1'])).rejects.toMatchObject({ kind: 'retryable' });
      await expect(connector.offers([article(1)])).rejects.toMatchObject({ kind: 'retryable' });
      setFault(undefined);
      pass(60);
      await settle();
      expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: count === 1 ? 1399 : 1500 }]);
      expect(received()).toBe(count);
    },
  );
}

function limitTests(begin: Begin): void {
  it('REP-19 accepts the declared burst of calls; the first refused call changes nothing and says how long to wait', async () => {
    const { connector, update, pass, received } = await begin();
    const { burst } = connector.capabilities().rates.updatePrices;
    const refused = await untilRefused(() => connector.updatePrices([update('S1', 1399)]), burst * 2);
    expect(refused.calls).toBeGreaterThan(burst);
    expect(received()).toBe(refused.calls - 1);
    expect(refused.error).toMatchObject({ kind: 'retryable' });
    expect(refused.error.delayMs).toBeGreaterThan(0);
    pass((refused.error.delayMs ?? 0) / 1000);
    expect(await connector.updatePrices([update('S20', 1399)])).toMatchObject([{ state: 'ACCEPTED' }]);
  });
}

/** Calls until the marketplace refuses for too many calls; returns the error and the number of calls. */
async function untilRefused(call: () => Promise<unknown>, most: number) {
  for (let calls = 1; calls <= most; calls++) {
    const answer = await call().catch((error: unknown) => error);
    if (answer instanceof MarketplaceError) return { error: answer, calls };
  }
  throw new Error(`none of ${most} simultaneous calls was refused`);
}

function secretTests(begin: Begin): void {
  it('REP-19 no error contains a secret, neither in its message nor in its cause', async () => {
    const { connector, wrong, update, setFault, secrets, pass, close } = await begin();
    const failures: unknown[] = [];
    const keep = (error: unknown) => void failures.push(error);
    const askAll = async (one: typeof connector) => {
      await one.testConnection().catch(keep);
      await one.updatePrices([update('S1', 1399)]).catch(keep);
      await one.readPrices(['S1']).catch(keep);
      await one.offers([article(1)]).catch(keep);
      await one.messages?.receive(0).catch(keep);
      await one.messages?.subscribe().catch(keep);
    };
    await askAll(wrong);
    for (const [fault] of faults) {
      setFault(fault);
      pass(60);
      await askAll(connector);
    }
    await close();
    await wait(100);
    await askAll(connector);
    await askAll(wrong);
    expect(failures.length).toBeGreaterThan(faults.length * 3);
    const printed = inspect(failures, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
    for (const secret of secrets)
      for (const spelled of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
        expect(printed.includes(spelled), spelled).toBe(false);
  });
}

function offerTests(begin: Begin): void {
  it('REP-19 a batch of offers omits an unknown article, includes our own offers and states prices in cents', async () => {
    const { connector, marketplace, currency, clock } = await begin();
    const found = await connector.offers([article(1), unknownArticle, article(2)]);
    expect(found).toMatchObject([
      { marketplace, productId: 'B1', condition: 'new' },
      { marketplace, productId: 'B2', condition: 'new' },
    ]);
    for (const { eventAt } of found) expect(eventAt).toEqual(clock.now());
    expect(new Set(found.map(({ message }) => message)).size).toBe(2);
    const own = found.flatMap(({ offers }) => offers.filter(({ seller_id }) => seller_id === SELLER));
    expect(own.map((offer) => [offer.listing_price_cents, offer.currency])).toEqual([
      [1500, currency],
      [1500, currency],
    ]);
    const ships = found.flatMap(({ offers }) => offers.map(({ fulfilment }) => fulfilment));
    expect(new Set(ships)).toEqual(new Set(['marketplace', 'merchant']));
  });
}

const unreadable = [undefined, null, '', 'x', 7, [], [[]], {}, { offers: 7 }, { Payload: [] }, { at: 'gestern' }];

function messageTests(begin: Begin): void {
  it('REP-19 reads input that is no marketplace message as undefined', async () => {
    const { readMessage } = await begin();
    expect(unreadable.map((raw) => readMessage(raw))).toEqual(unreadable.map(() => undefined));
  });

  it('REP-19 a mailbox delivers messages again until they are acknowledged; subscribing twice subscribes once', async () => {
    const { connector, marketplace, move, pass } = await begin();
    const { messages } = connector;
    if (messages === undefined) return;
    await messages.subscribe();
    pass(10);
    await messages.subscribe();
    expect(await messages.receive(0)).toEqual([]);
    await move();
    const first = await messages.receive(0);
    expect(first.length).toBeGreaterThan(2);
    for (const { message } of first)
      expect(message).toMatchObject({ about: 'offers', snapshot: { marketplace, condition: 'new' } });
    const idsOf = (list: typeof first) =>
      list.map(({ message }) => (message?.about === 'offers' ? message.snapshot.message : ''));
    expect(new Set(idsOf(first)).size).toBe(first.length);
    await messages.acknowledge(first.slice(0, 2).map(({ receipt }) => receipt));
    // Messages that were not acknowledged are delivered again, but not at once.
    const again = async () => idsOf(await messages.receive(0)).filter((id) => idsOf(first).includes(id));
    expect(await again()).toEqual([]);
    pass(61);
    expect(await again()).toEqual(idsOf(first.slice(2)));
  });
}
