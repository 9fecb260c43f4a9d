/** Calls per second and burst of each operation, as the API's documentation states them. */
const plan = {
  patchListingsItem: [5, 5],
  getListingsItem: [5, 10],
  getListingOffersBatch: [0.5, 1],
  getMarketplaceParticipations: [0.016, 15],
  destinations: [1, 5],
  subscriptions: [1, 5],
  subscribe: [1, 5],
  searchOrders: [0.0056, 20],
  getOrder: [0.5, 30],
  confirmShipment: [2, 10],
  createFeedDocument: [0.5, 15],
  createFeed: [0.0083, 15],
  getFeed: [2, 15],
  getFeeds: [0.0222, 10],
  getFeedDocument: [0.0222, 10],
} as const satisfies Record<string, readonly [number, number]>;
export type Limited = keyof typeof plan;

/** One token bucket per operation; `factor` multiplies the usual limits for this seller. */
export class CallLimits {
  private readonly factor: number;
  private readonly buckets = new Map<Limited, { tokens: number; at: number }>();

  constructor(factor: number) {
    this.factor = factor;
  }

  /** Returns calls per second, as sent in the header of answers. */
  granted(operation: Limited): number {
    return plan[operation][0] * this.factor;
  }

  /** Whether a call is allowed at time `now` (ms). */
  take(operation: Limited, now: number): boolean {
    const burst = Math.max(1, plan[operation][1] * this.factor);
    const bucket = this.buckets.get(operation) ?? { tokens: burst, at: now };
    const refilled = bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * this.granted(operation);
    const tokens = Math.min(burst, refilled);
    // Clocks of two processes differ by some milliseconds, and Amazon's own buckets are not exact either.
    const allowed = tokens >= 0.95;
    this.buckets.set(operation, { tokens: allowed ? tokens - 1 : tokens, at: now });
    return allowed;
  }
}
