/** What the sandbox has seen: what a test of the program against it may be judged by. */
export type Counters = {
  /** Calls by operation, and those of them that came faster than allowed. */
  calls: Record<string, number>;
  overRate: number;
  /** Prices that were only to be looked at (mode VALIDATION_PREVIEW). */
  previews: number;
  /** Prices that came, whatever became of them. */
  prices: number;
  /** Prices outside of the limits that the sandbox was told at its set-up: never any (I4). */
  outside: number;
  /** Prices that were sent again after they had been accepted (a blind second send). */
  repeated: number;
  accepted: number;
  invalid: number;
  live: number;
  /** Changes of the offers of rivals. */
  moves: number;
  /** Orders of buyers, and those of them that were cancelled later. */
  orders: number;
  cancelled: number;
  /** Parcels that were confirmed, those of them after the promised day, and changes of known ones. */
  shipments: number;
  late: number;
  edits: number;
  /** Pieces that were to be shipped, or cancelled, a second time, and refunds that came twice: never any. */
  shippedTwice: number;
  cancelledTwice: number;
  refundedTwice: number;
  refunds: number;
  feeds: number;
  /** Pieces that were bought although they are not there: more was for sale than the merchant has. */
  oversold: number;
  stockUpdates: number;
  /** Requests that carried something of the buyers' persons: none has to. */
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
