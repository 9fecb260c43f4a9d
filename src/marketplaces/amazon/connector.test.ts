import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PriceUpdate } from '#marketplaces/port.ts';
import type { SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';
import { startAmazonMarket } from '../../../test/stages/marketplaces/amazon-market.ts';

const update = (sku: string, cents: number): PriceUpdate => ({
  sku,
  cents,
  minCents: 1000,
  maxCents: 2000,
  currency: 'EUR',
  idemKey: 'x',
});
const article = (n: number) => ({ sku: `S${n}`, productId: `B${n}`, condition: 'new' });

/** What is special to Amazon; what every connector must do is tested in marketplaces/contract. */
describe('the Amazon connector', () => {
  let opened: Awaited<ReturnType<typeof startAmazonMarket>> | undefined;
  afterEach(() => opened?.close());
  const begin = async (more: Partial<SandboxOptions> = {}) => (opened = await startAmazonMarket(more));

  it('REP-19 a price is sent once and goes live, within the limits', async () => {
    const { connector, sandbox, settle } = await begin();
    await connector.updatePrices([update('S/0 ä', 1399)]);
    await settle();
    expect(sandbox.counters).toMatchObject({ prices: 1, outside: 0, repeated: 0, live: 1 });
  });

  it('REP-19 an expired token is renewed, and wrong credentials are reported as such', async () => {
    const { connector, wrong, pass, sandbox } = await begin({ tokenSeconds: 600 });
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

  it('REP-19 a missing permission costs one attempt and no new token', async () => {
    const { connector, sandbox, changeAnswers, exchanged } = await begin();
    await connector.readPrices(['S1']);
    sandbox.setFaults({ tokenEarly: 1 });
    const asked = async () => {
      const before = exchanged.length;
      await expect(connector.readPrices(['S1'])).rejects.toMatchObject({ kind: 'auth' });
      return exchanged.length - before;
    };
    expect(await asked()).toBe(3);
    // Amazon reports a missing role with exactly this text, except for the details.
    changeAnswers((text) => text.replace('The access token you provided has expired.', ''));
    expect(await asked()).toBe(1);
  });

  it('REP-19 a throttled call reports how long to wait and changes nothing; limits granted by Amazon are used', async () => {
    const { connector, pass, sandbox } = await begin({ rateFactor: 2 });
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

  it('REP-19 a price rejected in a successful response is INVALID, with a German message and the field', async () => {
    const { connector, sandbox } = await begin({ faults: { invalid: 1 } });
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
    // The marketplace enforces its own limits: a price outside them is counted and refused.
    sandbox.setFaults({});
    expect(await connector.updatePrices([update('S2', 999)])).toMatchObject([{ state: 'INVALID' }]);
    expect(sandbox.counters.outside).toBe(1);
  });

  it('REP-19 a previewed price is not submitted: Amazon counts it separately', async () => {
    const { connector, sandbox, settle } = await begin();
    const tried = async (cents: number) => connector.previewPrice?.(update('S1', cents));
    expect(await tried(1399)).toMatchObject({ sku: 'S1', state: 'ACCEPTED', issues: [] });
    expect(await tried(999)).toMatchObject({ state: 'INVALID', issues: [{ code: '99022' }] });
    await settle();
    expect(sandbox.counters).toMatchObject({ previews: 2, prices: 0, outside: 1, accepted: 0, invalid: 0 });
  });

  it('REP-19 subscribes to notifications in the queue; unacknowledged ones stay there; a wrong key is reported as such', async () => {
    const { connector, wrong, sandbox, pass } = await begin({ movesPerSecond: 2 });
    const { messages } = connector;
    if (messages === undefined) throw new Error('no mailbox');
    await messages.subscribe();
    pass(10);
    await messages.subscribe();
    const arn = 'arn:aws:sqs:eu-central-1:123456789012:kontor';
    expect(sandbox.ordered()).toEqual({
      ANY_OFFER_CHANGED: arn,
      ORDER_CHANGE: arn,
      FEED_PROCESSING_FINISHED: arn,
    });
    await sandbox.advance(30);
    const waiting = sandbox.waiting();
    expect(waiting).toBeGreaterThan(20);
    const first = await messages.receive(0);
    expect(first).toHaveLength(10);
    await messages.acknowledge(first.slice(0, 4).map(({ receipt }) => receipt));
    expect(sandbox.waiting()).toBe(waiting - 4);
    await expect(wrong.messages?.receive(0)).rejects.toMatchObject({ kind: 'auth', message: /Warteschlange/ });
  });

  it('REP-19 offers belong to the product that they name, in whatever order the responses arrive', async () => {
    const { connector, changeAnswers } = await begin();
    const articles = [article(1), article(3), article(4)];
    const told = async () =>
      Object.fromEntries((await connector.offers(articles)).map(({ productId, offers }) => [productId, offers]));
    const before = await told();
    expect(Object.keys(before)).toEqual(['B1', 'B3', 'B4']);
    const Answer = z.looseObject({ responses: z.array(z.unknown()) });
    changeAnswers((text) => {
      const answer = Answer.safeParse(JSON.parse(text)).data;
      return answer === undefined ? text : JSON.stringify({ ...answer, responses: answer.responses.toReversed() });
    });
    opened?.pass(5);
    expect(await told()).toEqual(before);
  });

  it('REP-19 an offer or an issue that cannot be read hides no other in the answer', async () => {
    const { connector, changeAnswers } = await begin();
    changeAnswers((text) =>
      text.replace('"offers":[', '"offers":[{"marketplaceId":"A1PA6795UKMFR9","offerType":"B2B"},7,'),
    );
    expect(await connector.readPrices(['S1'])).toEqual([{ sku: 'S1', cents: 1500 }]);
    changeAnswers((text) => text.replace('"issues":[', '"issues":["?",'));
    expect(await connector.updatePrices([update('S1', 999)])).toMatchObject([
      { state: 'INVALID', issues: [{ message: /Grenzen/ }] },
    ]);
  });

  it('REP-19 a price in another currency is not read as ours, and offers are returned without ours if it is missing', async () => {
    const { connector, sandbox, pass } = await begin({
      faults: { foreignCurrency: 1, ownMissing: 1, otherCurrency: 1 },
    });
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
