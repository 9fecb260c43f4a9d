import type { Feature } from '#platform/feature.ts';
import { explainRoutes, type ExplainDeps } from './routes.ts';

/** Explains where a value comes from. */
export const explain: Feature<ExplainDeps> = {
  name: 'explain',
  routes: explainRoutes,
};
