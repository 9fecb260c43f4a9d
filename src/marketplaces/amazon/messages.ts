import type { ReadMessage } from '#marketplaces/port.ts';
import { readFeedFinished } from './feed-finished.ts';
import { readNotification } from './offer-messages.ts';
import { readOrderChange } from './order-messages.ts';

/** Translates a notification of Amazon into the port's types. */
export const readMessage: ReadMessage = (raw) => {
  const snapshot = readNotification(raw);
  if (snapshot !== undefined) return { about: 'offers', snapshot };
  const order = readOrderChange(raw);
  if (order !== undefined) return { about: 'order', order };
  const action = readFeedFinished(raw);
  return action === undefined ? undefined : { about: 'action', action };
};
