import type { Feature } from '#platform/feature.ts';
import { ruleRoutes } from './routes.ts';
import type { RuleDeps } from './rule-request.ts';

/** Edits rules, and shows what they do to the items meanwhile. */
export const ruleEditing: Feature<RuleDeps> = {
  name: 'rule-editing',
  routes: ruleRoutes,
};
