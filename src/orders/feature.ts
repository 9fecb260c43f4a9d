import type { Feature } from '#platform/feature.ts';
import { statisticRoutes, type StatisticDeps } from './statistics/routes.ts';

/** What customers ordered, and what becomes of it. */
export const orders: Feature<StatisticDeps> = {
  name: 'orders',
  routes: statisticRoutes,
};
