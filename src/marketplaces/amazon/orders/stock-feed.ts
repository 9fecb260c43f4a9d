import { z } from 'zod';
import type { StockAnswer, StockFeedEnd, StockUpdate } from '#marketplaces/orders-port.ts';
import { issuesOf } from '#marketplaces/amazon/prices.ts';
import { createFeed, feedsBetween, findFeed, isUnderWay, LISTINGS_FEED, resultOf, type FeedDeps } from './feeds.ts';
import { stockPatch } from './stock.ts';

/** Five feeds in five minutes are granted, for all programs of the seller. */
export const stockFeedRate = { perSecond: 1 / 60, burst: 5 };
/** As long as a feed usually takes, some minutes, patches carry so many at five a second. */
export const STOCK_FEED_ABOVE = 1500;
/** What Amazon takes in one. */
export const STOCK_FEED_MOST = 25_000;
/** A feed that was asked for in this span around a call may be the call's; clocks differ. */
const BEFORE_MS = 2 * 60_000;
const AFTER_MS = 5 * 60_000;

type Signal = AbortSignal | undefined;

/** The document: one message a number, by its place in the list. */
export const listingsDocument = (sellerId: string, updates: readonly StockUpdate[]) => ({
  header: { sellerId, version: '2.0', issueLocale: 'de_DE' },
  messages: updates.map(({ sku, quantity }, index) => ({
    messageId: index + 1,
    sku,
    operationType: 'PATCH',
    ...stockPatch(quantity),
  })),
});

/** Hands many numbers over; gives the feed's number. @throws MarketplaceError */
export const submitStock = (deps: FeedDeps, updates: readonly StockUpdate[], signal: Signal): Promise<string> =>
  createFeed(deps, LISTINGS_FEED, JSON.stringify(listingsDocument(deps.account.sellerId, updates)), signal);

/** What became of numbers that were handed over. @throws MarketplaceError */
export async function stockFeedEnd(
  deps: FeedDeps,
  updates: readonly StockUpdate[],
  sent: { at: Date; reference: string },
  signal: Signal,
): Promise<StockFeedEnd> {
  if (sent.reference === '') return searchedEnd(deps, sent.at, signal);
  const feed = await findFeed(deps, sent.reference, signal);
  if (feed === undefined) return { state: 'unclear' };
  if (isUnderWay(feed)) return { state: 'pending' };
  // It was taken back before it began.
  if (feed.processingStatus === 'CANCELLED') return { state: 'absent' };
  const text = await resultOf(deps, feed, signal);
  const answers = text === undefined ? undefined : answersIn(text, updates);
  // Of a feed that was broken off, some of it may have happened.
  return feed.processingStatus !== 'DONE' || answers === undefined ? { state: 'unclear' } : { state: 'done', answers };
}

/** Nobody said which feed it is: once all of its time are over, nothing comes any more that could undo a newer number. */
async function searchedEnd(deps: FeedDeps, at: Date, signal: Signal): Promise<StockFeedEnd> {
  const until = new Date(at.getTime() + AFTER_MS);
  if (deps.clock.now() <= until) return { state: 'pending' };
  const feeds = await feedsBetween(deps, LISTINGS_FEED, [new Date(at.getTime() - BEFORE_MS), until], signal);
  if (feeds === undefined) return { state: 'unclear' };
  if (feeds.length === 0) return { state: 'absent' };
  return { state: feeds.some(isUnderWay) ? 'pending' : 'unclear' };
}

const Report = z.object({
  issues: z
    .array(
      z.object({
        messageId: z.number().optional(),
        code: z.string().catch(''),
        severity: z.string().catch('ERROR'),
        message: z.string().catch(''),
        attributeName: z.string().optional().catch(undefined),
      }),
    )
    .catch([]),
  summary: z.object({ messagesProcessed: z.number(), messagesAccepted: z.number(), messagesInvalid: z.number() }),
});

/** What a processing report says of each number; undefined: nothing that could be relied on. */
export function answersIn(text: string, updates: readonly StockUpdate[]): StockAnswer[] | undefined {
  const parsed = Report.safeParse(parsedJson(text));
  if (!parsed.success) return undefined;
  const { issues, summary } = parsed.data;
  const errors = issues.filter(({ severity }) => severity === 'ERROR');
  const byMessage = Map.groupBy(errors, ({ messageId }) => messageId ?? 0);
  // An error of no message concerns the whole document: nothing of it was done.
  const whole = byMessage.get(0) ?? [];
  const named = [...byMessage.keys()].filter((id) => id > 0).length;
  // Messages that it does not name, or not at all, could be any of them.
  if (whole.length === 0 && (summary.messagesProcessed !== updates.length || summary.messagesInvalid > named))
    return undefined;
  if (whole.length > 0 && summary.messagesAccepted > 0) return undefined;
  return updates.map(({ sku }, index): StockAnswer => {
    const own = [...whole, ...(byMessage.get(index + 1) ?? [])];
    const ownIssues = own.map(({ code, severity, message, attributeName }) => ({
      code,
      severity,
      message,
      categories: [],
      attributeNames: attributeName === undefined ? [] : [attributeName],
    }));
    return { sku, state: own.length === 0 ? 'ACCEPTED' : 'INVALID', issues: issuesOf(ownIssues) };
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
