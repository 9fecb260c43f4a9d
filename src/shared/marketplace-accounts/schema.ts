import { z } from 'zod';
import { Run } from '#shared/runs/schema.ts';

/** Marketplaces that an account can sell in, by Amazon's own ids; Germany first. */
export const marketplaceIds = [
  'A1PA6795UKMFR9',
  'A13V1IB3VIYZZH',
  'APJ6JRA9NG5V4',
  'A1RKKUPIHCS9HS',
  'A1805IZSGTT6HS',
  'AMEN7PMS3EDWL',
  'A1C3SOZRARQ6R3',
  'A2NODRKZP88ZB9',
] as const;
type MarketplaceId = (typeof marketplaceIds)[number];

export const marketplaces = {
  A1PA6795UKMFR9: { name: 'Amazon.de', currency: 'EUR' },
  A13V1IB3VIYZZH: { name: 'Amazon.fr', currency: 'EUR' },
  APJ6JRA9NG5V4: { name: 'Amazon.it', currency: 'EUR' },
  A1RKKUPIHCS9HS: { name: 'Amazon.es', currency: 'EUR' },
  A1805IZSGTT6HS: { name: 'Amazon.nl', currency: 'EUR' },
  AMEN7PMS3EDWL: { name: 'Amazon.com.be', currency: 'EUR' },
  A1C3SOZRARQ6R3: { name: 'Amazon.pl', currency: 'PLN' },
  A2NODRKZP88ZB9: { name: 'Amazon.se', currency: 'SEK' },
} as const satisfies Record<MarketplaceId, { name: string; currency: string }>;

export const marketplaceName = (id: string): string =>
  Object.entries(marketplaces).find(([known]) => known === id)?.[1].name ?? id;

const word = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[\x21-\x7e]*$/, 'Bitte ohne Leerzeichen und Sonderzeichen');
/** Empty: the marketplace's own address. Secrets go there: without encryption only to this machine. */
const address = z.union([
  z.literal(''),
  z
    .url({ error: 'Bitte eine vollständige Adresse mit https://' })
    .regex(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/, 'Bitte eine vollständige Adresse mit https://'),
]);

/** What can be changed of an account. Empty secrets leave the kept ones. */
export const MarketplaceAccountSave = z.object({
  name: z.string().trim().min(1, 'Bitte einen Namen angeben').max(100),
  sellerId: word(40).min(1, 'Bitte die Verkäufer-ID angeben'),
  clientId: word(200).default(''),
  clientSecret: word(1000).default(''),
  refreshToken: word(4000).default(''),
  apiUrl: address.default(''),
  tokenUrl: address.default(''),
  /** A queue (Amazon SQS) with the marketplace's messages; empty: there is none. */
  queueUrl: address.default(''),
  queueKeyId: word(200).default(''),
  queueSecret: word(1000).default(''),
  active: z.boolean().default(false),
});
export type MarketplaceAccountSave = z.infer<typeof MarketplaceAccountSave>;

/** Catalogue and marketplace stay what they were when it was made: its offers belong to them. */
export const MarketplaceAccountNew = MarketplaceAccountSave.extend({
  masterid: z.string().min(1, 'Bitte einen Katalog wählen').max(40),
  marketplace: z.enum(marketplaceIds),
});
export type MarketplaceAccountNew = z.infer<typeof MarketplaceAccountNew>;

export const MarketplaceAccount = z.object({
  id: z.string(),
  /** 'sandbox': the marketplace is this program's own, for trying out. */
  connector: z.string(),
  name: z.string(),
  masterid: z.string(),
  marketplace: z.string(),
  sellerId: z.string(),
  currency: z.string(),
  clientId: z.string(),
  clientSecretSet: z.boolean(),
  refreshTokenSet: z.boolean(),
  apiUrl: z.string(),
  tokenUrl: z.string(),
  queueUrl: z.string(),
  queueKeyId: z.string(),
  queueSecretSet: z.boolean(),
  active: z.boolean(),
});
export type MarketplaceAccount = z.infer<typeof MarketplaceAccount>;

/** An account as a channel of its catalogue: what everybody in the company may see of it. */
export const MarketplaceChannel = MarketplaceAccount.pick({
  id: true,
  masterid: true,
  name: true,
  marketplace: true,
  connector: true,
  active: true,
})
  .extend({
    /** Items of the catalogue that are sold there. */
    offers: z.number().int(),
    lastRun: Run.nullable(),
  })
  .meta({ id: 'MarketplaceChannel' });
export type MarketplaceChannel = z.infer<typeof MarketplaceChannel>;
