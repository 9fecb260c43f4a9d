import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { askPolitely, type Politeness } from './look.ts';

/** Somebody waits for the answer: shorter than a check of a whole run, and as considerate to a host. */
const waitedFor: Politeness = {
  parallel: 8,
  perHost: 4,
  delayMs: 20,
  timeoutMs: 5_000,
  patience: 5,
  totalMs: 20_000,
};
/** How long an answer holds, and how many are remembered. */
const HOLDS_MS = 10 * 60_000;
const MOST = 20_000;

/** Servers that answer no HEAD still show a picture. */
const noHead = new Set([400, 403, 405, 501]);

/** Whether pictures are there (ITE-05), asked by HEAD and remembered for ten minutes. */
export class ImageHeads {
  private readonly known = new Map<string, { there: boolean; until: number }>();

  private readonly deps: { egress: Egress; clock: Clock };

  constructor(deps: { egress: Egress; clock: Clock }) {
    this.deps = deps;
  }

  /** Those of the addresses under which a picture lies. */
  async there(addresses: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const now = this.deps.clock.now().getTime();
    const open = [...new Set(addresses)].filter((address) => (this.known.get(address)?.until ?? 0) <= now);
    await askPolitely(
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

  /** The oldest go first: a Map keeps the order in which they came. */
  private remember(address: string, there: boolean, until: number): void {
    this.known.delete(address);
    this.known.set(address, { there, until });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }
}

const isFine = (status: number): boolean => status >= 200 && status < 300;
