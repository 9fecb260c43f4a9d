import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { TokenAnswer } from './answers.ts';
import { failureOfConnection, failureOfStatus, jsonOf, unreadable } from './failures.ts';
import type { AmazonAccount } from './settings.ts';

/** How long before its expiry a token is renewed, so that none expires during a call. */
const MARGIN_MS = 60_000;

/** The access token of one account (Login with Amazon). It is fetched on demand, by one request for all waiting callers. */
export class AccessToken {
  private readonly deps: { egress: Pick<Egress, 'exchange'>; clock: Clock };
  private readonly account: AmazonAccount;
  private readonly scope: string | undefined;
  private held: { token: string; until: number } | undefined;
  private fetching: Promise<string> | undefined;

  /** `scope`: for a token of the application, used by calls that need no seller's permission. */
  constructor(deps: AccessToken['deps'], account: AmazonAccount, scope?: string) {
    this.deps = deps;
    this.account = account;
    this.scope = scope;
  }

  /**
   * Returns a valid token. @throws MarketplaceError auth: the credentials are refused; retryable: no answer, and nothing was done
   * at the marketplace yet
   */
  async get(): Promise<string> {
    if (this.held !== undefined && this.deps.clock.now().getTime() < this.held.until) return this.held.token;
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  /** Forgets a token that was refused although it should still be valid. */
  drop(token: string): void {
    if (this.held?.token === token) this.held = undefined;
  }

  private async fetch(): Promise<string> {
    const { clientId, clientSecret, refreshToken, tokenUrl } = this.account;
    if (clientId === '' || clientSecret === '' || refreshToken === '')
      throw new MarketplaceError('auth', 'Die Zugangsdaten für Amazon sind noch nicht vollständig.');
    const form = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      ...(this.scope === undefined
        ? { grant_type: 'refresh_token', refresh_token: refreshToken }
        : { grant_type: 'client_credentials', scope: this.scope }),
    });
    const requestedAt = this.deps.clock.now().getTime();
    const answer = await this.deps.egress
      .exchange(tokenUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', accept: 'application/json' },
        body: form.toString(),
        timeoutMs: 20_000,
        maxBytes: 100_000,
      })
      .catch((error: unknown) => {
        throw failureOfConnection(error, 'read');
      });
    // Wrong credentials are answered with 400 (invalid_grant) or 401 (invalid_client) here.
    if (answer.status === 400 || answer.status === 401 || answer.status === 403)
      throw new MarketplaceError(
        'auth',
        'Amazon nimmt die Zugangsdaten nicht an (Client-ID, Client-Geheimnis oder Refresh-Token).',
      );
    if (answer.status !== 200) throw failureOfStatus(answer, 'read');
    const parsed = TokenAnswer.safeParse(jsonOf(answer.text));
    if (!parsed.success) throw unreadable('read');
    const lasts = parsed.data.expires_in * 1000;
    this.held = { token: parsed.data.access_token, until: requestedAt + lasts - Math.min(MARGIN_MS, lasts / 5) };
    return parsed.data.access_token;
  }
}
