import type { Feature } from '#platform/feature.ts';
import { maintenanceRunner, type MaintenanceDeps } from './maintenance-job.ts';
import { runRoutes, type RunDeps } from './routes.ts';

/** What can be asked of any run; what is cleared away at night. */
export const runs: Feature<RunDeps & MaintenanceDeps> = {
  name: 'runs',
  routes: runRoutes,
  jobs: (deps) => [maintenanceRunner(deps)],
};
