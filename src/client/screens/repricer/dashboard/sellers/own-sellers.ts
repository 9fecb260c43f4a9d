import type { MarketplaceChannel, MarketplaceConnector } from '#shared/marketplace-accounts/schema.ts';

/** One of our own seller ids at marketplaces, and the accounts that sell under it. */
export type OwnSeller = { readonly id: string; readonly accounts: readonly MarketplaceChannel[] };

/** Returns our sellers in a catalogue, distinguished as the server does it. */
export function ownSellers(channels: readonly MarketplaceChannel[], masterid: string): OwnSeller[] {
  const own = channels.filter((channel) => channel.masterid === masterid);
  return [...Map.groupBy(own, ({ sellerId }) => sellerId.trim().toUpperCase())].map(([id, accounts]) => ({
    id,
    accounts,
  }));
}

/**
 * Returns the address of a seller's page at the marketplace of these accounts; undefined if unknown, as in the demo's sandbox.
 */
export function sellerPage(
  { accounts }: OwnSeller,
  connectors: readonly MarketplaceConnector[],
  id: string,
): string | undefined {
  for (const { connector, marketplace } of accounts) {
    const known = connectors.find((one) => one.id === connector && one.demo === '');
    const name = known?.marketplaces.find((one) => one.id === marketplace)?.name ?? '';
    const [, domain] = /^Amazon\.([a-z.]+)$/.exec(name) ?? [];
    if (domain !== undefined) return `https://www.amazon.${domain}/sp?seller=${encodeURIComponent(id)}`;
  }
  return undefined;
}
