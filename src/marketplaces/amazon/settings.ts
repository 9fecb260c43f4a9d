import { z } from 'zod';

/** What an account's `settings` hold for this connector. Addresses other than Amazon's own are for sandboxes. */
export const AmazonSettings = z.object({
  clientId: z.string().default(''),
  apiUrl: z.string().default(''),
  tokenUrl: z.string().default(''),
});

/** What `secrets` keep under the account's place, as JSON. */
export const AmazonSecrets = z.object({ clientSecret: z.string().default(''), refreshToken: z.string().default('') });

/** Europe, the marketplaces of which one application may serve. */
export const EU_API = 'https://sellingpartnerapi-eu.amazon.com';
export const LWA_TOKEN = 'https://api.amazon.com/auth/o2/token';

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
};
