import type { Feature } from '#platform/feature.ts';
import { diagnosisRoutes, type DiagnosisDeps } from './routes.ts';

/** What is wrong with the items of an export. */
export const diagnosis: Feature<DiagnosisDeps> = {
  name: 'diagnosis',
  routes: diagnosisRoutes,
};
