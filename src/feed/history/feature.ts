import type { Feature } from '#platform/feature.ts';
import type { HistoryDeps } from './restore.ts';
import { historyRoutes } from './routes.ts';

/** Revisions of documents, and the way back to one. */
export const history: Feature<HistoryDeps> = {
  name: 'history',
  routes: historyRoutes,
};
