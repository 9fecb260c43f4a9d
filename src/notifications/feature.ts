import type { Feature } from '#platform/feature.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { deliverRunner, digestRunner } from './delivery-jobs.ts';
import { deliveryMeter } from './delivery-metrics.ts';
import { notifyRoutes, type NotifyDeps } from './routes.ts';

/** Notifications by e-mail and webhook. */
export const notifications: Feature<NotifyDeps & { metrics: Metrics }> = {
  name: 'notifications',
  routes: notifyRoutes,
  jobs: (deps) => {
    const measured = deliveryMeter(deps.metrics);
    return [deliverRunner({ ...deps, measured }), digestRunner({ ...deps, measured })];
  },
};
