import type { Feature } from '#platform/feature.ts';
import type { Database } from '#platform/db/database.ts';
import { historyRoutes } from './routes.ts';

/** Revisions of documents, and the way back to one. */
export const history: Feature<{ database: Database }> = {
  name: 'history',
  routes: historyRoutes,
};
