import type { Feature } from '#platform/feature.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { masterRoutes } from './routes.ts';

/** The catalogues of a company. */
export const masters: Feature<{ database: Database; ids: Ids }> = {
  name: 'masters',
  routes: masterRoutes,
};
