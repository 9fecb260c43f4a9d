import { z } from 'zod';

/** What an account's `settings` hold for this connector. Addresses other than Amazon's own are for sandboxes. */
export const AmazonSettings = z.object({
  clientId: z.string().default(''),
  apiUrl: z.string().default(''),
  tokenUrl: z.string().default(''),
  queueUrl: z.string().default(''),
  queueKeyId: z.string().default(''),
});

/** What `secrets` keep under the account's place, as JSON. */
export const AmazonSecrets = z.object({
  clientSecret: z.string().default(''),
  refreshToken: z.string().default(''),
  queueSecret: z.string().default(''),
});

/** Europe, the marketplaces of which one application may serve. */
export const EU_API = 'https://sellingpartnerapi-eu.amazon.com';
export const LWA_TOKEN = 'https://api.amazon.com/auth/o2/token';

/** A queue into which Amazon writes its messages, and a key that may read it. */
export type QueueAccess = { url: string; keyId: string; secret: string };

/** Everything the connector needs to know of one account. */
export type AmazonAccount = {
  marketplace: string;
  sellerId: string;
  currency: string;
  clientId: string;
  clientSecret: string;
  refreshToken: string;
  apiUrl: string;
  tokenUrl: string;
  /** Undefined: messages come by a call, or not at all. */
  queue?: QueueAccess | undefined;
};
