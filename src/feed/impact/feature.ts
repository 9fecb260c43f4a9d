import type { Feature } from '#platform/feature.ts';
import { impactRoutes, type ImpactDeps } from './routes.ts';

/** Shows what a save of rules would change in the exports. */
export const impact: Feature<ImpactDeps> = {
  name: 'impact',
  routes: impactRoutes,
};
