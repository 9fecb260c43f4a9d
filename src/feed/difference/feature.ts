import type { Feature } from '#platform/feature.ts';
import { differenceRoutes, type DifferenceDeps } from './routes.ts';

/** What a run would change, and its release. */
export const difference: Feature<DifferenceDeps> = {
  name: 'difference',
  routes: differenceRoutes,
};
