import type { Feature } from '#platform/feature.ts';
import { accountRoutes, type AccountDeps } from './routes.ts';

/** Sign-in, members and API tokens of a company. */
export const company: Feature<AccountDeps> = {
  name: 'company',
  routes: accountRoutes,
};
