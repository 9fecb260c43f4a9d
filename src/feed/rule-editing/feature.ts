import type { Feature } from '#platform/feature.ts';
import { ruleRoutes } from './routes.ts';
import type { RuleDeps } from './rule-request.ts';

/** Rules, and what they do to the items while they are edited. */
export const ruleEditing: Feature<RuleDeps> = {
  name: 'rule-editing',
  routes: ruleRoutes,
};
