import type { Feature } from '#platform/feature.ts';
import { attributeRoutes, type AttributeDeps } from './routes.ts';

/** Values of export fields that are set by category. */
export const attributeEditing: Feature<AttributeDeps> = {
  name: 'attribute-editing',
  routes: attributeRoutes,
};
