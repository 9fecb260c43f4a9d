import type { Feature } from '#platform/feature.ts';
import { searchRoutes, type SearchDeps } from './routes.ts';

/** The command palette's search. */
export const search: Feature<SearchDeps> = {
  name: 'search',
  routes: searchRoutes,
};
