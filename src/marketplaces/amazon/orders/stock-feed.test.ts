import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAmazonMarket } from '../../../../test/stages/marketplaces/amazon-market.ts';
import { answersIn, listingsDocument } from './stock-feed.ts';

const numbers = [
  { sku: 'S/0 ä', quantity: 40 },
  { sku: 'gibt es nicht', quantity: 1 },
  { sku: 'S2', quantity: 0 },
];

describe('many stock quantities in one feed', () => {
  let market: Awaited<ReturnType<typeof startAmazonMarket>>;
  beforeEach(async () => {
    market = await startAmazonMarket();
  });
  afterEach(() => market.close());

  const feed = () => {
    const found = market.connector.orders?.stockFeed;
    if (found === undefined) throw new Error('no feed');
    return found;
  };
  const listed = () => ['S/0 ä', 'S2'].map((sku) => market.sandbox.world.articles.get(sku)?.listed);

  it('OIM-02 are processed later, and the report gives the outcome of each', async () => {
    const at = market.clock.now();
    const reference = await feed().submit(numbers);
    expect(await feed().read(numbers, { at, reference })).toEqual({ state: 'pending' });
    expect(listed()).toEqual([null, null]);
    market.pass(600);
    expect(await feed().read(numbers, { at, reference })).toMatchObject({
      state: 'done',
      answers: [
        { sku: 'S/0 ä', state: 'ACCEPTED', issues: [] },
        { sku: 'gibt es nicht', state: 'INVALID', issues: [{ message: expect.stringMatching(/./) }] },
        { sku: 'S2', state: 'ACCEPTED' },
      ],
    });
    expect(listed()).toEqual([40, 0]);
    expect(market.sandbox.counters.personsSent).toBe(0);
  });

  it('OIM-02 an aborted feed leaves the outcome of every quantity unclear', async () => {
    market.sandbox.setFaults({ feedFatal: 1 });
    const at = market.clock.now();
    const reference = await feed().submit(numbers);
    market.pass(600);
    expect(await feed().read(numbers, { at, reference })).toEqual({ state: 'unclear' });
    expect(await feed().read(numbers, { at, reference: 'nie gewesen' })).toEqual({ state: 'unclear' });
  });

  it.each([
    ['cutAfter' as const, 'unclear'],
    ['cutBefore' as const, 'absent'],
  ])(
    'OIM-02 a feed without a response (%s) is pending until no feed of its time is in progress, then: %s',
    async (fault, state) => {
      const at = market.clock.now();
      market.sandbox.setFaults({ [fault]: 1, feedSlow: 1 }, ['createFeed']);
      await expect(feed().submit(numbers)).rejects.toMatchObject({ kind: 'unknown' });
      market.sandbox.setFaults({});
      expect(await feed().read(numbers, { at, reference: '' })).toEqual({ state: 'pending' });
      market.pass(100 * 60);
      expect(await feed().read(numbers, { at, reference: '' })).toEqual({ state });
    },
  );

  it('OIM-02 a report that does not fit is ignored; an error of the whole document refuses all', () => {
    const summary = { errors: 0, warnings: 0, messagesProcessed: 3, messagesAccepted: 3, messagesInvalid: 0 };
    const said = (more: object) =>
      answersIn(JSON.stringify({ issues: [], summary, ...more }), numbers)?.map((one) => one.state);
    expect(said({})).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED']);
    const warning = { messageId: 1, code: '1', severity: 'WARNING', message: 'Na ja' };
    expect(said({ issues: [warning] })).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED']);
    expect(said({ summary: { ...summary, messagesProcessed: 2 } })).toBeUndefined();
    expect(said({ summary: { ...summary, messagesAccepted: 2, messagesInvalid: 1 } })).toBeUndefined();
    const whole = { code: '2', severity: 'ERROR', message: 'Unlesbar' };
    expect(said({ issues: [whole] })).toBeUndefined();
    expect(said({ issues: [whole], summary: { ...summary, messagesProcessed: 0, messagesAccepted: 0 } })).toEqual([
      'INVALID',
      'INVALID',
      'INVALID',
    ]);
    for (const text of ['', '<html>', '{}', '[]']) expect(answersIn(text, numbers)).toBeUndefined();
    expect(listingsDocument('WIR', numbers).messages.map(({ messageId, sku }) => [messageId, sku])).toEqual([
      [1, 'S/0 ä'],
      [2, 'gibt es nicht'],
      [3, 'S2'],
    ]);
  });
});
