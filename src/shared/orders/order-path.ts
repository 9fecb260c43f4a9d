/** Returns the path of an order's screen; ids are opaque and encoded once. */
export const orderPath = (channel: string, orderid: string): string =>
  `/bestellungen/${encodeURIComponent(channel)}/${encodeURIComponent(orderid)}`;
