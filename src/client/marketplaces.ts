import { useRouteLoaderData } from 'react-router';
import type { MarketplaceConnector } from '#shared/marketplace-accounts/schema.ts';
import type { loader } from './shell/shell.tsx';

/** Returns the marketplaces that the program knows; empty outside the shell. */
export function useConnectors(): readonly MarketplaceConnector[] {
  return useRouteLoaderData<typeof loader>('shell')?.connectors ?? [];
}

/** Returns a function that gives a marketplace's display name, or its id if the program does not know it. */
export function useMarketplaceName(): (id: string) => string {
  const connectors = useConnectors();
  return (id) => connectors.flatMap(({ marketplaces }) => marketplaces).find((one) => one.id === id)?.name ?? id;
}

/** Returns a function that gives a marketplace's currency, or euro if the program does not know it. */
export function useMarketplaceCurrency(): (id: string) => string {
  const connectors = useConnectors();
  return (id) => connectors.flatMap(({ marketplaces }) => marketplaces).find((one) => one.id === id)?.currency ?? 'EUR';
}
