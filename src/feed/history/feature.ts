import type { Feature } from '#platform/feature.ts';
import type { HistoryDeps } from './restore.ts';
import { historyRoutes } from './routes.ts';

/** Shows the revisions of documents and restores them. */
export const history: Feature<HistoryDeps> = {
  name: 'history',
  routes: historyRoutes,
};
