import { between, type Chance } from './faults.ts';

export type Credentials = { clientId: string; clientSecret: string; refreshToken: string };

/** Login with Amazon: issues tokens for the right credentials, and knows which of them are still valid. */
export class Tokens {
  private readonly credentials: Credentials;
  private readonly seconds: number;
  private readonly chance: Chance;
  private readonly issued = new Map<string, number>();
  private readonly grantless = new Set<string>();

  constructor(credentials: Credentials, seconds: number, chance: Chance) {
    this.credentials = credentials;
    this.seconds = seconds;
    this.chance = chance;
  }

  /** Returns the answer to a token request; undefined: wrong credentials. */
  grant(
    form: URLSearchParams,
    now: number,
  ): { access_token: string; token_type: string; expires_in: number } | undefined {
    const { clientId, clientSecret, refreshToken } = this.credentials;
    const ofSeller = form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === refreshToken;
    const ofApplication =
      form.get('grant_type') === 'client_credentials' && form.get('scope') === 'sellingpartnerapi::notifications';
    const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    if (!known || !(ofSeller || ofApplication)) return undefined;
    const token = `Atza|sandbox-${between(this.chance, 0, 999_999_999)}-${this.issued.size}`;
    if (ofApplication) this.grantless.add(token);
    this.issued.set(token, now + this.seconds * 1000);
    return { access_token: token, token_type: 'bearer', expires_in: this.seconds };
  }

  counts(token: string, now: number): boolean {
    const until = this.issued.get(token);
    return until !== undefined && now < until;
  }

  /** Whether the token is one of the application itself, not of a seller. */
  isGrantless(token: string): boolean {
    return this.grantless.has(token);
  }

  revoke(token: string): void {
    this.issued.delete(token);
  }
}
