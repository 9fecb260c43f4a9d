import type { ActionNews } from '#marketplaces/port.ts';
import { path, text } from './message-tree.ts';

/** Reads FEED_PROCESSING_FINISHED, Amazon's notification that it has processed a feed. Undefined: another kind, or no feed id. */
export function readFeedFinished(message: unknown): ActionNews | undefined {
  const finished =
    path(message, 'Payload', 'FeedProcessingFinishedNotification') ??
    path(message, 'FeedProcessingFinishedNotification');
  const reference = text(path(finished, 'FeedId'));
  // Notifications of a vendor's account name no seller.
  return reference === undefined ? undefined : { sellerId: text(path(finished, 'SellerId')) ?? '', reference };
}
