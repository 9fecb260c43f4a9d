import type { Feature } from '#platform/feature.ts';
import { type AssignmentDeps, mappingRoutes } from './mapping-routes.ts';
import { assignmentRoutes } from './routes.ts';

/** Routes that edit mappings, categories, brands and colours. */
export const assignmentEditing: Feature<AssignmentDeps> = {
  name: 'assignment-editing',
  routes: (app, deps) => {
    mappingRoutes(app, deps);
    assignmentRoutes(app, deps);
  },
};
