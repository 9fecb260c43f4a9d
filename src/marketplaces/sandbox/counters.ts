/** Counts of what the sandbox has seen, by which a test judges the program. */
export type Counters = {
  /** Calls by operation, and the number of calls that came faster than allowed. */
  calls: Record<string, number>;
  overRate: number;
  /** Prices that were only validated (mode VALIDATION_PREVIEW). */
  previews: number;
  /** Prices received, accepted or not. */
  prices: number;
  /** Prices outside the bounds of the sandbox's set-up: must stay 0 (I4). */
  outside: number;
  /** Prices that were sent again after they had been accepted (a resend without reading first). */
  repeated: number;
  accepted: number;
  invalid: number;
  live: number;
  /** Changed offers of rivals. */
  moves: number;
  /** Orders placed, and those cancelled later. */
  orders: number;
  cancelled: number;
  /** Confirmed parcels, those confirmed after the promised day, and changes of known parcels. */
  shipments: number;
  late: number;
  edits: number;
  /** Pieces requested to be shipped or cancelled twice, and refunds sent twice: must stay 0. */
  shippedTwice: number;
  cancelledTwice: number;
  refundedTwice: number;
  refunds: number;
  feeds: number;
  /** Pieces sold although the merchant does not have them: more was offered than there is. */
  oversold: number;
  stockUpdates: number;
  /** Requests that contained a buyer's data: must stay 0. */
  personsSent: number;
  messages: number;
  lost: number;
};

export const newCounters = (): Counters => ({
  calls: {},
  overRate: 0,
  previews: 0,
  prices: 0,
  outside: 0,
  repeated: 0,
  accepted: 0,
  invalid: 0,
  live: 0,
  moves: 0,
  orders: 0,
  cancelled: 0,
  shipments: 0,
  late: 0,
  edits: 0,
  shippedTwice: 0,
  cancelledTwice: 0,
  refundedTwice: 0,
  refunds: 0,
  feeds: 0,
  oversold: 0,
  stockUpdates: 0,
  personsSent: 0,
  messages: 0,
  lost: 0,
});
