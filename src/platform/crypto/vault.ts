import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/**
 * Encrypts secrets for storage: AES-256-GCM under a key per company, derived from the installation's secret. The place (company,
 * row, field) is bound in as associated data, so a ciphertext moved elsewhere cannot be decrypted (T17).
 */
export class Vault {
  // Node prepares a key object once; a buffer or text anew for every HMAC, which takes six times as long.
  private readonly secret: KeyObject;

  constructor(secret: string) {
    this.secret = createSecretKey(secret, 'utf8');
  }

  private key(company: string): Buffer {
    return createHmac('sha256', this.secret).update(`kontor vault ${company}`).digest();
  }

  /** Returns a hash that only this installation can make: HMAC-SHA-256 under a key of the company that is not in the database. */
  mark(company: string, text: string): string {
    return this.marker(company)(text);
  }

  /** Returns a function that makes many such hashes. */
  marker(company: string): (text: string) => string {
    const key = createSecretKey(createHmac('sha256', this.secret).update(`kontor mark ${company}`).digest());
    return (text) => createHmac('sha256', key).update(text).digest('hex');
  }

  seal(company: string, place: string, text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key(company), nonce).setAAD(bindingOf(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Decrypts a text. Throws if text, place or company are not those it was encrypted with. */
  open(company: string, place: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    // Without this length, a tag of which bytes are missing would be accepted, which is easier to guess.
    const options = { authTagLength: 16 };
    const decipher = createDecipheriv('aes-256-gcm', this.key(company), bytes.subarray(0, 12), options);
    decipher.setAAD(bindingOf(place)).setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }
}

/** The associated data of a ciphertext, which cannot be decrypted at another place. */
const bindingOf = (place: string): Buffer => Buffer.from(place);
