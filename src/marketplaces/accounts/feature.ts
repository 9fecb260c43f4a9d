import type { Feature } from '#platform/feature.ts';
import { marketplaceAccountRoutes, type MarketplaceAccountDeps } from './routes.ts';

/** Accounts at marketplaces. */
export const marketplaceAccounts: Feature<MarketplaceAccountDeps> = {
  name: 'marketplace-accounts',
  routes: marketplaceAccountRoutes,
};
