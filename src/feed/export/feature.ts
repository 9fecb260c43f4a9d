import type { Feature } from '#platform/feature.ts';
import { exportRunner } from './job.ts';
import { exportRoutes, type ExportRouteDeps } from './routes.ts';
import { partRunner } from './parts/part-job.ts';
import { stockFieldRoutes } from './stock-fields.ts';
import { stockRunner } from './stock-job.ts';

/** Turns items into a channel's file. */
export const exports: Feature<
  ExportRouteDeps & Parameters<typeof exportRunner>[0] & Parameters<typeof stockRunner>[0]
> = {
  name: 'export',
  routes: (app, deps) => {
    exportRoutes(app, deps);
    stockFieldRoutes(app, deps);
  },
  jobs: (deps) => [exportRunner(deps), partRunner(deps), stockRunner(deps)],
};
