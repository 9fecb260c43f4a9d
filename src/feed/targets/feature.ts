import type { Feature } from '#platform/feature.ts';
import { targetRoutes, type TargetDeps } from './routes.ts';

/** Manages a channel's lists of categories, brands and colours. */
export const targets: Feature<TargetDeps> = {
  name: 'targets',
  routes: targetRoutes,
};
