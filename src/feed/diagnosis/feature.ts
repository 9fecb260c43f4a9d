import type { Feature } from '#platform/feature.ts';
import { diagnosisRoutes, type DiagnosisDeps } from './routes.ts';

/** Reports problems of the items of an export. */
export const diagnosis: Feature<DiagnosisDeps> = {
  name: 'diagnosis',
  routes: diagnosisRoutes,
};
