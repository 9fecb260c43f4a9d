import type { Feature } from '#platform/feature.ts';
import type { Database } from '#platform/db/database.ts';
import { constructionRoutes } from './routes.ts';

/** Routes that edit which fields an export has and what they are made of. */
export const constructionEditing: Feature<{ database: Database }> = {
  name: 'construction-editing',
  routes: constructionRoutes,
};
