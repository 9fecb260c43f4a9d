import type { Feature } from '#platform/feature.ts';
import { maintenanceRunner, type MaintenanceDeps } from './maintenance-job.ts';
import { runRoutes, type RunDeps } from './routes.ts';

/** Routes for any run, and the nightly maintenance. */
export const runs: Feature<RunDeps & MaintenanceDeps> = {
  name: 'runs',
  routes: runRoutes,
  jobs: (deps) => [maintenanceRunner(deps)],
};
