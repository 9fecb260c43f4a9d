import type { Feature } from '#platform/feature.ts';
import { deliverRunner, digestRunner } from './delivery-jobs.ts';
import { notifyRoutes, type NotifyDeps } from './routes.ts';

/** How people are told, by e-mail and webhook. */
export const notifications: Feature<NotifyDeps> = {
  name: 'notifications',
  routes: notifyRoutes,
  jobs: (deps) => [deliverRunner(deps), digestRunner(deps)],
};
