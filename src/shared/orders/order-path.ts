import { encodeSegment } from '#shared/http/path-segment.ts';

/** Returns the path of an order's screen; ids are opaque and encoded once. */
export const orderPath = (channel: string, orderid: string): string =>
  `/bestellungen/${encodeSegment(channel)}/${encodeSegment(orderid)}`;
