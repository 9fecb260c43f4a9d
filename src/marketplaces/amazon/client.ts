import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { Exchanged } from '#platform/egress/body.ts';
import type { MarketplaceError } from '#marketplaces/port.ts';
import {
  failureOfConnection,
  failureOfStatus,
  jsonOf,
  refusesToken,
  unreadable,
  type Access,
  type Subject,
} from './failures.ts';
import type { AmazonAccount } from './settings.ts';
import { AccessToken } from './token.ts';

export type AmazonDeps = { egress: Pick<Egress, 'exchange'>; clock: Clock };
export type ApiRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  /** Path and query, already escaped. */
  path: string;
  body?: unknown;
  access: Access;
  /** The name under which the answer's rate limit is remembered. */
  operation: string;
  /** What a 404 means is missing; the sku of an article by default. */
  about?: Subject;
  /** Calls per second that Amazon usually grants. It sets the wait until an answer names another limit. */
  perSecond?: number;
  /** A call of the application itself, which needs no permission of a seller. */
  grantless?: boolean;
  signal?: AbortSignal | undefined;
};

/** Amazon requires a name by which it can identify us; at most 500 characters. */
const USER_AGENT = 'Kontor/0.1 (Language=TypeScript)';
const MAX_BYTES = 10_000_000;
const successes: ReadonlySet<number> = new Set([200, 201, 202]);

/**
 * Calls the Selling Partner API for one account: token, headers, limits, failures. It retries nothing but a call with an expired
 * token.
 */
export class AmazonClient {
  private readonly deps: AmazonDeps;
  private readonly account: AmazonAccount;
  private readonly token: AccessToken;
  private readonly grantless: AccessToken;
  private readonly limits = new Map<string, number>();

  constructor(deps: AmazonDeps, account: AmazonAccount) {
    this.deps = deps;
    this.account = account;
    this.token = new AccessToken(deps, account);
    this.grantless = new AccessToken(deps, account, 'sellingpartnerapi::notifications');
  }

  /** Calls per second that Amazon last granted for this operation; undefined: it never sent a limit. */
  limit(operation: string): number | undefined {
    return this.limits.get(operation);
  }

  /** Returns the JSON of a successful answer. @throws MarketplaceError */
  async ask(question: ApiRequest): Promise<unknown> {
    const answer = await this.answered(question);
    if (!successes.has(answer.status)) throw this.failure(question, answer);
    const json = jsonOf(answer.text);
    if (json === undefined) throw unreadable(question.access);
    return json;
  }

  /** Makes a call whose successful answer has no content. @throws MarketplaceError */
  async tell(question: ApiRequest): Promise<void> {
    const answer = await this.answered(question);
    if (answer.status === 204) return;
    if (!successes.has(answer.status)) throw this.failure(question, answer);
    // An error page is not a success, whatever its status.
    if (answer.text !== '' && jsonOf(answer.text) === undefined) throw unreadable(question.access);
  }

  private async answered(question: ApiRequest): Promise<Exchanged> {
    const tokens = question.grantless === true ? this.grantless : this.token;
    const token = await tokens.get();
    let answer = await this.send(question, token);
    // A token can end early (the merchant renewed it). A refused call changed nothing, so one retry is safe.
    if (refusesToken(answer)) {
      tokens.drop(token);
      answer = await this.send(question, await tokens.get());
    }
    const granted = Number(answer.header('x-amzn-ratelimit-limit'));
    if (granted > 0) this.limits.set(question.operation, granted);
    return answer;
  }

  private failure({ access, operation, about, perSecond }: ApiRequest, answer: Exchanged): MarketplaceError {
    const limit = this.limits.get(operation) ?? perSecond;
    const pauseMs = limit === undefined ? undefined : Math.ceil(1000 / limit) + 500;
    return failureOfStatus(answer, access, { pauseMs, about });
  }

  private async send({ method, path, body, access, signal }: ApiRequest, token: string): Promise<Exchanged> {
    try {
      return await this.deps.egress.exchange(`${this.account.apiUrl}${path}`, {
        method,
        headers: {
          'x-amz-access-token': token,
          'user-agent': USER_AGENT,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: 30_000,
        maxBytes: MAX_BYTES,
        signal,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOfConnection(error, access);
    }
  }
}
