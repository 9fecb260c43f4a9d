import type { Feature } from '#platform/feature.ts';
import { differenceRoutes, type DifferenceDeps } from './routes.ts';

/** Shows what a run would change, and releases it. */
export const difference: Feature<DifferenceDeps> = {
  name: 'difference',
  routes: differenceRoutes,
};
