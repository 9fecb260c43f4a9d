import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';
import type { SharedCounts } from './shared-counts.ts';

type Counted = { count: number; until: number };
type Answer = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** Most clients known at a time; the one whose last request is oldest is forgotten first. */
const MOST_KNOWN = 5000;
/** A client's count is shared with other processes from this share of the limit on: most clients never reach it. */
const OF_INTEREST = 1 / 20;

/** Counts requests per client, in windows that begin with the first request, including the counts of other processes. */
class RequestCounts {
  private readonly shared: SharedCounts;
  private readonly known = new Map<string, Counted>();

  constructor(shared: SharedCounts) {
    this.shared = shared;
  }

  incr(key: string, answer: Answer, window: number, most: number): void {
    const now = performance.now();
    const before = this.known.get(key);
    const entry = before === undefined || before.until <= now ? { count: 0, until: now + window } : before;
    entry.count++;
    this.known.delete(key);
    this.known.set(key, entry);
    if (this.known.size > MOST_KNOWN) this.forgetOldest();
    const name = `requests:${key}`;
    const ttl = Math.ceil(entry.until - now);
    if (entry.count >= most * OF_INTEREST) this.shared.tell(name, entry.count, ttl);
    answer(null, { current: entry.count + this.shared.others(name), ttl });
  }

  private forgetOldest(): void {
    const { value } = this.known.keys().next();
    if (value !== undefined) this.known.delete(value);
  }

  child(): RequestCounts {
    return new RequestCounts(this.shared);
  }
}

/** Returns the store's class, as the rate limiter creates its store itself. */
const storeOver = (shared: SharedCounts): FastifyRateLimitStoreCtor =>
  class extends RequestCounts {
    constructor() {
      super(shared);
    }
  };

/** Limits requests per minute to `most` per user, or per address if nobody is signed in, counted over all processes. */
export async function limitRequests(
  app: FastifyInstance,
  { most, counts, isFree }: { most: number; counts: SharedCounts; isFree: (url: string) => boolean },
): Promise<void> {
  await app.register(rateLimit, {
    max: most,
    timeWindow: '1 minute',
    store: storeOver(counts),
    keyGenerator: (request: FastifyRequest) =>
      request.principal ? `${request.principal.company}/${request.principal.email}` : request.ip,
    hook: 'onRequest',
    allowList: (request) => isFree(request.url),
    errorResponseBuilder: (_request, { ttl }) => tooMany(Math.ceil(ttl / 1000)),
  });
}

const tooMany = (seconds: number) =>
  new KontorError(429, 'too_many', `Zu viele Anfragen. Bitte in ${seconds} Sekunden erneut versuchen.`, {
    retryAfter: seconds,
  });
