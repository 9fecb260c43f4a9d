import { z } from 'zod';
import { Run } from '#shared/runs/schema.ts';

const word = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[\x21-\x7e]*$/, 'Bitte ohne Leerzeichen und Sonderzeichen');

/** A marketplace on which offers are listed: Amazon.de, Amazon.fr. */
export const AccountMarketplace = z.object({ id: z.string(), name: z.string(), currency: z.string() });
export type AccountMarketplace = z.infer<typeof AccountMarketplace>;

/** A part of the form that is collapsed while nothing in it is filled in. */
export const AccountGroup = z.object({ id: z.string(), title: z.string(), help: z.string().default('') });
export type AccountGroup = z.infer<typeof AccountGroup>;

/** A field of an account's form. Secrets are write-only: a saved one is never shown, and an empty one keeps it. */
export const AccountField = z
  .object({
    id: z.string(),
    label: z.string(),
    help: z.string(),
    kind: z.enum(['text', 'choice']),
    secret: z.boolean(),
    /** Required for an active account (in a group: if it uses the group). */
    required: z.boolean(),
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    group: z.string().nullable(),
  })
  .meta({ id: 'AccountField' });
export type AccountField = z.infer<typeof AccountField>;

/** The properties of a connector's accounts, from which forms are built. */
export const MarketplaceConnector = z
  .object({
    id: z.string(),
    label: z.string(),
    marketplaces: z.array(AccountMarketplace),
    /** If not empty, accounts of it cannot be created because they belong to the demo; the text says so. */
    demo: z.string(),
    sellerHelp: z.string(),
    groups: z.array(AccountGroup),
    fields: z.array(AccountField),
  })
  .meta({ id: 'MarketplaceConnector' });
export type MarketplaceConnector = z.infer<typeof MarketplaceConnector>;

/** The editable part of an account. `settings`: its connector's fields by id; empty secrets keep the saved ones. */
export const MarketplaceAccountSave = z.object({
  name: z.string().trim().min(1, 'Bitte einen Namen angeben').max(100),
  sellerId: word(40).min(1, 'Bitte die Verkäufer-ID angeben'),
  settings: z.record(z.string().max(40), z.string().max(4000)).default({}),
  active: z.boolean().default(false),
});
export type MarketplaceAccountSave = z.infer<typeof MarketplaceAccountSave>;

/**
 * Catalogue and marketplace cannot be changed later: the account's offers belong to them. The marketplace determines the
 * connector.
 */
export const MarketplaceAccountNew = MarketplaceAccountSave.extend({
  masterid: z.string().min(1, 'Bitte einen Katalog wählen').max(40),
  marketplace: z.string().max(100),
});
export type MarketplaceAccountNew = z.infer<typeof MarketplaceAccountNew>;

export const MarketplaceAccount = z.object({
  id: z.string(),
  connector: z.string(),
  name: z.string(),
  masterid: z.string(),
  marketplace: z.string(),
  sellerId: z.string(),
  currency: z.string(),
  /** Without secrets; `secretsSet` lists those that are set. */
  settings: z.record(z.string(), z.string()),
  secretsSet: z.array(z.string()),
  /** Messages of the marketplace can be subscribed to for it. */
  mailbox: z.boolean(),
  /** Number of its orders that are neither shipped nor cancelled. */
  openOrders: z.number().int(),
  active: z.boolean(),
});
export type MarketplaceAccount = z.infer<typeof MarketplaceAccount>;

/** An account as a channel of its catalogue: what every user of the company may see. */
export const MarketplaceChannel = MarketplaceAccount.pick({
  id: true,
  masterid: true,
  name: true,
  marketplace: true,
  connector: true,
  sellerId: true,
  active: true,
})
  .extend({
    /** Number of items of the catalogue sold there. */
    offers: z.number().int(),
    lastRun: Run.nullable(),
  })
  .meta({ id: 'MarketplaceChannel' });
export type MarketplaceChannel = z.infer<typeof MarketplaceChannel>;
