import { z } from 'zod';
import type { StockAnswer, StockFeedEnd, StockUpdate } from '#marketplaces/orders-port.ts';
import { issuesOf } from '#marketplaces/amazon/prices.ts';
import { createFeed, feedsBetween, findFeed, isUnderWay, LISTINGS_FEED, resultOf, type FeedDeps } from './feeds.ts';
import { stockPatch } from './stock.ts';

/** Amazon allows five feeds in five minutes, shared by all programs of the seller. */
export const stockFeedRate = { perSecond: 1 / 60, burst: 5 };
/** In the few minutes that a feed usually takes, single patches at five a second carry this many updates. */
export const STOCK_FEED_ABOVE = 1500;
/** Most updates that Amazon accepts in one feed. */
export const STOCK_FEED_MOST = 25_000;
/** A feed created within this span around a call may belong to the call: clocks differ. */
const BEFORE_MS = 2 * 60_000;
const AFTER_MS = 5 * 60_000;

type Signal = AbortSignal | undefined;

/** Returns the feed's document: one message per update, numbered by its position in the list. */
export const listingsDocument = (sellerId: string, updates: readonly StockUpdate[]) => ({
  header: { sellerId, version: '2.0', issueLocale: 'de_DE' },
  messages: updates.map(({ sku, quantity }, index) => ({
    messageId: index + 1,
    sku,
    operationType: 'PATCH',
    ...stockPatch(quantity),
  })),
});

/** Submits many stock updates as one feed; returns the feed's id. @throws MarketplaceError */
export const submitStock = (deps: FeedDeps, updates: readonly StockUpdate[], signal: Signal): Promise<string> =>
  createFeed(deps, LISTINGS_FEED, JSON.stringify(listingsDocument(deps.account.sellerId, updates)), signal);

/** Returns what became of submitted stock updates. @throws MarketplaceError */
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
  // The feed was cancelled before processing began.
  if (feed.processingStatus === 'CANCELLED') return { state: 'absent' };
  const text = await resultOf(deps, feed, signal);
  const answers = text === undefined ? undefined : answersIn(text, updates);
  // A feed that was aborted may have been processed in part.
  return feed.processingStatus !== 'DONE' || answers === undefined ? { state: 'unclear' } : { state: 'done', answers };
}

/** Returns the end of a feed whose id was lost: once all feeds of its time have ended, none can overwrite a newer number. */
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

/** Returns the report's answer to each update; undefined: nothing reliable. */
export function answersIn(text: string, updates: readonly StockUpdate[]): StockAnswer[] | undefined {
  const parsed = Report.safeParse(parsedJson(text));
  if (!parsed.success) return undefined;
  const { issues, summary } = parsed.data;
  const errors = issues.filter(({ severity }) => severity === 'ERROR');
  const byMessage = Map.groupBy(errors, ({ messageId }) => messageId ?? 0);
  // An error without a message number concerns the whole document: none of it was processed.
  const whole = byMessage.get(0) ?? [];
  const named = [...byMessage.keys()].filter((id) => id > 0).length;
  // Failed messages that the report does not name, or leaves out, could be any of these.
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
