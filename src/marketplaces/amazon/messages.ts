import type { ReadMessage } from '#marketplaces/port.ts';
import { readNotification } from './offer-messages.ts';
import { readOrderChange } from './order-messages.ts';

/** A notification of Amazon in the words of the port. */
export const readMessage: ReadMessage = (raw) => {
  const snapshot = readNotification(raw);
  if (snapshot !== undefined) return { about: 'offers', snapshot };
  const order = readOrderChange(raw);
  return order === undefined ? undefined : { about: 'order', order };
};
