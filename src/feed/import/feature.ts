import type { Feature } from '#platform/feature.ts';
import { importRunner } from './job.ts';
import { importPartRunner } from './parts/part-job.ts';
import { importRoutes, type ImportRouteDeps } from './routes.ts';

/** The feature that turns a supplier's file into a snapshot. */
export const imports: Feature<ImportRouteDeps> = {
  name: 'import',
  routes: importRoutes,
  jobs: (deps) => [importRunner(deps), importPartRunner(deps)],
};
