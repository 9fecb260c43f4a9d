import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import { type ConcurrencyLimits, ConcurrencyLimiter } from '#platform/http/questions/concurrency-limiter.ts';
import type { Principal } from '#platform/http/server.ts';
import { pictureType, TYPE_BYTES } from './picture-type.ts';

export type PictureLimits = {
  readonly turns: ConcurrencyLimits;
  /** The most milliseconds a picture waits for its slot, for its first bytes, and for its last. */
  readonly waitMs: number;
  readonly firstMs: number;
  readonly totalMs: number;
  /** After this number of consecutive pictures without an answer, a company's requests skip the host for `restMs`. */
  readonly patience: number;
  readonly restMs: number;
  readonly maxBytes: number;
};

/** Leaves some of Node's thread pool (DNS, files) to the rest of the program: the pool has twelve threads. */
const usualLimits: PictureLimits = {
  turns: { atOnce: 8, perCompany: 4, perUser: 4, waiting: 200, waitingPerUser: 100 },
  waitMs: 10_000,
  firstMs: 8_000,
  totalMs: 30_000,
  patience: 3,
  restMs: 30_000,
  maxBytes: 8 * 1024 * 1024,
};
/** The most silent hosts that are remembered. */
const MOST = 1000;
const accept = 'image/avif,image/webp,image/png,image/jpeg,image/gif';

/**
 * Fetches pictures while a user views a page. Browsers open few connections to a server, so a host that does not answer is not
 * tried for all of its pictures. Nothing is cached here: the browser does that.
 */
export class Pictures {
  private readonly egress: Egress;
  private readonly clock: Clock;
  private readonly limits: PictureLimits;
  private readonly slots: ConcurrencyLimiter;
  private readonly silent = new Map<string, { times: number; until: number }>();

  constructor({ egress, clock }: { egress: Egress; clock: Clock }, limits: PictureLimits = usualLimits) {
    this.egress = egress;
    this.clock = clock;
    this.limits = limits;
    this.slots = new ConcurrencyLimiter(limits.turns);
  }

  /**
   * Returns the picture at `address` and its media type. The slot is released when the stream closes.
   * @throws 422 if it is no picture or unavailable, 503 if the wait for a slot is too long, 429 if too many wait
   */
  async open(
    principal: Principal,
    address: string,
    clientSignal: AbortSignal,
  ): Promise<{ type: string; stream: Readable }> {
    const host = `${principal.company} ${URL.parse(address)?.host ?? ''}`;
    this.refuseSilent(host);
    const release = await this.slots.take(
      principal,
      AbortSignal.any([clientSignal, after(this.limits.waitMs, busy())]),
    );
    const first = new AbortController();
    const timer = setTimeout(() => first.abort(silentHost()), this.limits.firstMs);
    try {
      // The host may have been found silent during the wait.
      this.refuseSilent(host);
      const picture = await this.begin(
        address,
        AbortSignal.any([clientSignal, first.signal, after(this.limits.totalMs, silentHost())]),
      );
      this.silent.delete(host);
      if (picture.stream.closed) release();
      else picture.stream.once('close', release);
      return picture;
    } catch (error) {
      release();
      if (isSilence(error) && !this.isSilent(host)) this.remember(host);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async begin(address: string, signal: AbortSignal): Promise<{ type: string; stream: Readable }> {
    const body = await this.egress.read(address, { maxBytes: this.limits.maxBytes, accept, signal });
    try {
      const head = await firstBytes(body);
      const type = pictureType(head);
      if (type === undefined) throw noPicture();
      const stream = new PassThrough();
      stream.on('error', () => undefined);
      if (body.readableEnded) return { type, stream: stream.end(head) };
      stream.write(head);
      void pipeline(body, stream).catch(() => undefined);
      return { type, stream };
    } catch (error) {
      body.destroy();
      signal.throwIfAborted();
      throw error;
    }
  }

  private isSilent(host: string): boolean {
    return (this.silent.get(host)?.until ?? 0) > this.now();
  }

  private refuseSilent(host: string): void {
    if (this.isSilent(host)) throw silentHost();
  }

  /** Removes the oldest entry first: a Map keeps insertion order. */
  private remember(host: string): void {
    const times = (this.silent.get(host)?.times ?? 0) + 1;
    this.silent.delete(host);
    this.silent.set(host, { times, until: times < this.limits.patience ? 0 : this.now() + this.limits.restMs });
    const [oldest] = this.silent.keys();
    if (this.silent.size > MOST && oldest !== undefined) this.silent.delete(oldest);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** Reads the first bytes, enough to detect the type unless the body ends earlier; the remaining ones stay in the body. */
async function firstBytes(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const part of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(part);
    length += part.length;
    if (length >= TYPE_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** A signal that is aborted with this reason after `ms`; its timer does not keep the process alive. */
function after(ms: number, reason: KontorError): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms).unref();
  return controller.signal;
}

const isSilence = (error: unknown): boolean =>
  error instanceof KontorError && ['picture_slow', 'address_unreachable'].includes(error.code);

const busy = () =>
  new KontorError(
    503,
    'pictures_busy',
    'Zurzeit werden zu viele Bilder geholt. Bitte laden Sie die Seite in einigen Sekunden neu.',
    { retryAfter: 5 },
  );
const silentHost = () =>
  new KontorError(
    422,
    'picture_slow',
    'Der Server des Bildes antwortet nicht oder zu langsam. Das Bild wird nicht angezeigt; bitte versuchen Sie es in einer Minute erneut.',
  );
const noPicture = () =>
  new KontorError(
    422,
    'no_picture',
    'Unter dieser Adresse liegt kein Bild, das angezeigt werden kann. Möglich sind JPEG, PNG, GIF, WebP und AVIF.',
  );
