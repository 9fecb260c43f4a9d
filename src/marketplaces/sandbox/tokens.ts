import { between, type Chance } from './faults.ts';

export type Credentials = { clientId: string; clientSecret: string; refreshToken: string };

/** Login with Amazon: gives tokens for the right credentials, and knows which of them still count. */
export class Tokens {
  private readonly credentials: Credentials;
  private readonly seconds: number;
  private readonly chance: Chance;
  private readonly given = new Map<string, number>();

  constructor(credentials: Credentials, seconds: number, chance: Chance) {
    this.credentials = credentials;
    this.seconds = seconds;
    this.chance = chance;
  }

  /** The answer to a form; undefined: not with these credentials. */
  grant(
    form: URLSearchParams,
    now: number,
  ): { access_token: string; token_type: string; expires_in: number } | undefined {
    const { clientId, clientSecret, refreshToken } = this.credentials;
    const right =
      form.get('grant_type') === 'refresh_token' &&
      form.get('client_id') === clientId &&
      form.get('client_secret') === clientSecret &&
      form.get('refresh_token') === refreshToken;
    if (!right) return undefined;
    const token = `Atza|sandbox-${between(this.chance, 0, 999_999_999)}-${this.given.size}`;
    this.given.set(token, now + this.seconds * 1000);
    return { access_token: token, token_type: 'bearer', expires_in: this.seconds };
  }

  counts(token: string, now: number): boolean {
    const until = this.given.get(token);
    return until !== undefined && now < until;
  }

  revoke(token: string): void {
    this.given.delete(token);
  }
}
