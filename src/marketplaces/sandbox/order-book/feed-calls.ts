import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { refused, type Answer, type Behind, type SandboxRequest } from '#marketplaces/sandbox/exchange.ts';
import { happens } from '#marketplaces/sandbox/faults.ts';
import { FeedStore, type SandboxFeed } from './feeds.ts';

const NewDocument = z.strictObject({ contentType: z.string().min(1) });
const NewFeed = z.strictObject({
  feedType: z.string(),
  marketplaceIds: z.array(z.string()).min(1).max(25),
  inputFeedDocumentId: z.string(),
});
const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Search = z.strictObject({
  feedTypes: z.string(),
  marketplaceIds: z.string().optional(),
  pageSize: z.coerce.number().int().min(1).max(100).default(10),
  createdSince: moment.optional(),
  createdUntil: moment.optional(),
});

const invalid = (message: string) => refused(400, 'InvalidInput', message);
const iso = (at: number) => new Date(at).toISOString();

const feedWire = (feed: SandboxFeed, marketplace: string) => ({
  feedId: feed.feedId,
  feedType: feed.feedType,
  marketplaceIds: [marketplace],
  createdTime: iso(feed.createdAt),
  processingStatus: feed.state,
  ...(feed.state === 'IN_QUEUE' ? {} : { processingStartTime: iso(feed.beginsAt) }),
  ...(feed.state === 'DONE' || feed.state === 'FATAL' ? { processingEndTime: iso(feed.endsAt) } : {}),
  ...(feed.result === undefined ? {} : { resultFeedDocumentId: feed.result }),
});

const addressOf = ({ headers }: SandboxRequest, id: string, key: string, more = '') =>
  `http://${headers['host'] ?? ''}/documents/${encodeURIComponent(id)}?key=${key}${more}`;

export function createFeedDocument({ feeds }: Behind, question: SandboxRequest): Answer {
  const parsed = NewDocument.safeParse(question.body);
  if (!parsed.success) return invalid('contentType is missing.');
  const { id, key } = feeds.addDocument(parsed.data.contentType);
  return { status: 201, body: { feedDocumentId: id, url: addressOf(question, id, key) } };
}

export function createFeed({ feeds, place }: Behind, { body }: SandboxRequest): Answer {
  const parsed = NewFeed.safeParse(body);
  if (!parsed.success || !FeedStore.knows(parsed.data.feedType)) return invalid('The feed specification is invalid.');
  const { feedType, inputFeedDocumentId, marketplaceIds } = parsed.data;
  if (!marketplaceIds.includes(place.marketplace)) return invalid('The marketplace is not one of this seller.');
  if (feeds.documents.get(inputFeedDocumentId)?.text === undefined) return invalid('The document was not uploaded.');
  return { status: 202, body: { feedId: feeds.create(feedType, inputFeedDocumentId).feedId } };
}

const feedPath = /^\/feeds\/2021-06-30\/feeds\/([^/]+)$/u;

export function getFeed({ feeds, place }: Behind, { url }: SandboxRequest): Answer {
  const id = decodeURIComponent(feedPath.exec(url.pathname)?.[1] ?? '');
  const feed = feeds.feeds.find(({ feedId }) => feedId === id);
  return feed === undefined
    ? refused(404, 'NotFound', `Feed ${id} was not found.`)
    : { status: 200, body: feedWire(feed, place.marketplace) };
}

/** Returns the feeds created within a span; if there are more than fit on a page, only a token tells so. */
export function getFeeds({ feeds, place }: Behind, { url }: SandboxRequest): Answer {
  const parsed = Search.safeParse(Object.fromEntries(url.searchParams));
  if (!parsed.success) return invalid('One or more request parameters are missing or invalid.');
  const { feedTypes, createdSince = 0, createdUntil = Infinity, pageSize } = parsed.data;
  const found = feeds.feeds.filter(
    ({ feedType, createdAt }) =>
      feedTypes.split(',').includes(feedType) && createdAt >= createdSince && createdAt <= createdUntil,
  );
  const page = found.toReversed().slice(0, pageSize);
  return {
    status: 200,
    body: {
      feeds: page.map((feed) => feedWire(feed, place.marketplace)),
      ...(found.length > page.length ? { nextToken: 'more' } : {}),
    },
  };
}

const documentPath = /^\/feeds\/2021-06-30\/documents\/([^/]+)$/u;

export function getFeedDocument(behind: Behind, question: SandboxRequest): Answer {
  const id = decodeURIComponent(documentPath.exec(question.url.pathname)?.[1] ?? '');
  const document = behind.feeds.documents.get(id);
  if (document === undefined) return refused(404, 'NotFound', 'The document was not found.');
  document.until = behind.now() + 5 * 60_000;
  const encoded = question.url.searchParams.get('enableContentEncodingUrlHeader') === 'true' ? '&encoded=1' : '';
  const url = addressOf(question, id, document.key, encoded);
  return { status: 200, body: { feedDocumentId: id, url, compressionAlgorithm: 'GZIP' } };
}

/** Answers for the document store. It is not part of the API: a token is refused there, and the address alone gives access. */
export function answerDocument(behind: Behind, { method, url, text, headers, token }: SandboxRequest): Answer {
  const document = behind.feeds.documents.get(decodeURIComponent(url.pathname.slice('/documents/'.length)));
  const denied = { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
  if (document === undefined || url.searchParams.get('key') !== document.key) return denied;
  if (behind.now() > document.until || token !== '') return denied;
  if (happens(behind.chance, behind.faults().error503))
    return { status: 503, body: '<Error><Code>SlowDown</Code></Error>' };
  if (method === 'PUT') {
    if (headers['content-type'] !== document.contentType) return denied;
    document.text = text;
    return { status: 200, body: '' };
  }
  if (document.text === undefined) return { status: 404, body: '' };
  const isEncoded = url.searchParams.get('encoded') === '1';
  return {
    status: 200,
    body: gzipSync(document.text),
    headers: { 'content-type': document.contentType, ...(isEncoded ? { 'content-encoding': 'gzip' } : {}) },
  };
}
