import type { Place } from '#marketplaces/sandbox/offers.ts';
import type { SandboxFeed } from './feeds.ts';

/** Returns a FEED_PROCESSING_FINISHED message: unlike those about offers and orders, its keys begin with small letters. */
export function feedMessage(
  { feedId, feedType, state, result }: SandboxFeed,
  { sellerId }: Place,
  { id, at }: { id: string; at: number },
): unknown {
  const time = new Date(at).toISOString();
  return {
    notificationVersion: '2020-09-04',
    notificationType: 'FEED_PROCESSING_FINISHED',
    payloadVersion: '2020-09-04',
    eventTime: time,
    payload: {
      feedProcessingFinishedNotification: {
        sellerId,
        accountId: `amzn1.merchant.o.${sellerId}`,
        feedId,
        feedType,
        processingStatus: state,
        resultFeedDocumentId: result,
      },
    },
    notificationMetadata: {
      applicationId: 'sandbox',
      subscriptionId: 'sandbox',
      publishTime: time,
      notificationId: id,
    },
  };
}
