import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** scrypt with 32 MiB a password; stored as `salt:key` in hexadecimal, the salt's text itself being the salt. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 64;

const keyOf = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same letters typed on another keyboard may come composed otherwise.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** What is stored of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await keyOf(password, salt)).toString('hex')}`;
}

/** Nobody's password: checking it takes as long as checking somebody's. */
const nobody = `${'0'.repeat(32)}:${'0'.repeat(KEY_BYTES * 2)}`;

/** Whether a password is the stored one; takes the same time where none is stored (T16). */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [salt = '', key = ''] = (stored ?? nobody).split(':');
  const expected = Buffer.from(key, 'hex');
  const given = await keyOf(password, salt);
  return expected.length === given.length && timingSafeEqual(expected, given) && (stored ?? undefined) !== undefined;
}
