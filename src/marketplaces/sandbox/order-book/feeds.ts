import type { Counters } from '#marketplaces/sandbox/counters.ts';
import { between, happens, type Faults } from '#marketplaces/sandbox/faults.ts';
import type { Place } from '#marketplaces/sandbox/offers.ts';
import type { World } from '#marketplaces/sandbox/world.ts';
import { chanceOf, type OrderBook } from './book.ts';
import { applyMessage } from './feed-effects.ts';
import { elements, readTree, textAt } from './feed-tree.ts';
import { LISTINGS_FEED, workListings } from './listings-feed.ts';

type FeedState = 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'FATAL';
export type SandboxFeed = {
  feedId: string;
  feedType: string;
  createdAt: number;
  state: FeedState;
  beginsAt: number;
  endsAt: number;
  document: string;
  result: string | undefined;
};
export type SandboxDocument = { id: string; contentType: string; until: number; text: string | undefined; key: string };

type FeedDeps = {
  world: World;
  book: OrderBook;
  counters: Counters;
  place: Place;
  faults: () => Faults;
  now: () => number;
  /** Called with every processed feed. */
  onEnd: (feed: SandboxFeed) => void;
};

const messageTypes: Readonly<Record<string, string>> = {
  POST_ORDER_ACKNOWLEDGEMENT_DATA: 'OrderAcknowledgement',
  POST_PAYMENT_ADJUSTMENT_DATA: 'OrderAdjustment',
};
const MINUTE = 60_000;
const PLACE_COUNTS_MS = 5 * MINUTE;

/** Feeds and their documents: submitted, waiting, processed, finally with a report. */
export class FeedStore {
  readonly feeds: SandboxFeed[] = [];
  readonly documents = new Map<string, SandboxDocument>();
  private readonly deps: FeedDeps;
  private readonly start: string;

  constructor(deps: FeedDeps) {
    this.deps = deps;
    this.start = String(Math.floor(deps.now() / 1000)).slice(-7);
  }

  static knows(feedType: string): boolean {
    return feedType in messageTypes || feedType === LISTINGS_FEED;
  }

  /** Creates a document, whose address is a credential by itself. */
  addDocument(contentType: string, text?: string): SandboxDocument {
    const id = `amzn1.tortuga.4.eu.${this.start}-${this.documents.size}`;
    const key = between(chanceOf(id), 100_000_000, 999_999_999).toString(36);
    const made = { id, contentType, key, text, until: this.deps.now() + PLACE_COUNTS_MS };
    this.documents.set(id, made);
    return made;
  }

  create(feedType: string, document: string): SandboxFeed {
    const { counters, faults, now } = this.deps;
    const feedId = `${this.start}${String(this.feeds.length + 1).padStart(4, '0')}`;
    const chance = chanceOf(feedId);
    const wait = happens(chance, faults().feedSlow) ? between(chance, 20, 90) : between(chance, 1, 3);
    const beginsAt = now() + (wait * MINUTE) / 2;
    const feed: SandboxFeed = {
      feedId,
      feedType,
      createdAt: now(),
      state: 'IN_QUEUE',
      beginsAt,
      endsAt: now() + wait * MINUTE,
      document,
      result: undefined,
    };
    this.feeds.push(feed);
    counters.feeds++;
    return feed;
  }

  /** Processes everything due by now. */
  settle(): void {
    const now = this.deps.now();
    for (const feed of this.feeds) {
      if (feed.state === 'IN_QUEUE' && feed.beginsAt <= now) feed.state = 'IN_PROGRESS';
      if (feed.state === 'IN_PROGRESS' && feed.endsAt <= now) this.work(feed);
    }
  }

  private work(feed: SandboxFeed): void {
    const chance = chanceOf(`${feed.feedId} result`);
    const { place, faults } = this.deps;
    const document = this.documents.get(feed.document)?.text ?? '';
    if (feed.feedType === LISTINGS_FEED) {
      const { state, report } = workListings(this.deps, document, feed.feedId, chance);
      this.finish(feed, state, 'application/json; charset=UTF-8', report);
      return;
    }
    const root = readTree(document);
    const messages = elements(root, 'Message');
    const ids = messages.map((message) => textAt(message, 'MessageID'));
    const isOurs =
      root?.name === 'AmazonEnvelope' &&
      textAt(root, 'Header', 'MerchantIdentifier') === place.sellerId &&
      textAt(root, 'MessageType') === messageTypes[feed.feedType];
    const isNumbered = new Set(ids).size === ids.length && ids.every((id) => /^\d{1,20}$/u.test(id));
    if (!isOurs || !isNumbered || messages.length === 0) {
      this.end(feed, 'DONE', messages.length, [{ message: '0', order: '', text: 'The document is invalid.' }]);
      return;
    }
    const isFatal = happens(chance, faults().feedFatal);
    // An aborted feed has processed some of its messages, none or all of them.
    const until = isFatal ? between(chance, 0, messages.length) : messages.length;
    const refusals: Refused[] = [];
    for (const [n, message] of messages.slice(0, until).entries()) {
      const refusal = happens(chance, faults().feedRefused)
        ? {
            order: textAt(message.children[1], 'AmazonOrderID'),
            text: 'The data you submitted is incomplete or invalid.',
          }
        : applyMessage(this.deps, message);
      if (refusal !== undefined) refusals.push({ message: ids[n] ?? '', ...refusal });
    }
    // An aborted feed may have a report too, from which nothing can be concluded.
    this.end(feed, isFatal ? 'FATAL' : 'DONE', messages.length, refusals);
  }

  private end(feed: SandboxFeed, state: FeedState, processed: number, refusals: readonly Refused[]): void {
    const text = reportText(feed.feedId, this.deps.place.sellerId, processed, refusals);
    this.finish(feed, state, 'text/xml; charset=UTF-8', text);
  }

  private finish(feed: SandboxFeed, state: FeedState, contentType: string, report: string): void {
    feed.state = state;
    feed.result = this.addDocument(contentType, report).id;
    this.deps.onEnd(feed);
  }
}

type Refused = { message: string; order: string; text: string };

/** Returns a processing report, which names only the messages that failed. */
function reportText(feedId: string, sellerId: string, processed: number, refusals: readonly Refused[]): string {
  const failed = refusals.some(({ message }) => message === '0') ? processed : refusals.length;
  const results = refusals.map(
    ({ message, order, text }) =>
      `<Result><MessageID>${message}</MessageID><ResultCode>Error</ResultCode><ResultMessageCode>18028</ResultMessageCode><ResultDescription>${text}</ResultDescription><AdditionalInfo><AmazonOrderID>${order.replaceAll(/[^\w-]/gu, '')}</AmazonOrderID></AdditionalInfo></Result>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<AmazonEnvelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="amzn-envelope.xsd">
<Header><DocumentVersion>1.02</DocumentVersion><MerchantIdentifier>${sellerId}</MerchantIdentifier></Header>
<MessageType>ProcessingReport</MessageType>
<Message><MessageID>1</MessageID><ProcessingReport><DocumentTransactionID>${feedId}</DocumentTransactionID><StatusCode>Complete</StatusCode>
<ProcessingSummary><MessagesProcessed>${processed}</MessagesProcessed><MessagesSuccessful>${processed - failed}</MessagesSuccessful><MessagesWithError>${failed}</MessagesWithError><MessagesWithWarning>0</MessagesWithWarning></ProcessingSummary>
${results.join('\n')}</ProcessingReport></Message>
</AmazonEnvelope>
`;
}
