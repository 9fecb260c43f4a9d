import type { Clock } from '#platform/clock.ts';
import { isSecureAddress } from '#platform/egress/address-rules.ts';
import type { Exchanged } from '#platform/egress/body.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { AmazonClient } from '#marketplaces/amazon/client.ts';
import { failureOfConnection, failureOfStatus, unreadable } from '#marketplaces/amazon/failures.ts';
import type { AmazonAccount } from '#marketplaces/amazon/settings.ts';
import { readReport, type FeedReport } from './feed-report.ts';
import type { FeedType } from './feed-messages.ts';
import { CreatedFeedAnswer, FeedAnswer, FeedDocumentAnswer, FeedsAnswer, type AmazonFeed } from './order-answers.ts';

export const feedRate = { perSecond: 0.0083, burst: 15 };
/** The feed for many changes of listings; unlike the feeds for orders it is JSON. */
export const LISTINGS_FEED = 'JSON_LISTINGS_FEED';
type AnyFeedType = FeedType | typeof LISTINGS_FEED;
const contentTypeOf = (type: AnyFeedType) =>
  type === LISTINGS_FEED ? 'application/json; charset=UTF-8' : 'text/xml; charset=UTF-8';
/** Large enough for the result of our largest feed. */
const MAX_REPORT_BYTES = 20_000_000;

export type FeedDeps = {
  egress: Pick<Egress, 'exchange'>;
  clock: Clock;
  client: AmazonClient;
  account: AmazonAccount;
  /** Reports of finished feeds, by document id: a feed holds many actions, and Amazon allows 1.3 documents a minute. */
  reports: Map<string, FeedReport>;
  /** Lists of feeds that have all ended, by type and time, so that actions whose answers were lost together share one search. */
  lists: Map<string, FeedList>;
};
/** Feeds within a span of time; undefined: too many to check. */
type FeedList = readonly AmazonFeed[] | undefined;
/** One search may need five reports, each 45 s after the other. */
const KEPT_REPORTS = 100;
const KEPT_LISTS = 100;
type Signal = AbortSignal | undefined;

export const documentRequest = (type: AnyFeedType) => ({ contentType: contentTypeOf(type) });
export const feedRequest = (account: AmazonAccount, feedType: AnyFeedType, inputFeedDocumentId: string) => ({
  feedType,
  marketplaceIds: [account.marketplace],
  inputFeedDocumentId,
});

/**
 * Submits a feed and returns its id. Only the last step has an effect, so all steps before it may be retried. @throws
 * MarketplaceError
 */
export async function createFeed(deps: FeedDeps, type: AnyFeedType, text: string, signal: Signal): Promise<string> {
  const { client, account } = deps;
  const place = FeedDocumentAnswer.safeParse(
    await client.ask({
      method: 'POST',
      path: '/feeds/2021-06-30/documents',
      body: documentRequest(type),
      access: 'read',
      operation: 'createFeedDocument',
      about: 'feed',
      perSecond: 0.5,
      signal,
    }),
  );
  if (!place.success) throw unreadable('read');
  await exchange(
    deps,
    place.data.url,
    { method: 'PUT', body: text, headers: { 'content-type': contentTypeOf(type) } },
    signal,
  );
  const created = CreatedFeedAnswer.safeParse(
    await client.ask({
      method: 'POST',
      path: '/feeds/2021-06-30/feeds',
      body: feedRequest(account, type, place.data.feedDocumentId),
      access: 'write',
      operation: 'createFeed',
      about: 'feed',
      perSecond: feedRate.perSecond,
      signal,
    }),
  );
  if (!created.success) throw unreadable('write');
  return created.data.feedId;
}

const missing = (error: unknown): undefined => {
  if (error instanceof MarketplaceError && error.kind === 'permanent' && error.field === 'feed') return undefined;
  throw error;
};

/** Returns a feed's present state; undefined: Amazon does not know it (any more). @throws MarketplaceError */
export async function findFeed({ client }: FeedDeps, feedId: string, signal: Signal): Promise<AmazonFeed | undefined> {
  const path = `/feeds/2021-06-30/feeds/${encodeURIComponent(feedId)}`;
  const answer = await client
    .ask({ method: 'GET', path, access: 'read', operation: 'getFeed', about: 'feed', perSecond: 2, signal })
    .catch(missing);
  if (answer === undefined) return undefined;
  const parsed = FeedAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable('read');
  return parsed.data;
}

export const isUnderWay = ({ processingStatus: status }: AmazonFeed) =>
  status === 'IN_QUEUE' || status === 'IN_PROGRESS';

const MINUTE = 60_000;
/**
 * Returns all feeds of a type that were created within a span of time, rounded to whole minutes; undefined: too many to check.
 * @throws MarketplaceError
 */
export async function feedsBetween(
  deps: FeedDeps,
  type: AnyFeedType,
  [from, to]: readonly [Date, Date],
  signal: Signal,
): Promise<FeedList> {
  const { clock, lists } = deps;
  const since = new Date(Math.floor(from.getTime() / MINUTE) * MINUTE);
  const end = new Date(Math.ceil(to.getTime() / MINUTE) * MINUTE);
  const key = `${type} ${since.toISOString()} ${end.toISOString()}`;
  if (lists.has(key)) return lists.get(key);
  const now = clock.now();
  // The requested span must not end in the future.
  const list = await askFeeds(deps, type, [since, end < now ? end : now], signal);
  if (end < now && !list?.some(isUnderWay)) keep(lists, key, list, KEPT_LISTS);
  return list;
}

/** Adds an entry to a cache; a full one drops its oldest entry. */
function keep<Value>(cache: Map<string, Value>, key: string, value: Value, most: number): void {
  const [oldest] = cache.keys();
  if (oldest !== undefined && cache.size >= most) cache.delete(oldest);
  cache.set(key, value);
}

async function askFeeds(
  { client, account }: FeedDeps,
  type: AnyFeedType,
  [from, to]: readonly [Date, Date],
  signal: Signal,
): Promise<FeedList> {
  const answer = await client.ask({
    method: 'GET',
    path: feedsPath(account, type, from, to),
    access: 'read',
    operation: 'getFeeds',
    about: 'feed',
    perSecond: 0.0222,
    signal,
  });
  const parsed = FeedsAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable('read');
  return parsed.data.nextToken === '' ? parsed.data.feeds : undefined;
}

export function feedsPath({ marketplace }: AmazonAccount, type: AnyFeedType, from: Date, to: Date): string {
  const query = new URLSearchParams({
    feedTypes: type,
    marketplaceIds: marketplace,
    pageSize: '100',
    createdSince: from.toISOString(),
    createdUntil: to.toISOString(),
  });
  return `/feeds/2021-06-30/feeds?${query.toString()}`;
}

/** Returns the report of a finished feed of order actions; undefined: none, or unreadable. @throws MarketplaceError */
export async function reportOf(deps: FeedDeps, feed: AmazonFeed, signal: Signal): Promise<FeedReport | undefined> {
  const { reports } = deps;
  const id = feed.resultFeedDocumentId;
  const known = reports.get(id);
  if (known !== undefined) return known;
  const text = await resultOf(deps, feed, signal);
  const report = text === undefined ? undefined : readReport(text);
  if (report !== undefined) keep(reports, id, report, KEPT_REPORTS);
  return report;
}

/** Returns the text of a finished feed's result; undefined: there is none (any more). @throws MarketplaceError */
export async function resultOf(deps: FeedDeps, feed: AmazonFeed, signal: Signal): Promise<string | undefined> {
  const id = feed.resultFeedDocumentId;
  if (id === '') return undefined;
  const answer = await deps.client
    .ask({
      method: 'GET',
      // With this parameter compression is declared in the Content-Encoding header, so that `exchange` unpacks it.
      path: `/feeds/2021-06-30/documents/${encodeURIComponent(id)}?enableContentEncodingUrlHeader=true`,
      access: 'read',
      operation: 'getFeedDocument',
      about: 'feed',
      perSecond: 0.0222,
      signal,
    })
    .catch(missing);
  if (answer === undefined) return undefined;
  const place = FeedDocumentAnswer.safeParse(answer);
  if (!place.success) throw unreadable('read');
  const { text } = await exchange(deps, place.data.url, { method: 'GET', headers: {} }, signal);
  return text;
}

/**
 * Reads or writes one document at the address that Amazon named. The address is itself a credential: no other one is sent with
 * it, and it appears in no message.
 */
async function exchange(
  { egress }: FeedDeps,
  url: string,
  request: { method: 'GET' | 'PUT'; body?: string; headers: Readonly<Record<string, string>> },
  signal: Signal,
): Promise<Exchanged> {
  if (!isSecureAddress(url))
    throw new MarketplaceError('permanent', 'Amazon nennt für das Dokument eine Adresse ohne Verschlüsselung.');
  const answer = await egress
    .exchange(url, { ...request, timeoutMs: 60_000, maxBytes: MAX_REPORT_BYTES, signal })
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      throw failureOfConnection(error, 'read');
    });
  if (answer.status === 200 || answer.status === 204) return answer;
  // The address is valid for five minutes; a retry with a new one works.
  if (answer.status === 403 || answer.status === 404)
    throw new MarketplaceError(
      'retryable',
      `Amazon hält für das Dokument keinen Platz bereit (HTTP ${answer.status}).`,
    );
  throw failureOfStatus(answer, 'read', { about: 'feed' });
}
