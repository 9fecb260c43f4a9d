import { useRouteLoaderData } from 'react-router';
import type { MarketplaceConnector } from '#shared/marketplace-accounts/schema.ts';
import type { loader } from './shell/shell.tsx';

/** The marketplaces that the program knows; none outside the shell. */
export function useConnectors(): readonly MarketplaceConnector[] {
  return useRouteLoaderData<typeof loader>('shell')?.connectors ?? [];
}

/** Gives what people call a marketplace; its id where the program does not know it. */
export function useMarketplaceName(): (id: string) => string {
  const connectors = useConnectors();
  return (id) => connectors.flatMap(({ marketplaces }) => marketplaces).find((one) => one.id === id)?.name ?? id;
}

/** Gives the currency of a marketplace; euro where the program does not know it. */
export function useMarketplaceCurrency(): (id: string) => string {
  const connectors = useConnectors();
  return (id) => connectors.flatMap(({ marketplaces }) => marketplaces).find((one) => one.id === id)?.currency ?? 'EUR';
}
