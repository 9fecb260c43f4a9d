import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { feedMessage } from '#marketplaces/sandbox/order-book/feed-message.ts';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../test/stages/input-data.ts';
import { readMessage } from './messages.ts';

const feed = {
  feedId: '4711',
  feedType: 'POST_PAYMENT_ADJUSTMENT_DATA',
  createdAt: 0,
  state: 'DONE' as const,
  beginsAt: 0,
  endsAt: 0,
  document: 'd',
  result: 'r',
};
const told = feedMessage(feed, { marketplace: 'M', sellerId: 'WIR', currency: 'EUR' }, { id: 'n', at: 0 });
const Examples = z.object({ examples: z.array(z.unknown()), required: z.array(z.string()) });

describe('notifications about feeds', () => {
  it('OIM-03 name the processed feed, and malformed ones are ignored', () => {
    expect(readMessage(told)).toEqual({ about: 'action', action: { sellerId: 'WIR', reference: '4711' } });
    expect(readMessage({ payload: { feedProcessingFinishedNotification: { sellerId: 'WIR' } } })).toBeUndefined();
    expect(readMessage({ payload: { feedProcessingFinishedNotification: 'x' } })).toBeUndefined();
  });

  it.skipIf(!hasInputData)(`OIM-03 the official samples are read, also without a seller (${onlyWithInputData})`, () => {
    const { examples, required } = Examples.parse(
      JSON.parse(inputBytes('orders/spapi_schema_FeedProcessingFinishedNotification.json').toString('utf8')),
    );
    expect(examples.map(readMessage)).toEqual([
      { about: 'action', action: { sellerId: 'A3TH9S8BH6GOGM', reference: '53347018456' } },
      { about: 'action', action: { sellerId: '', reference: '53347018456' } },
    ]);
    expect(
      required.filter((name) => !Object.keys(z.record(z.string(), z.unknown()).parse(told)).includes(name)),
    ).toEqual([]);
  });
});
