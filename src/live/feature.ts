import type { Feature } from '#platform/feature.ts';
import { statusRoutes, type StatusDeps } from './routes.ts';

/** What runs now, as a stream of events. */
export const live: Feature<StatusDeps> = {
  name: 'live',
  routes: statusRoutes,
};
