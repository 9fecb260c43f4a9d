import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the stored form of a secret with 256 random bits: it cannot be guessed, so a plain hash protects it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Signs texts that browsers keep for us; `purpose` prevents one kind from being used as another. */
export class Signer {
  private readonly secret: string;
  private readonly purpose: string;

  constructor(secret: string, purpose: string) {
    this.secret = secret;
    this.purpose = purpose;
  }

  /** `text.signature`. The text must hold no dot. */
  sign(text: string): string {
    return `${text}.${this.signatureOf(text)}`;
  }

  /** Returns the signed text; undefined if the signature is not ours. */
  open(signed: string): string | undefined {
    const at = signed.indexOf('.');
    if (at < 1) return undefined;
    const text = signed.slice(0, at);
    const given = Buffer.from(signed.slice(at + 1));
    const expected = Buffer.from(this.signatureOf(text));
    return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined;
  }

  private signatureOf(text: string): string {
    return createHmac('sha256', this.secret).update(`kontor ${this.purpose} ${text}`).digest('base64url');
  }
}
