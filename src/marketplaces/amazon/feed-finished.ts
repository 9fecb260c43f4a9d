import type { ActionNews } from '#marketplaces/port.ts';
import { path, text } from './message-tree.ts';

/** FEED_PROCESSING_FINISHED, by which Amazon says that it has worked on a feed. Undefined: it is of another kind, or names none. */
export function readFeedFinished(message: unknown): ActionNews | undefined {
  const finished =
    path(message, 'Payload', 'FeedProcessingFinishedNotification') ??
    path(message, 'FeedProcessingFinishedNotification');
  const reference = text(path(finished, 'FeedId'));
  // Of a vendor's account it names no seller.
  return reference === undefined ? undefined : { sellerId: text(path(finished, 'SellerId')) ?? '', reference };
}
