import { randomBytes, randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Source of the program's randomness; tests pass a seeded one. */
export type Ids = {
  /** 12 characters of [A-Za-z0-9] (71 bits): ids of catalogues, exports, runs. */
  id(): string;
  /** URL-safe secret of 256 bits: feed addresses, API tokens, passwords. */
  secret(): string;
  /** `bytes` random bytes in hexadecimal digits: ids of traces and spans. */
  hex(bytes: number): string;
};

export const randomIds: Ids = {
  id: () => Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join(''),
  secret: () => randomBytes(32).toString('base64url'),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
