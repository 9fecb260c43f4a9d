import type { Feature } from '#platform/feature.ts';
import { headerCounters, type HeaderCountDeps } from './components/header-counters.ts';
import { helloComponents } from './components/hello.ts';
import { statusRoutes, type StatusDeps } from './routes.ts';

/** An event stream of running jobs, and the counts of waiting work in the header. */
export const live: Feature<StatusDeps & HeaderCountDeps> = {
  name: 'live',
  routes: statusRoutes,
  liveComponents: (deps) => [headerCounters(deps), ...helloComponents],
};
