import { KontorError } from '#platform/errors.ts';

export type BodyLimits = {
  /** Most bytes of large bodies held at a time by the process, and of one company. */
  readonly bytes: number;
  readonly perCompany: number;
  /** How many requests of one company may wait for room, and for how long in ms. */
  readonly waiting: number;
  readonly waitMs: number;
};

const MB = 1024 * 1024;
/** A company has room for one body of the largest kind; if four companies send such bodies at once, others wait. */
export const defaultBodyLimits: BodyLimits = { bytes: 256 * MB, perCompany: 64 * MB, waiting: 100, waitMs: 30_000 };

type Place = { readonly company: string; readonly bytes: number };

/**
 * Reserves memory for request bodies by their announced size. A body that waits for room is not read, so its client must wait,
 * and memory use does not grow with the number of clients.
 */
export class BodyBudget {
  private readonly limits: BodyLimits;
  private readonly held = new Set<Place>();
  private readonly waiting = new Map<Place, () => void>();

  constructor(limits: BodyLimits = defaultBodyLimits) {
    this.limits = limits;
  }

  /**
   * Waits for room; returns a function that frees it, to be called when the body is no longer needed. A body larger than a
   * company's share counts as the whole share.
   * @throws 429 where too many of the company wait, 503 where there was no room for too long
   */
  async take(company: string, announced: number, signal: AbortSignal): Promise<() => void> {
    const place = { company, bytes: Math.min(announced, this.limits.perCompany) };
    if (!this.hasRoom(place)) await this.wait(place, signal);
    this.held.add(place);
    return () => {
      if (this.held.delete(place)) this.next();
    };
  }

  private async wait(place: Place, signal: AbortSignal): Promise<void> {
    const others = [...this.waiting.keys()].filter(({ company }) => company === place.company);
    if (others.length >= this.limits.waiting) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => reject(signal.reason);
    const timer = setTimeout(() => reject(busy()), this.limits.waitMs);
    signal.addEventListener('abort', leave, { once: true });
    this.waiting.set(place, resolve);
    try {
      signal.throwIfAborted();
      await promise;
    } finally {
      this.waiting.delete(place);
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /** Starts waiting requests in order of arrival; those of a company without room are passed over. */
  private next(): void {
    for (const [place, start] of this.waiting) {
      if (!this.hasRoom(place)) continue;
      this.waiting.delete(place);
      // Reserved here and not when the request resumes: the next iteration must see that the room is taken.
      this.held.add(place);
      start();
    }
  }

  private hasRoom({ company, bytes }: Place): boolean {
    const places = [...this.held];
    return (
      sumOf(places) + bytes <= this.limits.bytes &&
      sumOf(places.filter((one) => one.company === company)) + bytes <= this.limits.perCompany
    );
  }
}

const sumOf = (places: readonly Place[]): number => places.reduce((sum, { bytes }) => sum + bytes, 0);

const tooMany = () =>
  new KontorError(
    429,
    'too_many_bodies',
    'Ihre Firma sendet gerade zu viele große Anfragen auf einmal. Es wurde nichts gespeichert. Bitte in einigen Sekunden erneut versuchen.',
    { retryAfter: 5 },
  );
const busy = () =>
  new KontorError(
    503,
    'bodies_busy',
    'Zurzeit werden zu viele große Anfragen angenommen. Es wurde nichts gespeichert. Bitte in einigen Sekunden erneut versuchen.',
    { retryAfter: 5 },
  );
