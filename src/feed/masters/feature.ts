import type { Feature } from '#platform/feature.ts';
import { type MasterDeps, masterRoutes } from './routes.ts';

/** Manages the catalogues of a company. */
export const masters: Feature<MasterDeps> = {
  name: 'masters',
  routes: masterRoutes,
};
