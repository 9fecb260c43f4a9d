import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { type AwsAccess, canonicalQuery, signatureOf, signedAddress } from '#platform/crypto/aws-signature.ts';
import { inSpan } from '#platform/telemetry/spans.ts';
import { storeAway, storeFull, storeRefused } from '#platform/storage/store-errors.ts';
import { noMetrics, timed } from '#platform/telemetry/metrics.ts';
import { type StoreMeter, storeMeter } from './store-metrics.ts';
import { StoreRefusal } from './store-refusal.ts';
import { errorCode } from './xml.ts';

/** A bucket's address and credentials. `endpoint` without a path. */
export type BucketAccess = {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
};

/** Time limits and retries of requests to the store; shorter in tests. */
export type RetryPolicy = {
  readonly connectMs: number;
  /** Time in ms without a byte from the store. */
  readonly silentMs: number;
  readonly attempts: number;
  /** Pause in ms after the first failure; doubled after each further one. */
  readonly pauseMs: number;
};
export const defaultRetryPolicy: RetryPolicy = { connectMs: 5000, silentMs: 60_000, attempts: 7, pauseMs: 100 };
const LONGEST_PAUSE_MS = 5000;
/** Time limit in ms of requests without content: they are answered in hundredths of a second; writing may take longer. */
const ASKED_SILENT_MS = 20_000;
/**
 * A store that is briefly away refuses or breaks connections. One that accepts them and does not answer will not recover soon:
 * after this number of attempts the caller gets an error.
 */
const SILENT_ATTEMPTS = 2;

/** Content of a request, opened anew for each attempt; its length and hash are known in advance. */
export type Content = {
  readonly bytes: number;
  readonly sha256: string;
  readonly open: () => Readable | Uint8Array;
};

export type StoreRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** undefined: the bucket itself. Letters, digits and `._/-` only. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: Content;
  readonly signal?: AbortSignal | undefined;
};
export type StoreAnswer = Dispatcher.ResponseData;

const nothing = { bytes: 0, sha256: createHash('sha256').digest('hex') };
const full = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull']);
const passing = (status: number) => status >= 500 || status === 429 || status === 408;

/** Sends signed requests to one bucket and repeats them while the store is briefly away. */
export class S3Client {
  private readonly access: BucketAccess;
  private readonly policy: RetryPolicy;
  private readonly agent: Agent;
  private readonly clock: () => number;
  /** Counts bytes and requests to and from the store. */
  readonly meter: StoreMeter;
  /** How far the store's clock is ahead of ours, in ms. */
  private skewMs = 0;

  /** `clock`: milliseconds since 1970; it may be wrong. */
  constructor(
    access: BucketAccess,
    policy: RetryPolicy = defaultRetryPolicy,
    clock: () => number = Date.now,
    meter: StoreMeter = storeMeter(noMetrics),
  ) {
    this.meter = meter;
    this.clock = clock;
    this.access = access;
    this.policy = policy;
    const { connectMs, silentMs } = policy;
    this.agent = new Agent({
      allowH2: false,
      connect: { timeout: connectMs },
      headersTimeout: silentMs,
      bodyTimeout: silentMs,
      connections: 64,
    });
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /**
   * Sends a request and returns its successful response, whose body the caller must read.
   * @throws StoreRefusal if the store refuses it, a coded error if the store is away, full or locked
   */
  send(request: StoreRequest): Promise<StoreAnswer> {
    const { method } = request;
    const attributes = { 'http.request.method': method };
    return inSpan({ name: `bucket ${method}`, kind: 'client', attributes }, () => this.measured(request));
  }

  private async measured(request: StoreRequest): Promise<StoreAnswer> {
    const answer = await timed(
      () => this.attempts(request),
      (seconds, error) => this.meter.asked(request, seconds, error),
    );
    this.meter.sent(request.content?.bytes ?? 0);
    return answer;
  }

  private async attempts(request: StoreRequest): Promise<StoreAnswer> {
    let cause: unknown;
    let silent = 0;
    for (let attempt = 0; attempt < this.policy.attempts; attempt++) {
      if (attempt > 0) await this.pause(attempt, request.signal);
      try {
        const answer = await this.once(request);
        if (answer.statusCode < 300) return answer;
        const text = await answer.body.text();
        const code = errorCode(text) ?? '';
        cause = new StoreRefusal(answer.statusCode, code);
        if (code === 'RequestTimeTooSkewed') this.skewMs = Date.parse(String(answer.headers['date'])) - this.clock();
        else if (answer.statusCode === 507 || full.has(code)) throw storeFull(cause);
        else if (answer.statusCode === 403 || answer.statusCode === 401 || code === 'NoSuchBucket')
          throw storeRefused(cause);
        else if (!passing(answer.statusCode) || answer.statusCode === 501) throw cause;
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!isBroken(error)) throw error;
        cause = error;
        if (isSilence(error) && ++silent >= SILENT_ATTEMPTS) break;
      }
    }
    throw storeAway(cause);
  }

  /** Sends a request and returns the text of its short response. */
  async text(request: StoreRequest): Promise<string> {
    const { body } = await this.send(request);
    return body.text();
  }

  /** Waits before the next attempt. */
  async pause(attempt: number, signal?: AbortSignal): Promise<void> {
    this.meter.again();
    const longest = Math.min(LONGEST_PAUSE_MS, this.policy.pauseMs * 2 ** (attempt - 1));
    await wait(longest * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {});
  }

  /** Returns an address at which anybody may read an object for `seconds`. `query`: headers of the response (`response-…`). */
  addressOf(key: string, query: Readonly<Record<string, string>>, seconds: number): string {
    return signedAddress(this.urlOf(key), query, this.signer(), { now: this.storeTime(), seconds });
  }

  private once({ method, key, query = {}, headers = {}, content, signal }: StoreRequest): Promise<StoreAnswer> {
    const url = this.urlOf(key);
    url.search = canonicalQuery(query);
    const { bytes, sha256 } = content ?? nothing;
    const signed = { ...headers, 'x-amz-content-sha256': sha256 };
    const signature = signatureOf({ method, url, headers: signed, body: { sha256 } }, this.signer(), this.storeTime());
    const sends = content !== undefined || method === 'PUT' || method === 'POST';
    const { silentMs } = this.policy;
    return request(url, {
      method,
      dispatcher: this.agent,
      headers: { ...signed, ...signature, ...(sends ? { 'content-length': String(bytes) } : {}) },
      ...(content ? { body: content.open() } : {}),
      ...(sends ? {} : { headersTimeout: Math.min(silentMs, ASKED_SILENT_MS) }),
      ...(signal ? { signal } : {}),
    });
  }

  private urlOf(key: string | undefined): URL {
    const { endpoint, bucket } = this.access;
    return new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`);
  }

  private signer(): AwsAccess {
    const { accessKey, secretKey, region } = this.access;
    return { keyId: accessKey, secret: secretKey, region, service: 's3' };
  }

  /** Returns the time of the store's clock. */
  private storeTime(): Date {
    return new Date(this.clock() + this.skewMs);
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(String(error.code));

/** Whether the connection failed or nothing came, so that a retry may succeed. Errors of Node and undici all have codes. */
export const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(UND_ERR_|ECONN|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ECANCELED)/.test(String(error.code));
