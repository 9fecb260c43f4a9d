import type { Rate } from './port.ts';

/** How many calls may go out now, for each account and operation; full at first, refilled with the time that passes. */
export class TokenBuckets {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  /** Takes up to `most` calls; what it returns may be made. */
  take(key: string, { perSecond, burst }: Rate, most: number, now: Date): number {
    const at = now.getTime();
    const bucket = this.buckets.get(key) ?? { tokens: burst, at };
    const tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond);
    const granted = Math.max(0, Math.min(Math.floor(tokens + 1e-9), most));
    this.buckets.set(key, { tokens: tokens - granted, at });
    return granted;
  }

  /** The marketplace says that it was too much all the same: nothing more until `seconds` have passed. */
  empty(key: string, { perSecond }: Rate, seconds: number, now: Date): void {
    this.buckets.set(key, { tokens: 1 - seconds * perSecond, at: now.getTime() });
  }
}
