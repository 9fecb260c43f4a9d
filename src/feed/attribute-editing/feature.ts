import type { Feature } from '#platform/feature.ts';
import { attributeRoutes, type AttributeDeps } from './routes.ts';

/** Routes that edit values of export fields by category. */
export const attributeEditing: Feature<AttributeDeps> = {
  name: 'attribute-editing',
  routes: attributeRoutes,
};
