import { hashOf, Signer } from './secrets.ts';

/** `__Host-` binds a cookie to this host and to https. */
export const cookieName = (publicUrl: string) => (publicUrl.startsWith('https:') ? '__Host-kontor' : 'kontor');

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The cookies of a sign-in: the session's secret, signed, until the session ends; and, for a year, a mark that this browser has
 * signed in to the account before, so that strangers who try its passwords cannot lock this browser out.
 */
export class SignInCookies {
  private readonly name: string;
  private readonly session: Signer;
  private readonly device: Signer;
  private readonly renewal: Signer;

  constructor(publicUrl: string, secret: string) {
    this.name = cookieName(publicUrl);
    this.session = new Signer(secret, 'session');
    this.device = new Signer(secret, 'device');
    this.renewal = new Signer(secret, 'renewed session');
  }

  /** Returns the header that sets the session cookie. */
  begin(token: string): string {
    return this.header(this.name, this.session.sign(token), 7 * 24 * 60 * 60);
  }

  /** Returns the header that deletes the session cookie. */
  end(): string {
    return this.header(this.name, '', 0);
  }

  /** Returns the session secret in a `Cookie` header; undefined if there is none with our signature. */
  tokenIn(header: string | undefined): string | undefined {
    const value = cookieIn(header, this.name);
    return value === undefined ? undefined : this.session.open(value);
  }

  /** Returns the secret that replaces a session's: always the same one, which cannot be derived from the former secret alone. */
  renewed(token: string): string {
    return this.renewal.sign(token).slice(token.length + 1);
  }

  /** Returns the header by which later sign-ins of this user recognise the browser; `secret` is random. */
  remember(userId: string, secret: string): string {
    return this.header(this.deviceName, this.device.sign(`${secret}-${hashOf(userId).slice(0, 16)}`), YEAR_SECONDS);
  }

  /** Returns the mark of a browser that signed in to this user before; undefined for others. */
  knownDevice(header: string | undefined, userId: string): string | undefined {
    const value = cookieIn(header, this.deviceName);
    const mark = value === undefined ? undefined : this.device.open(value);
    return mark?.endsWith(`-${hashOf(userId).slice(0, 16)}`) === true ? mark : undefined;
  }

  private get deviceName(): string {
    return `${this.name}-geraet`;
  }

  private header(name: string, value: string, maxAge: number): string {
    const secure = name.startsWith('__Host-') ? '; Secure' : '';
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
  }
}

function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
