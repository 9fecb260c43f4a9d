import type { MarketplaceChannel } from '#shared/marketplace-accounts/schema.ts';

/** One of our own ids at marketplaces, and the accounts that sell under it. */
export type OwnSeller = { readonly id: string; readonly accounts: readonly MarketplaceChannel[] };

/** Our sellers in a catalogue, told apart as the server does it. */
export function ownSellers(channels: readonly MarketplaceChannel[], masterid: string): OwnSeller[] {
  const own = channels.filter((channel) => channel.masterid === masterid);
  return [...Map.groupBy(own, ({ sellerId }) => sellerId.trim().toUpperCase())].map(([id, accounts]) => ({
    id,
    accounts,
  }));
}
