import { argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { type HashCaller, HashLimiter } from './hash-limiter.ts';

/**
 * How a password is stored. scrypt: by versions before Argon2id, as `salt:key` in hexadecimal, where the salt's hexadecimal text
 * is the salt.
 */
export type HashForm = 'argon2id' | 'scrypt';

/** More than recommended (19 MiB and two passes), with less memory and no more processor time than scrypt takes. */
const cost: Cost = { memory: 28 * 1024, passes: 3, parallelism: 1 };
type Cost = { memory: number; passes: number; parallelism: number };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const scryptCost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const SCRYPT_KEY_BYTES = 64;

/** At most two cores and 64 MiB, for all callers together. */
const hashSlots = new HashLimiter(2, 200);

/** Formats a hash with all parameters needed to verify it, in the PHC string format, as RFC 9106's authors do. */
const written = ({ memory, passes, parallelism }: Cost, salt: Buffer, key: Buffer) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(key)}`;
const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const writtenForm =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{22,88})$/;

/** Returns the text to store for a password. @throws 503 if too many are being hashed */
export function hashPassword(password: string, form: HashForm): Promise<string> {
  return hashSlots.run('known', async () => {
    const salt = randomBytes(SALT_BYTES);
    if (form === 'argon2id') return written(cost, salt, await argonOf(password, salt, cost, KEY_BYTES));
    const text = salt.toString('hex');
    return `${text}:${(await scryptOf(password, text)).toString('hex')}`;
  });
}

/** Whether a stored hash has the present form and cost. */
export const isOfForm = (stored: string, form: HashForm): boolean =>
  form === 'argon2id'
    ? stored.startsWith(`$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`)
    : !stored.startsWith('$');

type HashRequest = { asker: HashCaller; bothForms: boolean };

/**
 * Whether a password matches the stored hash. A wrong one takes the same time if none is stored (T16). `bothForms`: while
 * passwords are stored in both forms, a wrong one costs one hash of each form. @throws 503 if too many are being hashed
 */
export function isPassword(
  password: string,
  stored: string | null | undefined,
  { asker, bothForms }: HashRequest,
): Promise<boolean> {
  return hashSlots.run(asker, async () => {
    const text = stored ?? dummyHashes.argon2id;
    const right = await fits(password, text);
    if (right && (stored ?? undefined) !== undefined) return true;
    if (bothForms) await fits(password, text.startsWith('$') ? dummyHashes.scrypt : dummyHashes.argon2id);
    return false;
  });
}

/** Dummy hashes that no password matches: checking against them takes as long as against a real one. */
const dummyHashes: Record<HashForm, string> = {
  argon2id: written(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES)),
  scrypt: `${'0'.repeat(2 * SALT_BYTES)}:${'0'.repeat(2 * SCRYPT_KEY_BYTES)}`,
};

async function fits(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', key = ''] = stored.match(writtenForm) ?? [];
  if (memory !== undefined) {
    const given = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(key, 'base64');
    return isSame(expected, await argonOf(password, Buffer.from(salt, 'base64'), given, expected.length));
  }
  const [text = '', hex = ''] = stored.split(':');
  return isSame(Buffer.from(hex, 'hex'), await scryptOf(password, text));
}

const isSame = (expected: Buffer, given: Buffer) =>
  expected.length === given.length && timingSafeEqual(expected, given);

// Different keyboards may enter the same letter in different Unicode compositions.
const composed = (password: string) => password.normalize('NFKC');

const argonOf = (password: string, nonce: Buffer, given: Cost, tagLength: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    argon2('argon2id', { message: composed(password), nonce, tagLength, ...given }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const scryptOf = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(composed(password), salt, SCRYPT_KEY_BYTES, scryptCost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
