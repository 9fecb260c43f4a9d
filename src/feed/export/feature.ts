import type { Feature } from '#platform/feature.ts';
import { exportRunner } from './job.ts';
import { exportRoutes, type ExportRouteDeps } from './routes.ts';
import { stockRunner } from './stock-job.ts';

/** From the items to a channel's file. */
export const exports: Feature<
  ExportRouteDeps & Parameters<typeof exportRunner>[0] & Parameters<typeof stockRunner>[0]
> = {
  name: 'export',
  routes: exportRoutes,
  jobs: (deps) => [exportRunner(deps), stockRunner(deps)],
};
