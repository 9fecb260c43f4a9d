import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { requestAtPace, type RequestPace } from './look.ts';

/** A user waits for the answer: shorter than the check of a whole run, but as considerate to each host. */
const waitedFor: RequestPace = {
  parallel: 8,
  perHost: 4,
  delayMs: 20,
  timeoutMs: 5_000,
  patience: 5,
  totalMs: 20_000,
};
/** How long a result is valid, and how many are cached. */
const HOLDS_MS = 10 * 60_000;
const MOST = 20_000;

/** Servers that refuse HEAD may still serve the picture. */
const noHead = new Set([400, 403, 405, 501]);

/** Checks by HEAD whether pictures exist (ITE-05); caches each result for ten minutes. */
export class ImageHeads {
  private readonly known = new Map<string, { there: boolean; until: number }>();

  private readonly deps: { egress: Egress; clock: Clock };

  constructor(deps: { egress: Egress; clock: Clock }) {
    this.deps = deps;
  }

  /** Returns those of the addresses that serve a picture. */
  async there(addresses: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const now = this.deps.clock.now().getTime();
    const open = [...new Set(addresses)].filter((address) => (this.known.get(address)?.until ?? 0) <= now);
    await requestAtPace(
      open,
      waitedFor,
      signal,
      (address) => this.ask(address, signal),
      (address, { there }) => this.remember(address, there, now + HOLDS_MS),
    );
    return new Set(addresses.filter((address) => this.known.get(address)?.there === true));
  }

  private async ask(address: string, signal: AbortSignal): Promise<{ status: number; there: boolean }> {
    const { egress } = this.deps;
    const until = () => AbortSignal.any([signal, AbortSignal.timeout(waitedFor.timeoutMs)]);
    try {
      const { status, contentType = '' } = await egress.head(address, until());
      if (!noHead.has(status)) return { status, there: isFine(status) && !/^text\//i.test(contentType) };
      const peeked = await egress.peek(address, 1, until());
      return { status: peeked.status, there: isFine(peeked.status) };
    } catch {
      signal.throwIfAborted();
      return { status: 0, there: false };
    }
  }

  /** Removes the oldest entry first: a Map keeps insertion order. */
  private remember(address: string, exists: boolean, until: number): void {
    this.known.delete(address);
    this.known.set(address, { there: exists, until });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }
}

const isFine = (status: number): boolean => status >= 200 && status < 300;
